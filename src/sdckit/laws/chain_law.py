"""The law of a chain of steps that mask the same attributes: the best that method, parameters and knowledge allow.

Values that a map determines, a closed law or several that are joined, a replay of a deterministic method on the whole
file, or a law learned by masking again. Where the first steps are deterministic and the whole file is known, their
result is computed, and the law of the rest of the chain starts from it.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.intruder import AttackerView
from sdckit.laws.agreement_fit import agreement_law
from sdckit.laws.blocks import Block
from sdckit.laws.closed import closed_blocks
from sdckit.laws.composed import composed_blocks
from sdckit.laws.composed_noise import composed_noise
from sdckit.laws.determined import determined_blocks
from sdckit.laws.holes import hole_blocks, suppressed_attributes
from sdckit.laws.household_files import needed, on_household_level, with_known_households
from sdckit.laws.learned import learned_blocks
from sdckit.laws.promises import promised
from sdckit.laws.release_law import RowClasses, Source
from sdckit.laws.replayed_equality import replayed_equality
from sdckit.laws.replays import Replay, replay, same
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step
from sdckit.rows import Rows


class Part(NamedTuple):
    """The blocks of some attributes, where their law comes from, and whether it is exact for each record."""

    blocks: list[Block]
    names: list[str]
    source: Source
    exact: bool


def components(recipe: Recipe, released: Microdata) -> list[list[int]]:
    """The steps that depend on each other, in order, with all samplings: these change what a rank in the file means.

    Steps that mask the same attribute depend on each other, and so does a step that reads what an earlier one masked.
    """
    touched = recipe.touched(released)
    samplings = [number for number, step in enumerate(recipe.steps) if step.masking.rows is not Rows.KEPT]
    groups: list[list[int]] = []
    for number, (step, names) in enumerate(zip(recipe.steps, touched, strict=True)):
        if number in samplings:
            continue
        used = {*names, *step.masking.also_reads(released, names)}
        near = [group for group in groups if any(not used.isdisjoint(touched[other]) for other in group)]
        joined = sorted([number, *(other for group in near for other in group)])
        groups = [*(group for group in groups if group not in near), joined]
    return [sorted([*samplings, *group]) for group in sorted(groups)]


def chain_law(view: AttackerView, chain: Recipe, rows: RowClasses, rng: np.random.Generator) -> list[Part]:
    """The law of the known attributes that a chain of steps masks."""
    moving = [step for step in chain.steps if step.masking.rows is Rows.KEPT]
    names = tuple(dict.fromkeys(name for step in moving for name in step.attributes))
    known = [name for name in view.attributes if name in names]
    if not known:
        return []
    determined = determined_blocks(view, chain, known, rows)
    if determined is not None:
        return [Part(determined, known, Source.EXACT, True)]
    if len(moving) == 1 and (view.exact or view.error):
        sampled = chain.steps[0] is not moving[0]  # the file that entered the step is a part of the known one
        closed = closed_blocks(moving[0].masking, view, moving[0].attributes, rows, sampled=sampled)
        if closed is not None:
            return [Part(closed[0], known, Source.EXACT, closed[1])]
    together = _noise_together(view, chain, moving, known, rows) if len(moving) > 1 else None
    if together is not None:
        return [Part(together, known, Source.EXACT, False)]
    composed = []
    for name in known if len(moving) > 1 else ():
        found = composed_blocks(view, chain, name, rows)
        if found is not None:
            composed.append(Part(found[0], [name], Source.EXACT, found[1]))
    done = {name for part in composed for name in part.names}
    known = [name for name in known if name not in done]
    if not known:
        return composed
    whole = knows_whole(view, chain, names)
    if whole:
        parts = _after_replay(view, chain, known, rows, rng)
        if parts is not None:
            return [*composed, *parts]
    learned = learned_blocks(view, chain, known, rows, rng, whole=whole)
    if learned is None:  # the recipe does not run again: how well the two files agree is all that is left to learn
        learned = [block for block in agreement_law(view, rng).blocks if block.names[0] in known]
    return [*composed, Part(learned, known, Source.LEARNED, False)]


def _noise_together(
    view: AttackerView, chain: Recipe, moving: Sequence[Step], known: list[str], rows: RowClasses
) -> list[Block] | None:
    """The law of several steps of noise, at least one of which disturbs several attributes together."""
    masked = {name for step in moving for name in step.attributes}
    if not (view.exact or view.error) or masked != set(known) or all(step.masking.columnwise for step in moving):
        return None
    sampled = len(moving) < len(chain.steps)
    whole = view.everyone and view.exact and not view.holes and not sampled
    return composed_noise(view, moving, known, rows, whole=whole)


def knows_whole(view: AttackerView, chain: Recipe, names: Sequence[str]) -> bool:
    """Whether the intruder knows all that enters a chain: every value of every record, of all that it uses."""
    read = {each for step in chain.steps for each in needed(step.masking, view, step.attributes)}
    return view.everyone and view.exact and not view.holes and {*names, *read} <= set(view.attributes)


def _after_replay(
    view: AttackerView, chain: Recipe, known: list[str], rows: RowClasses, rng: np.random.Generator
) -> list[Part] | None:
    """The law where the first steps are deterministic: equality with their result, and the law of the rest given it.

    None where the first step is random, or the release shows that the replay was another.
    """
    done, again = _deterministic(view, chain, rng)
    if again is None:
        return None
    rest = Recipe(chain.steps[done:]) if done < len(chain.steps) else None
    later = {name for step in chain.steps[done:] if step.masking.rows is Rows.KEPT for name in step.attributes}
    final = [name for name in known if name not in later]
    parts = []
    if final:
        equal = replayed_equality(view, again, final, rows)
        if not equal:
            return None
        parts.append(Part(equal, final, Source.REPLAYED, False))
    if rest is None:
        return parts
    made = again.masked.only([each.name for each in again.masked.attributes if each.name in view.known])
    file = view.known.with_columns(made.columns, made.attributes)
    # The rest of the chain starts from this file: its categories, also coarser ones, are known and mean themselves.
    entered = view.original.with_columns(_in_order_of(view, made), made.attributes)
    advanced = replace(view, known=file, original=entered, recipe=rest)
    for steps in components(rest, view.released):
        for part in chain_law(advanced, Recipe(tuple(rest.steps[step] for step in steps)), rows, rng):
            more = [*part.blocks, *promised(advanced, rows, part.names)]
            suppressed = suppressed_attributes(advanced.published_recipe, advanced.released)
            more += hole_blocks(advanced.only(part.names), rows, suppressed)
            parts.append(part._replace(blocks=more, exact=False))
    return parts


def _in_order_of(view: AttackerView, made: Microdata) -> dict[str, NDArray[Any]]:
    """The columns that steps made of all known records, in the order of the original."""
    position = np.argsort(view.records)
    return {name: column[position] for name, column in made.columns.items()}


def _deterministic(view: AttackerView, chain: Recipe, rng: np.random.Generator) -> tuple[int, Replay | None]:
    """How many first steps are deterministic, and their result for every known record.

    Such a step draws nothing and gives the same twice. A step that draws is random even where two results agree: a
    local search on few records often ends in the same groups, and not always.
    """
    file = with_known_households(view) if on_household_level(chain) else view.known
    result = None
    for number, step in enumerate(chain.steps):
        if step.masking.rows is not Rows.KEPT:
            return number, result
        twice = [replay(file, Recipe((step,)), view.released, rng) for _ in range(2)]
        one, other = twice
        if one is None or other is None or one.drawn or not same(one, other, step.attributes):
            return number, result
        result = one
        file = file.with_columns(one.masked.columns, one.masked.attributes)
    return len(chain.steps), result
