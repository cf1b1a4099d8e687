"""The row–row law between two releases of one file: how likely two rows are those of the same person.

By the recipes, where both are known: an attribute that the first release left unchanged has the law of the other
recipe; one that it changed is learned by masking a similar file by both. Without the recipes the law is fitted to the
two releases, as an intruder does who does not know the method. Which rows belong together is never used.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView, Intruder
from sdckit.laws.agreement_fit import agreement_law
from sdckit.laws.blocks import Block, Equality
from sdckit.laws.informed import informed_law
from sdckit.laws.learned_tables import learned_categories, learned_numbers
from sdckit.laws.release_law import ReleaseLaw, RowClasses, Source
from sdckit.laws.replays import MOST, PAIRS, Replay, replay
from sdckit.laws.several import of_rows
from sdckit.laws.stand_in import stand_in
from sdckit.laws.values import equal_codes
from sdckit.microdata import Role
from sdckit.release import Release
from sdckit.rows import Unknown

DOUBT = 1e-3  # that values which are equal whenever both recipes are tried out are not
NEAR = (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5)  # positions that a row is compared with, to see whether files are in order
CLEARLY = 6.0  # standard errors by which rows in the same position fit better than near ones
IMPOSSIBLE = -30.0  # what an impossible pair counts in this comparison


def fitted_row_law(view: AttackerView, other: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
    """The law fitted to the two releases: its records are the rows of the first."""
    return agreement_law(_rows_as_records(view, other), rng)


def published_row_law(view: AttackerView, other: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
    """The law by the two recipes, or fitted where one of them is not known."""
    rows = _rows_as_records(view, other)
    if view.recipe is None or other.recipe is None:
        return agreement_law(rows, rng)
    changed = {name for names in view.recipe.touched(view.released) for name in names}
    learned = [name for name in rows.attributes if name in changed]
    unchanged = [name for name in rows.attributes if name not in changed]
    classes = RowClasses.by(rows.released, rows.attributes)
    blocks: list[Block] = []
    if unchanged:
        law = informed_law(rows.only(unchanged), rng)
        blocks += [of_rows(block, law.rows.of[classes.first]) for block in law.blocks]
    if learned:
        tried = _tried_out(view, other, rng)
        if not tried:
            return agreement_law(rows, rng)
        blocks += [_learned(rows, name, tried, classes) for name in learned]
    return ReleaseLaw(len(rows), classes, tuple(blocks), dict.fromkeys(rows.attributes, Source.LEARNED))


def in_same_order(law: ReleaseLaw) -> bool:
    """Whether two releases list the same people in the same order: rows in one position fit better than near ones.

    Near ones and not any others, since two files may be sorted by an attribute and shuffled within its values.
    """
    count = law.records
    if count != len(law.rows.of) or count <= len(NEAR):
        return False
    position = np.arange(count)

    def fit(shift: int) -> NDArray[np.float64]:
        parts = law.of_pairs(position, law.rows.of[(position + shift) % count])
        return np.maximum(sum(parts.values(), np.zeros(count)), IMPOSSIBLE)

    gain = fit(0) - np.mean([fit(shift) for shift in NEAR], axis=0)
    return bool(gain.mean() > CLEARLY * gain.std() / np.sqrt(count))


def _rows_as_records(view: AttackerView, other: AttackerView) -> AttackerView:
    """The second release as one who has the first sees it: the rows of the first are the records that are known."""
    beside = Release(view.released, other.released, other.recipe, Unknown("the rows were released apart"))
    # The weights of a sample are not those of the file.
    names = [name for name in beside.shared_attributes() if view.released.attribute(name).role is not Role.WEIGHT]
    rows = Intruder(attributes=names).view(beside)
    return rows if len(view.released) == len(view.original) else replace(rows, original=view.original)


def _tried_out(view: AttackerView, other: AttackerView, rng: np.random.Generator) -> list[tuple[Replay, Replay]]:
    """A file like the original, masked by both recipes several times."""
    file = stand_in(view.known, view.released, rng)
    pairs = []
    for _ in range(min(MOST, -(-PAIRS // max(len(file), 1)))):
        here = replay(file, view.published_recipe, view.released, rng)
        there = replay(file, other.published_recipe, other.released, rng)
        if here is None or there is None:
            return []
        pairs.append((here, there))
    return pairs


def _learned(rows: AttackerView, name: str, tried: Sequence[tuple[Replay, Replay]], classes: RowClasses) -> Block:
    """The law of one attribute, by what both recipes made of the same value."""
    both = [(here.row_of >= 0) & (there.row_of >= 0) for here, there in tried]
    before, after = (
        np.concatenate([_values(pair[side], name, seen) for pair, seen in zip(tried, both, strict=True)])
        for side in (0, 1)
    )
    known, released = rows.known.columns[name], rows.released.columns[name]
    same = before == after if rows.released.attribute(name).coded else np.isclose(before, after, equal_nan=True)
    if same.all():
        of_record, of_row = equal_codes(known, released)
        share = np.bincount(of_row + 1) / len(of_row)
        return Equality((name,), of_record, of_row[classes.first], np.log(DOUBT * share[of_row + 1])[classes.first])
    if not rows.released.attribute(name).coded:
        column = np.concatenate([there.masked.columns[name] for _, there in tried])
        return learned_numbers(name, before, [(after, column)], known, released, classes.first)
    codes = [each.astype(np.int64) for each in (before, after, known, released)]
    return learned_categories(name, codes[0], [codes[1]], codes[2], codes[3], classes.first)


def _values(again: Replay, name: str, seen: NDArray[np.bool_]) -> NDArray[Any]:
    """The masked values of records that have a row."""
    values: NDArray[Any] = again.masked.columns[name][again.row_of[seen]]
    return values
