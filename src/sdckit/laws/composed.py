"""Composed laws: attributes that a chain masks each by itself, whose steps have closed laws that can be joined."""

from sdckit.intruder import AttackerView
from sdckit.laws.blocks import Block
from sdckit.laws.closed import closed_blocks
from sdckit.laws.composed_categories import composed_categories
from sdckit.laws.composed_numbers import composed_numbers
from sdckit.laws.determined import determined_blocks
from sdckit.laws.household_files import needed
from sdckit.laws.release_law import RowClasses
from sdckit.recipe import Recipe, Step
from sdckit.rows import Rows


def composed_blocks(view: AttackerView, chain: Recipe, name: str, rows: RowClasses) -> tuple[list[Block], bool] | None:
    """The law of one attribute after a chain, and whether it is exact; None where there is none in closed form."""
    if not (view.exact or view.error) or not _by_itself(view, chain, name):
        return None
    own = tuple(step for step in chain.steps if step.masking.rows is Rows.KEPT and name in step.attributes)
    alone = tuple(Step(step.masking, (name,)) for step in own)
    determined = determined_blocks(view, Recipe(alone), [name], rows)
    if determined is not None:
        return determined, True
    sampled = any(step.masking.rows is not Rows.KEPT for step in chain.steps[: chain.steps.index(own[0])])
    if len(own) == 1:
        return closed_blocks(own[0].masking, view, (name,), rows, sampled=sampled)
    read = {name, *needed(own[0].masking, view, (name,))}
    whole = view.everyone and view.exact and not view.holes and not sampled and read <= set(view.attributes)
    if not view.released.attribute(name).coded:
        return composed_numbers(view, alone, name, rows, whole=whole)
    table = composed_categories(view, [step.masking for step in own], name, rows, whole=whole)
    return None if table is None else ([table[0]], table[1])


def _by_itself(view: AttackerView, chain: Recipe, name: str) -> bool:
    """Whether every step that masks the attribute does so by what it and the original say alone."""
    changed: set[str] = set()
    for step in chain.steps:
        if step.masking.rows is not Rows.KEPT:
            continue
        if name in step.attributes:
            read = set(step.masking.also_reads(view.released, step.attributes)) - {name}
            if not step.masking.columnwise or read & changed:
                return False
        changed |= set(step.attributes)
    return True
