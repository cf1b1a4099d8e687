"""The law of an intruder who knows the recipe: each attribute by the best law that method and parameters allow."""

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.laws.blocks import Block, Deviations, Equality
from sdckit.laws.chain_law import chain_law, components
from sdckit.laws.holes import hole_blocks, suppressed_attributes
from sdckit.laws.promises import promised
from sdckit.laws.release_law import ReleaseLaw, RowClasses, Source
from sdckit.laws.replayed_equality import DOUBT
from sdckit.laws.unknown_values import margins
from sdckit.laws.values import equal_codes
from sdckit.recipe import Recipe, Step
from sdckit.release import Release
from sdckit.rows import Rows

KEPT = 50_000  # known records up to which a law is kept for another attack: bounds memory


def informed_law_once(release: Release, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
    """The release law, which attacks on one release by one intruder who knows every record have in common.

    Attacks draw by the content of the files, so that the same draws are those of the same knowledge.
    """
    sequence = rng.bit_generator.seed_seq
    if len(view) > KEPT or not view.everyone or not isinstance(sequence, np.random.SeedSequence):
        return informed_law(view, rng)
    knowledge = view.attributes, view.exact, view.error, view.holes, view.recipe is None
    label = ("informed law", *knowledge, sequence.entropy, sequence.spawn_key)
    return release.computed_once(label, lambda: informed_law(view, rng))


def informed_law(view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
    """The release law, from what the intruder sees: the recipe, the release and the known records."""
    recipe = view.published_recipe
    rows = RowClasses.by(view.released, view.attributes)
    touched = recipe.touched(view.released)
    blocks: list[Block] = []
    sources: dict[str, Source] = {}
    exact = view.everyone and view.exact
    for steps in components(recipe, view.released):
        chain = _that_matter(view, tuple(Step(recipe.steps[step].masking, touched[step]) for step in steps))
        for part in chain_law(view, Recipe(chain), rows, rng) if chain else ():
            blocks += part.blocks
            sources |= dict.fromkeys(part.names, part.source)
            exact &= part.exact
    for name in view.attributes:
        if name not in sources:
            blocks.append(untouched(view, name, rows))
            sources[name] = Source.UNTOUCHED
    changed = [name for name, source in sources.items() if source is not Source.UNTOUCHED]
    blocks += promised(view, rows, changed)
    blocks += hole_blocks(view, rows, suppressed_attributes(recipe, view.released))
    blocks += margins(view, rows, blocks)
    return ReleaseLaw(len(view), rows, tuple(blocks), {name: sources[name] for name in view.attributes}, exact)


def law_of_no_masking(view: AttackerView) -> ReleaseLaw:
    """The release law of a file that was published as it is: every value untouched."""
    rows = RowClasses.by(view.released, view.attributes)
    blocks: list[Block] = [untouched(view, name, rows) for name in view.attributes]
    blocks += hole_blocks(view, rows)
    blocks += margins(view, rows, blocks)
    sources = dict.fromkeys(view.attributes, Source.UNTOUCHED)
    return ReleaseLaw(len(view), rows, tuple(blocks), sources, view.everyone and view.exact)


def _that_matter(view: AttackerView, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """The steps, on the known attributes alone where each attribute is masked by itself: the others show nothing."""
    moving = [step for step in steps if step.masking.rows is Rows.KEPT]
    if any(not step.masking.columnwise or step.masking.also_reads(view.released, step.attributes) for step in moving):
        return steps
    known = [
        step
        if step not in moving
        else Step(step.masking, tuple(name for name in step.attributes if name in view.attributes))
        for step in steps
    ]
    return tuple(step for step in known if step.attributes or step.masking.rows is not Rows.KEPT)


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
