"""Replays: an intruder who knows the recipe applies it again, to see what becomes of records like those released."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import ObservedDraws
from sdckit.errors import SdcError
from sdckit.laws.blocks import Indices
from sdckit.laws.values import SAME
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step
from sdckit.release import aligned

PAIRS = 20_000  # records and what became of them, which a law is learned from
MOST = 30  # replays
FEWEST = 3


@dataclass(frozen=True, eq=False)
class Replay:
    """A file masked again: the masked rows, the row of each record of the file (−1: none), and the file itself.

    `drawn` says that random numbers were drawn: other numbers may give another result, even where few of them do.
    """

    masked: Microdata
    row_of: Indices
    before: Microdata
    drawn: bool = False


def replay(file: Microdata, recipe: Recipe, released: Microdata, rng: np.random.Generator) -> Replay | None:
    """Mask a file again, in the codes of the release; None where the recipe does not run on it."""
    steps = [Step(step.masking, tuple(name for name in step.attributes if name in file)) for step in recipe.steps]
    if not all(step.attributes for step in steps):
        return None
    draws = ObservedDraws.from_generator(rng)
    try:
        masked = Recipe(tuple(steps)).protect(replace(_as_precise(file, released), lineage=None), draws=draws)
    except SdcError:
        return None
    row_of = np.arange(len(file))
    if masked.lineage is not None:
        row_of = np.full(len(file), -1, dtype=np.int64)
        row_of[masked.lineage] = np.arange(len(masked))
    names = [each.name for each in masked.attributes if each.name in released]
    return Replay(_in_codes_of(released, masked.only(names)), row_of, file, draws.used)


def _in_codes_of(released: Microdata, masked: Microdata) -> Microdata:
    """The replayed file in the codes of the release; numbers that no step has recoded yet are no bands."""
    same = aligned(masked, released)
    unbanded = [
        each
        for each in masked.attributes
        if each.bands is None and not each.coded and same.attribute(each.name).bands is not None
    ]
    return same.with_columns({}, unbanded)


def _as_precise(file: Microdata, released: Microdata) -> Microdata:
    """The file, to be published with all decimals where the release has more of them than the file declares."""
    finer = [
        replace(each, decimals=None, mean_decimals=None)
        for each in file.attributes
        if each.name in released and not each.coded
        if (decimals := each.mean_decimals if each.decimals is None else each.decimals) is not None
        if not np.allclose(
            values := released.columns[each.name], np.round(values, decimals), rtol=1e-12, atol=0, equal_nan=True
        )
    ]
    return file.with_columns({}, finer)


def replays(
    files: Callable[[], Microdata], recipe: Recipe, released: Microdata, rng: np.random.Generator
) -> list[Replay]:
    """As many replays as a law is learned from, each of a file that is made for it."""
    done: list[Replay] = []
    wanted = FEWEST
    while len(done) < wanted:
        file = files()
        again = replay(file, recipe, released, rng)
        if again is None:
            break
        done.append(again)
        wanted = max(FEWEST, min(MOST, -(-PAIRS // max(len(file), 1))))
    return done


def same(one: Replay, other: Replay, names: Sequence[str]) -> bool:
    """Whether two replays gave the same."""
    if not np.array_equal(one.row_of, other.row_of):
        return False
    return all(
        np.allclose(one.masked.columns[name], other.masked.columns[name], rtol=SAME, atol=0, equal_nan=True)
        for name in names
        if name in one.masked
    )


def moved(again: Replay, name: str) -> NDArray[Any]:
    """What became of each record's value; missing where the record has no row."""
    column = again.masked.columns[name]
    moved: NDArray[Any] = column[again.row_of].copy()
    moved[again.row_of < 0] = -1 if again.masked.attribute(name).coded else np.nan
    return moved
