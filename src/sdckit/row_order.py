"""Row order: a release with its rows in another order, and what the order of the rows says about masked values.

In a file that is sorted by an attribute the masked values of neighbours estimate the same original value: an intruder
smooths them along the order (isotonic regression) and removes most of a noise. The rows of a file that is published
are therefore shuffled.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Level, Role
from sdckit.household_numbers import renumbered
from sdckit.kernels.serial_order import neighbour_agreement, neighbour_rank_correlation, share_in_one_direction
from sdckit.microdata import Kind, Microdata
from sdckit.release import Release
from sdckit.rows import NOBODY, Matched, Rows, Sampled, correspondence

TELLING = 0.5  # correlation of neighbouring rows from which their order is worth a warning
SORTED = 0.9  # share of neighbouring rows in one direction from which groups count as sorted
ENOUGH = 20  # pairs of rows: fewer rise or fall together by accident


@dataclass(frozen=True)
class OrderTrace:
    """A masked attribute that the order of the rows says something about.

    `correlation` is that of the original values in neighbouring rows; `within` names the column in whose groups the
    rows are sorted, where they are not sorted as a whole.
    """

    attribute: str
    correlation: float
    within: str | None = None

    def __str__(self) -> str:
        """The finding and the cure in one sentence."""
        return _sentence((self,))


def shuffled(release: Release, rng: np.random.Generator | None = None) -> Release:
    """The release with its rows in a random order, drawn from the operating system unless a generator is given.

    Its households are numbered anew: numbers that count through the original would put the rows back in order.
    """
    order = (rng or np.random.default_rng()).permutation(len(release.masked))
    masked = renumbered(replace(release.masked.take(order), lineage=None))
    rows = release.rows
    if isinstance(rows, Matched | Sampled):
        rows = correspondence(rows.origin[order], len(release.original))
    return replace(release, masked=masked, rows=rows)


def order_traces(release: Release) -> tuple[OrderTrace, ...]:
    """The masked attributes whose original values the order of the released rows shows; none where rows are unknown."""
    if not release.corresponds:
        return ()
    made = release.origin != NOBODY
    records = release.origin[made]
    masked = _masked_attributes(release)
    unmasked = release.masked.without([name for name in masked if name in release.masked])
    neighbours: dict[str, NDArray[np.bool_]] | None = None
    traces: list[OrderTrace] = []
    together = _masked_by_household(release)
    for name in masked:
        shown = _first_members(release.original, records) if name in together else records
        trace = _trace(release.original, name, shown)
        if trace is None and name not in together:
            neighbours = _neighbours(unmasked, made) if neighbours is None else neighbours
            trace = _trace_within(release.original, name, records, neighbours)
        traces += [] if trace is None else [trace]
    return tuple(traces)


def order_warnings(release: Release) -> list[str]:
    """One sentence on all attributes that the order of the rows shows, none where it shows nothing."""
    traces = order_traces(release)
    return [_sentence(traces)] if traces else []


def _sentence(traces: Sequence[OrderTrace]) -> str:
    """What the order of the rows shows, and the cure."""
    similar = [each for each in traces if each.within is None]
    names = ", ".join(repr(each.attribute) for each in similar)
    strength = " to ".join(dict.fromkeys(f"{end:.2f}" for end in _ends([each.correlation for each in similar])))
    found = [f"neighbouring rows have similar values of {names} (correlation {strength})"] if similar else []
    found += [f"the rows of each {each.within!r} are sorted by {each.attribute!r}" for each in traces if each.within]
    return (
        f"{' and '.join(found)}: the order of the rows shows what was masked, as an intruder can average neighbours; "
        "write the rows in a random order (`protect --shuffle-rows --key-out KEY`; `publish` does so)"
    )


def _ends(values: Sequence[float]) -> tuple[float, ...]:
    return (min(values), max(values)) if values else ()


def _masked_attributes(release: Release) -> tuple[str, ...]:
    """The attributes that the recipe masks, or that differ where there is none."""
    before, after = release.original, release.masked
    if release.recipe is not None:
        steps = zip(release.recipe.steps, release.recipe.touched(before), strict=True)
        touched = {name for step, names in steps if step.masking.rows is not Rows.SAMPLED for name in names}
        return tuple(each.name for each in before.attributes if each.name in touched and each.name in after)
    made = release.origin != NOBODY
    return tuple(
        name
        for name in release.shared_attributes()
        if not np.array_equal(
            before.columns[name][release.origin[made]],
            after.columns[name][made],
            equal_nan=not before.attribute(name).coded,
        )
    )


def _masked_by_household(release: Release) -> set[str]:
    """The attributes that are masked on household level alone: members have one value, which is no trace."""
    if release.recipe is None or not release.masked.names(role=Role.HOUSEHOLD):
        return set()
    touched = zip(release.recipe.steps, release.recipe.touched(release.original), strict=True)
    steps = [(step, names) for step, names in touched if step.masking.rows is Rows.KEPT]
    by_level = {
        level: {name for step, names in steps if step.masking.acts_on is level for name in names} for level in Level
    }
    return by_level[Level.HOUSEHOLD] - by_level[Level.RECORD]


def _first_members(original: Microdata, records: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first record of each household, in the order of the rows."""
    first = np.unique(original.units()[records], return_index=True)[1]
    return records[np.sort(first)]


def _trace(original: Microdata, name: str, records: NDArray[np.int64]) -> OrderTrace | None:
    seen = records[~original.absent(name)[records]]
    if len(seen) <= ENOUGH:
        return None
    column = original.columns[name][seen]
    attribute = original.attribute(name)
    ordered = not attribute.coded or bool(attribute.kind & Kind.ORDERED)
    found = (
        neighbour_rank_correlation(column.astype(np.float64))
        if ordered
        else neighbour_agreement(column.astype(np.int64))
    )
    return OrderTrace(name, found) if found >= TELLING else None


def _neighbours(unmasked: Microdata, made: NDArray[np.bool_]) -> dict[str, NDArray[np.bool_]]:
    """For each column with runs of one value, which rows have the same value as the next one."""
    found = {}
    for each in unmasked.attributes:
        column = unmasked.columns[each.name][made]
        same = column[1:] == column[:-1]
        if np.count_nonzero(same) > ENOUGH:
            found[each.name] = same
    return found


def _trace_within(
    original: Microdata, name: str, records: NDArray[np.int64], neighbours: dict[str, NDArray[np.bool_]]
) -> OrderTrace | None:
    """The first unmasked column in whose groups the rows are sorted by the attribute; None where there is none."""
    attribute = original.attribute(name)
    if attribute.coded and not attribute.kind & Kind.ORDERED:
        return None
    values = original.matrix([name])[records, 0]
    for column, same in neighbours.items():
        share, pairs = share_in_one_direction(values, same)
        if pairs > ENOUGH and share >= SORTED:
            return OrderTrace(name, share, column)
    return None
