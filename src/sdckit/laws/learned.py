"""The law learned by masking again what the intruder knows, or a file like it.

Each attribute has a table of what became of its values. Where a step masks several attributes at once, axes on which
these are near to the record's own are learned too, and how much each block counts is judged by replays, whose true
rows the intruder knows.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sdckit.candidates import meanings
from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.blocks import Block, Indices, Table
from sdckit.laws.evidence_weights import Trial, weighted, weights_of_blocks
from sdckit.laws.household_files import on_household_level, with_known_households, with_random_households
from sdckit.laws.joint_axes import JointAxis, MaskedAgain, Scale, joint_axes
from sdckit.laws.learned_equality import LearnedEquality, Unchanged, learned_equality
from sdckit.laws.learned_tables import FINE, LearnedCategories, LearnedNumbers, category_law, number_law
from sdckit.laws.release_law import RowClasses
from sdckit.laws.replayed_equality import always_equal
from sdckit.laws.replays import Replay, moved, replays
from sdckit.laws.stand_in import stand_in
from sdckit.laws.values import equal_codes
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.rows import Rows

GROUPED = 0.5  # share of the distinct values of a number that are left, up to which it is grouped
TRIALS = 3  # replays by which the weights of blocks are judged


def learned_blocks(
    view: AttackerView, chain: Recipe, known: Sequence[str], rows: RowClasses, rng: np.random.Generator, *, whole: bool
) -> list[Block] | None:
    """The law of the known attributes as replays show it; None where the recipe does not run again.

    It has no block where replays show that rows say nothing of their records.
    """
    by_household = on_household_level(chain)
    file = with_known_households(view) if by_household and whole else view.known
    done = replays(lambda: file, chain, view.released, rng) if whole else []
    if done and (equal := always_equal(view, done, known, rows)):
        return equal
    if not done:
        whole, size = False, max(len(view.original), len(view.released))

        def similar() -> Microdata:
            made = stand_in(view.known, view.released, rng, size)
            return with_random_households(made, view, chain, rng) if by_household else made

        done = replays(similar, chain, view.released, rng)
    if not done:
        return None
    tries = [replace(again, before=as_known(view, again.before, known, rng)) for again in done]
    judged = tries[-TRIALS:]
    learned_from = tries[:-TRIALS] if len(tries) >= 2 * TRIALS else tries
    single = [_learned(view, learned_from, name, whole=whole) for name in known]
    together = _masked_together(view, chain, known)
    axes = _axes(learned_from, together) if len(together) > 1 else []
    # Of numbers that are masked together, the axes show more than the single ones do.
    alone = [name for name in known if not view.released.attribute(name).coded and (not axes or name not in together)]
    fine = [_fine_table(learned_from, name, whole=whole) for name in alone]
    axes += [axis for name in alone if _grouped(learned_from, name) for axis in _axes(learned_from, (name,))]
    laws = [*single, *fine, *_equalities(learned_from, single)]
    unchanged = _read_unchanged(view, chain)
    trials = [
        Trial(
            _blocks(laws, axes, each.before, each.masked, each.before),
            each.row_of,
            None if unchanged is None else _equal_values(each, unchanged, known),
        )
        for each in judged
    ]
    first = [0.0 if law in fine else 1.0 for law in laws] + [0.0] * len(axes)
    weights = weights_of_blocks(trials, np.array(first), rng)
    blocks = _blocks(laws, axes, view.known, view.released, view.original, rows.first)
    parts = [weighted(block, weight) for block, weight in zip(blocks, weights, strict=True) if weight > 0]
    return [block for part in parts for block in part]


def _read_unchanged(view: AttackerView, chain: Recipe) -> list[str] | None:
    """The known attributes that no step changes, where the chain reads such ones; None where it reads none.

    Where the intruder knows values with an error, nothing has to be equal.
    """
    recipe = view.published_recipe
    changed = {name for names in recipe.touched(view.released) for name in names}
    read = {name for step in chain.steps for name in step.masking.also_reads(view.released, step.attributes)}
    if not view.exact or view.holes or read <= changed:
        return None
    return [name for name in view.attributes if name not in changed]


def _equal_values(again: Replay, names: Sequence[str], masked: Sequence[str]) -> tuple[Indices, Indices] | None:
    """A code of each record and of each row of a replay: equal where the unchanged attributes are.

    Of masked attributes it shows which values are missing, where these stay missing; None where nothing is unchanged.
    """
    pairs = [equal_codes(again.before.columns[name], again.masked.columns[name]) for name in names]
    for name in masked:
        holes = again.before.absent(name), again.masked.absent(name)
        if holes[0].any() and np.array_equal(holes[1][again.row_of], holes[0]):
            pairs.append((holes[0].astype(np.int64), holes[1].astype(np.int64)))
    if not pairs:
        return None
    both = np.concatenate([np.column_stack([pair[side] for pair in pairs]) for side in (0, 1)])
    of = class_of(both).of
    return of[: len(again.before)], of[len(again.before) :]


def as_known(view: AttackerView, file: Microdata, names: Sequence[str], rng: np.random.Generator) -> Microdata:
    """The file as the intruder would know it: numbers have the intruder's error, and as many values are not known."""
    columns = {}
    for name in names:
        values, coded = file.columns[name], file.attribute(name).coded
        if view.error and not coded:
            values = values + view.error * np.nanstd(values) * rng.standard_normal(len(values))
        if view.holes:
            values = np.where(rng.random(len(values)) < view.known.absent(name).mean(), -1 if coded else np.nan, values)
        columns[name] = values
    return file.with_columns(columns)


def _learned(
    view: AttackerView, tries: Sequence[Replay], name: str, *, whole: bool
) -> LearnedNumbers | LearnedCategories:
    """The law of one attribute as the replays show it; record by record where they are of the known records."""
    if not view.released.attribute(name).coded:
        pairs = [(moved(again, name), again.masked.columns[name]) for again in tries]
        return number_law(name, [again.before.columns[name] for again in tries], pairs, by_record=whole)
    start = [_codes(again.before, name) for again in tries]
    after = [moved(again, name).astype(np.int64) for again in tries]
    known, released = _codes(view.known, name), _codes(view.released, name)
    covers = meanings(view.released.attribute(name), len(view.original.attribute(name).categories or ()))
    return category_law(name, start, after, known, released, covers=covers, by_record=whole)


def _fine_table(tries: Sequence[Replay], name: str, *, whole: bool) -> LearnedNumbers:
    """A finer table of a number: it shows more where values move little, and less where replays are few."""
    pairs = [(moved(again, name), again.masked.columns[name]) for again in tries]
    return number_law(name, [again.before.columns[name] for again in tries], pairs, by_record=whole, most=FINE)


def _equalities(tries: Sequence[Replay], laws: Sequence[LearnedNumbers | LearnedCategories]) -> list[LearnedEquality]:
    """Of each number, how often it is unchanged, where replays show that."""
    found = []
    for law in laws:
        if isinstance(law, LearnedNumbers):
            pairs = [(moved(again, law.name), again.masked.columns[law.name]) for again in tries]
            found.append(learned_equality(law, [again.before.columns[law.name] for again in tries], pairs))
    return [each for each in found if each is not None]


def _masked_together(view: AttackerView, chain: Recipe, known: Sequence[str]) -> tuple[str, ...]:
    """The known numbers that some step masks together with others; leaving values out moves none of them."""
    moving = [step for step in chain.steps if step.masking.rows is Rows.KEPT and not step.masking.leaves_out]
    joint = [step for step in moving if not step.masking.columnwise]
    together = {name for step in joint if len(step.attributes) > 1 for name in step.attributes}
    return tuple(name for name in known if name in together and not view.released.attribute(name).coded)


def _grouped(tries: Sequence[Replay], name: str) -> bool:
    """Whether few values stand for many: the nearest of them then shows more than a rank does."""
    again = tries[0]
    values = [file.columns[name][~file.absent(name)] for file in (again.before, again.masked)]
    before, after = (len(np.unique(each)) for each in values)
    return 1 < after < GROUPED * before


def _axes(tries: Sequence[Replay], names: tuple[str, ...]) -> list[JointAxis]:
    """The axes of numbers that are masked together."""
    trials = []
    for again in tries:
        scale = Scale.of(again.before.matrix(names))
        after = np.column_stack([moved(again, name) for name in names])
        trials.append(MaskedAgain(scale(again.before.matrix(names)), scale(after), scale(again.masked.matrix(names))))
    return joint_axes(names, trials)


def _blocks(
    single: Sequence[LearnedNumbers | LearnedCategories | LearnedEquality],
    axes: Sequence[JointAxis],
    known: Microdata,
    released: Microdata,
    original: Microdata,
    rows: Indices | slice = slice(None),
) -> list[Table | Unchanged]:
    """All laws for the records of one file and some rows of another; `original` gives the scale of the axes."""
    blocks: list[Table | Unchanged] = []
    for each in single:
        if isinstance(each, LearnedEquality):
            blocks.append(each.blocks(known.columns[each.name], released.columns[each.name], rows))
        elif isinstance(each, LearnedNumbers):
            blocks.append(each.table(known.columns[each.name], released.columns[each.name], rows))
        else:
            blocks.append(each.table(_codes(known, each.name), _codes(released, each.name), rows))
    for axis in axes:
        scale = Scale.of(original.matrix(axis.names))
        blocks.append(axis.table(scale(known.matrix(axis.names)), scale(released.matrix(axis.names)[rows])))
    return blocks


def _codes(file: Microdata, name: str) -> Indices:
    codes: Indices = file.columns[name].astype(np.int64)
    return codes
