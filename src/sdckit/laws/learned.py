"""The law learned by masking again what the intruder knows, or a file like it."""

from collections.abc import Sequence

import numpy as np

from sdckit.candidates import meanings
from sdckit.intruder import AttackerView
from sdckit.laws.blocks import Block
from sdckit.laws.learned_tables import learned_categories, learned_numbers
from sdckit.laws.release_law import RowClasses
from sdckit.laws.replays import Replay, moved, replays
from sdckit.laws.stand_in import stand_in
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe


def learned_blocks(
    view: AttackerView, chain: Recipe, known: Sequence[str], rows: RowClasses, rng: np.random.Generator, *, whole: bool
) -> list[Block]:
    """The law of the known attributes as replays show it; none where the recipe does not run again."""
    file = view.known
    done = replays(file, chain, view.released, rng) if whole else []
    if not done:
        whole, file = False, stand_in(view.known, view.released, rng)
        done = replays(file, chain, view.released, rng)
    if not done:
        return []
    return [_learned(view, file, done, name, rows, rng, whole=whole) for name in known]


def _learned(
    view: AttackerView,
    file: Microdata,
    done: Sequence[Replay],
    name: str,
    rows: RowClasses,
    rng: np.random.Generator,
    *,
    whole: bool,
) -> Block:
    """The law of one attribute as the replays show it; record by record where they are of the known records."""
    before, known, released = file.columns[name], view.known.columns[name], view.released.columns[name]
    if not view.released.attribute(name).coded:
        if view.error:  # what the intruder would know of these values
            before = before + view.error * np.nanstd(before) * rng.standard_normal(len(before))
        pairs = [(moved(again, name), again.masked.columns[name]) for again in done]
        return learned_numbers(name, before, pairs, known, released, rows.first, by_record=whole)
    codes = [column.astype(np.int64) for column in (before, known, released)]
    after = [moved(again, name).astype(np.int64) for again in done]
    fine = len(view.original.attribute(name).categories or ())
    covers = meanings(view.released.attribute(name), fine)
    return learned_categories(name, codes[0], after, codes[1], codes[2], rows.first, covers=covers, by_record=whole)
