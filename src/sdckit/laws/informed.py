"""The law of an intruder who knows the recipe: each attribute by the best law that method and parameters allow."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates, Groups, meanings
from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.row_constraints import present_values
from sdckit.laws.blocks import Block, Deviations, Equality, Intervals, Table
from sdckit.laws.closed import closed_blocks
from sdckit.laws.determined import determined_blocks
from sdckit.laws.holes import hole_blocks
from sdckit.laws.learned_tables import learned_categories, learned_numbers
from sdckit.laws.release_law import ReleaseLaw, RowClasses, Source
from sdckit.laws.replays import Replay, replay, replays
from sdckit.laws.stand_in import stand_in
from sdckit.laws.values import SAME, equal_codes
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step
from sdckit.row_sets import Constraints
from sdckit.rows import Rows

DOUBT = 1e-3  # of a replay: that ties were broken in another order
FAILED = 0.5  # share of the records in groups of another size than in the release: the replay was another


def informed_law(view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
    """The release law, from what the intruder sees: the recipe, the release and the known records."""
    recipe = view.published_recipe
    rows = RowClasses.by(view.released, view.attributes)
    touched = recipe.touched(view.released)
    blocks: list[Block] = []
    sources: dict[str, Source] = {}
    exact = view.everyone and view.exact
    for steps in components(touched, recipe):
        chain = Recipe(tuple(Step(recipe.steps[step].masking, touched[step]) for step in steps))
        moving = [step for step in steps if recipe.steps[step].masking.rows is Rows.KEPT]
        names = tuple(dict.fromkeys(name for step in moving for name in touched[step]))
        known = [name for name in view.attributes if name in names]
        if not known:
            continue
        found, source, sure = _law_of(view, chain, names, known, rows, rng)
        blocks += found
        sources |= dict.fromkeys(known, source)
        exact &= sure
    for name in view.attributes:
        if name not in sources:
            blocks.append(untouched(view, name, rows))
            sources[name] = Source.UNTOUCHED
    changed = [name for name, source in sources.items() if source is not Source.UNTOUCHED]
    blocks += promised(view, rows, changed)
    blocks += hole_blocks(view, rows)
    return ReleaseLaw(len(view), rows, tuple(blocks), {name: sources[name] for name in view.attributes}, exact)


def components(touched: Sequence[Sequence[str]], recipe: Recipe) -> list[list[int]]:
    """The steps that are connected because they mask the same attribute, in order, with the samplings before them."""
    samplings = [number for number, step in enumerate(recipe.steps) if step.masking.rows is not Rows.KEPT]
    groups: list[list[int]] = []
    for number, names in enumerate(touched):
        if number in samplings:
            continue
        near = [group for group in groups if any(not set(names).isdisjoint(touched[other]) for other in group)]
        joined = sorted([number, *(other for group in near for other in group)])
        groups = [*(group for group in groups if group not in near), joined]
    return [sorted([*(each for each in samplings if each < group[-1]), *group]) for group in sorted(groups)]


def untouched(view: AttackerView, name: str, rows: RowClasses) -> Block:
    """A value that was released unchanged; a hole that the record does not have is impossible.

    Where the intruder knows it with an error, it is near; where it comes from a file of another source, mostly equal.
    """
    known, released = view.known.columns[name], view.released.columns[name]
    if view.error and not view.released.attribute(name).coded:
        deviation = max(view.error * float(np.nanstd(released)), 1e-300)
        return Deviations((name,), (known / deviation)[:, None], (released[rows.first] / deviation)[:, None])
    of_record, of_row = equal_codes(known, released)
    if view.exact or view.error:
        return Equality((name,), of_record, of_row[rows.first], np.full(len(rows.sizes), -np.inf))
    share = np.bincount(of_row[of_row >= 0], minlength=int(of_row.max(initial=0)) + 1) / max(len(of_row), 1)
    otherwise = np.log(DOUBT * np.where(of_row < 0, 1.0, share[of_row]))
    return Equality((name,), of_record, of_row[rows.first], otherwise[rows.first])


def _law_of(
    view: AttackerView,
    chain: Recipe,
    names: Sequence[str],
    known: Sequence[str],
    rows: RowClasses,
    rng: np.random.Generator,
) -> tuple[list[Block], Source, bool]:
    """The law of the attributes that a chain of steps masks, and whether it is the exact law of each record."""
    determined = determined_blocks(view, chain, known, rows)
    if determined is not None:
        return determined, Source.EXACT, True
    if len(chain.steps) == 1 and (view.exact or view.error):
        closed = closed_blocks(chain.steps[0].masking, view, chain.steps[0].attributes, rows)
        if closed is not None:
            return closed[0], Source.EXACT, closed[1]
    whole = view.everyone and view.exact and set(names) <= set(view.attributes)
    # Values that are not known change what a method that groups records does with the others.
    whole &= not view.holes or all(step.masking.columnwise for step in chain.steps)
    read = {each for step in chain.steps for each in step.masking.also_reads(view.released, step.attributes)}
    whole &= read <= set(view.attributes)
    file = view.known
    first = [again for _ in range(2) if whole and (again := replay(file, chain, view.released, rng)) is not None]
    if not first:
        whole, file = False, stand_in(view.known, view.released, rng)
    if whole and not view.holes and len(first) == 2 and same(first[0], first[1], known):
        replayed = replayed_equality(view, first[0], known, rows)
        if replayed:
            return replayed, Source.REPLAYED, False
    done = replays(file, chain, view.released, rng, first)
    if not done:
        return [], Source.LEARNED, False
    return [_learned(view, file, done, name, rows, rng, whole=whole) for name in known], Source.LEARNED, False


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
        pairs = [(_moved(again, name), again.masked.columns[name]) for again in done]
        return learned_numbers(name, before, pairs, known, released, rows.first, by_record=whole)
    codes = [column.astype(np.int64) for column in (before, known, released)]
    after = [_moved(again, name).astype(np.int64) for again in done]
    fine = len(view.original.attribute(name).categories or ())
    covers = meanings(view.released.attribute(name), fine)
    return learned_categories(name, codes[0], after, codes[1], codes[2], rows.first, covers=covers, by_record=whole)


def _moved(again: Replay, name: str) -> NDArray[Any]:
    """What became of each record's value; missing where the record has no row."""
    column = again.masked.columns[name]
    moved: NDArray[Any] = column[again.row_of].copy()
    moved[again.row_of < 0] = -1 if again.masked.attribute(name).coded else np.nan
    return moved


def same(one: Replay, other: Replay, names: Sequence[str]) -> bool:
    """Whether two replays gave the same."""
    if not np.array_equal(one.row_of, other.row_of):
        return False
    return all(
        np.allclose(one.masked.columns[name], other.masked.columns[name], rtol=SAME, atol=0, equal_nan=True)
        for name in names
    )


def replayed_equality(view: AttackerView, again: Replay, names: Sequence[str], rows: RowClasses) -> list[Block]:
    """Record and row are in the same group of the replay; empty where the release is not what the replay gives.

    A group that has as many records as rows is certain. Others come from ties that were broken in another order: among
    these the equality is likely, not certain.
    """
    of_record, of_row = [], []
    for name in names:
        mine, theirs = equal_codes(_moved(again, name), view.released.columns[name])
        of_record.append(mine)
        of_row.append(theirs)
    groups = class_of(np.concatenate([np.column_stack(of_record), np.column_stack(of_row)])).of
    own, row = groups[: len(view)], groups[len(view) :]
    count = int(groups.max()) + 1
    people, places = np.bincount(own, minlength=count), np.bincount(row, minlength=count)
    fits = people == places if len(view) == len(view.released) else people >= places
    if fits[own].mean() < 1 - FAILED:
        return []
    certain = np.where(fits, np.arange(count), count)
    share = np.bincount(row, minlength=count)[row] / len(row)
    label = tuple(names)
    first = rows.first
    blocks: list[Block] = [Equality(label, certain[own], certain[row][first], np.full(len(first), -np.inf))]
    if not fits[own].all():
        blocks.append(Equality(label, own, row[first], np.log(DOUBT * share[first])))
    return blocks


def promised(view: AttackerView, rows: RowClasses, names: Sequence[str]) -> list[Block]:
    """What the recipe makes impossible of some attributes: values outside an interval or a set of categories."""
    if not view.exact:
        return []
    known = Candidates.known(view.known, view.attributes, complete=view.everyone, original=view.original)
    possible = view.published_recipe.candidates(known, view.released)
    if possible is None:
        return []
    possible = possible.promised().only(names)
    given = Constraints.of(possible, view.released)
    values = present_values(given.values, given.missing_fits)[rows.first]
    numbers = tuple(name for name in possible.lower if name in view.released)
    blocks: list[Block] = [Intervals(numbers, given.lower, given.upper, values)] if numbers else []
    blocks += [_promised_runs(group, rows, names) for group in possible.groups if _in_runs(group)]
    return blocks + [
        _promised_categories(view, name, possible, rows) for name in possible.allowed if name in view.released
    ]


def _in_runs(group: Groups) -> bool:
    """Whether the groups of every record are consecutive, as along an axis."""
    within = np.ones(len(group.listed), bool)
    within[group.starts[:-1][np.diff(group.starts) > 0]] = False
    return bool((np.diff(group.listed, prepend=0)[within] == 1).all())


def _promised_runs(group: Groups, rows: RowClasses, names: Sequence[str]) -> Intervals:
    """Classes of rows none of whose groups is in the run of the record are impossible."""
    least, most = np.full(len(rows.sizes), np.inf), np.full(len(rows.sizes), -np.inf)
    np.minimum.at(least, rows.of, group.of_row)
    np.maximum.at(most, rows.of, group.of_row)
    filled = np.diff(group.starts) > 0
    first, last = np.full(len(filled), np.inf), np.full(len(filled), -np.inf)
    first[filled] = group.listed[group.starts[:-1][filled]]
    last[filled] = group.listed[group.starts[1:][filled] - 1]
    open_end = np.full(len(filled), np.inf)
    return Intervals(
        tuple(names),
        np.column_stack([-open_end, first]),
        np.column_stack([last, open_end]),
        np.column_stack([least, most]),
    )


def _promised_categories(view: AttackerView, name: str, possible: Candidates, rows: RowClasses) -> Table:
    """The categories that a record can have: impossible ones, and a hole where none can be."""
    patterns, of_record = np.unique(possible.allowed[name], axis=0, return_inverse=True)
    released = view.released.columns[name].astype(np.int64)[rows.first]
    columns = max(len(view.released.attribute(name).categories or ()), patterns.shape[1])
    entries = np.full((len(patterns), columns + 1), -np.inf)
    entries[:, : patterns.shape[1]][patterns] = 0.0
    entries[:, columns] = np.where(patterns.all(axis=1) | (name in possible.may_be_missing), 0.0, -np.inf)
    return Table((name,), entries, of_record.ravel().astype(np.int64), np.where(released < 0, columns, released))
