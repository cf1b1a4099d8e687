"""The law of an intruder who knows the method but not its parameters: they are fitted to the two files.

Of the values that a sweep would try, those between them and some beyond, the ones are taken under which the release is
likeliest. The likelihood of a release is a sum over all matchings; its logarithm is approximated by the Bethe free
energy at the balanced shares.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np

from sdckit.errors import SdcError
from sdckit.intruder import AttackerView
from sdckit.laws.blocks import Deviations, Equality
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw
from sdckit.masking import Masking
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares
from sdckit.parameters import Parameter, parameters_of
from sdckit.recipe import Recipe, Step
from sdckit.rows import Rows

LISTED = 60  # candidate rows of a record that laws are compared by
ELSEWHERE = 1e-8  # weight of every other row beside the likeliest


def fitted_law(view: AttackerView, rng: np.random.Generator, *, at_most: bool = False) -> tuple[ReleaseLaw, Recipe]:
    """The law under the parameters that fit best, and the recipe with them.

    The published parameters are not used; with `at_most` they are known to be upper bounds.
    """
    published = view.published_recipe.steps
    maskings = [_first(step.masking, at_most=at_most) for step in published]
    best: tuple[float, ReleaseLaw] | None = None
    for number, step in enumerate(published):
        if step.masking.rows is not Rows.KEPT:  # how many rows a sample has is seen
            maskings[number] = step.masking
            continue
        for masking in _alternatives(maskings[number], step.masking, at_most=at_most):
            tried = [*maskings[:number], masking, *maskings[number + 1 :]]
            found = _tried(view, tried, rng)
            if found is not None and (best is None or found[0] > best[0]):
                best, maskings = found, tried
    recipe = _recipe(view, maskings)
    law = best[1] if best is not None else informed_law(replace(view, recipe=recipe), rng)
    return replace(law, exact=False), recipe


def log_likelihood(law: ReleaseLaw) -> float:
    """The approximate log-likelihood of the release under a law, by record."""
    found = law.candidates(LISTED)
    strangers = max(int(law.rows.sizes.sum()) - law.records, 0)
    graph = CandidateGraph.of(
        found.starts, found.classes, found.log_likelihood, law.rows.sizes, background=ELSEWHERE, strangers=strangers
    )
    of_class = balanced_shares(graph)
    share = of_class / graph.capacity[graph.classes]
    terms = np.where(share > 0, share * (found.log_likelihood - np.log(np.maximum(share, 1e-300))), 0.0)
    free = np.where(share < 1, (1 - share) * np.log(np.maximum(1 - share, 1e-300)), 0.0)
    listed = float((graph.capacity[graph.classes] * (terms + free)).sum())
    # What no candidate takes goes to rows that are not listed, each as unlikely as the background.
    sizes = np.diff(found.starts)
    record_of = np.repeat(np.arange(law.records), sizes)
    rest = np.clip(1 - np.bincount(record_of, weights=of_class, minlength=law.records), 0.0, 1.0)
    top = np.zeros(law.records)
    top[sizes > 0] = np.maximum.reduceat(found.log_likelihood, found.starts[:-1][sizes > 0]) if sizes.any() else 0.0
    unlisted = rest * (top + np.log(ELSEWHERE) - np.log(np.maximum(rest, 1e-300) / graph.row_count))
    return (listed + float(unlisted.sum())) / max(law.records, 1) + _constants(law)


def _constants(law: ReleaseLaw) -> float:
    """What the log-likelihoods of pairs leave out, by record: densities, and how rare a value is that must be equal."""
    total = 0.0
    equalities: dict[tuple[str, ...], float] = {}
    for block in law.blocks:
        if isinstance(block, Deviations):
            total += block.constant * float((~np.isnan(block.of_record)).any(axis=1).mean())
        elif isinstance(block, Equality) and not block.lift:  # a lift is relative to anybody's rows already
            present = block.of_row >= 0
            share = np.bincount(block.of_row[present], weights=law.rows.sizes[present]) / law.rows.sizes.sum()
            codes = block.of_record[(block.of_record >= 0) & (block.of_record < len(share))]
            rarity = -float(np.log(np.maximum(share[codes], 1e-9)).sum()) / max(law.records, 1)
            equalities[block.names] = max(rarity, equalities.get(block.names, 0.0))  # coarser codes say nothing more
    return total + sum(equalities.values())


def _tried(view: AttackerView, maskings: list[Masking], rng: np.random.Generator) -> tuple[float, ReleaseLaw] | None:
    try:
        law = informed_law(replace(view, recipe=_recipe(view, maskings)), rng)
    except SdcError:
        return None
    return log_likelihood(law), law


def _recipe(view: AttackerView, maskings: list[Masking]) -> Recipe:
    steps = zip(view.published_recipe.steps, maskings, strict=True)
    return Recipe(tuple(Step(masking, step.attributes) for step, masking in steps))


def _first(masking: Masking, *, at_most: bool) -> Masking:
    """The method with the parameters that an intruder would guess: their defaults, or their bounds."""
    guessed = {each.name: each.default for each in parameters_of(type(masking)) if each.grid}
    return masking if at_most else type(masking)(**(masking.parameters() | guessed))


def _alternatives(guess: Masking, published: Masking, *, at_most: bool) -> Iterator[Masking]:
    """The method with one parameter after the other at each value that is tried."""
    yield guess
    for each in parameters_of(type(guess)):
        for value in _values(each):
            if at_most and isinstance(value, int | float) and value > published.parameters()[each.name]:
                continue
            if value != guess.parameters()[each.name]:
                yield type(guess)(**(guess.parameters() | {each.name: value}))


def _values(parameter: Parameter) -> list[object]:
    """The values of the grid; of numbers also those between two of them, and some beyond both ends."""
    grid = list(parameter.grid)
    if parameter.type not in (int, float) or not all(isinstance(value, int | float) and value > 0 for value in grid):
        return grid
    ordered = sorted(grid)
    between = [np.sqrt(low * high) for low, high in pairwise(ordered)]
    wider = [ordered[0] / 2, *between, *(ordered[-1] * factor for factor in (1.5, 2, 3, 4))] if ordered else []
    low = -np.inf if parameter.low is None else parameter.low
    high = np.inf if parameter.high is None else parameter.high
    more = {parameter.type(np.clip(value, low, high)) for value in wider}
    return sorted({*ordered, *more})
