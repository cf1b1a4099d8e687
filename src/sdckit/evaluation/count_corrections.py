"""Corrections of counts: how many records had each category before it was changed at random.

The standard errors come from a parametric bootstrap, as for moments: a file is drawn from the corrected shares, masked
by the published recipe and corrected again. The matrix of an invariant PRAM is made of the frequencies of the file, so
it is made anew for each of these files; with the matrix of the released one the errors would be several times too
large.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sdckit.capabilities import CorrectsCounts, DrawsCounts
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.evaluation.corrections import FEWEST, MOST_VALUES, REPLICATES, Estimate, require_enough
from sdckit.masking import Masking
from sdckit.microdata import Attribute, Microdata
from sdckit.randomness import child, generator
from sdckit.recipe import Recipe

NORMAL = 1.96  # 97.5 % of a normal distribution lie below


def corrected_counts(
    masked: Microdata, recipe: Recipe, name: str, *, seed: int | None = None, replicates: int = REPLICATES
) -> list[Estimate]:
    """How many records had each category in the original, from the released file and the recipe.

    Standard errors come from a parametric bootstrap: a file of the same size is drawn from the corrected shares, masked
    by the published recipe and corrected again, many times. They are for the population of the original and include
    both the sampling error and the noise of the masking. Every released category occurs in every file that is drawn:
    into one that does not occur, PRAM moves nobody, so that a rare category would seem to be known without error.
    """
    require_enough(replicates)
    attribute = masked.attribute(name)
    if attribute.categories is None:
        raise SchemaError(f"{name!r} has numbers; counts are corrected for categories")
    steps = [
        step.masking for step, touched in zip(recipe.steps, recipe.touched(masked), strict=True) if name in touched
    ]
    codes = masked.columns[name][~masked.absent(name)]
    released = np.bincount(codes, minlength=len(attribute.categories))
    found = counts_corrected_through(steps, released, attribute)
    if np.isnan(found).any() or not len(codes):
        return [
            Estimate(str(category), float(released[c]), np.nan, np.nan, (np.nan, np.nan))
            for c, category in enumerate(attribute.categories)
        ]
    certain = (released > 0).astype(np.int64)  # one record each: a released category occurred, however few are found
    others = np.maximum(found - certain, 0.0)
    shares = others / others.sum() if others.any() else certain / certain.sum()
    stand_in = certain + (len(codes) - certain.sum()) * shares
    rng = child(generator(seed or 0), "counts")
    repeated = []
    for _ in range(min(replicates, max(FEWEST, MOST_VALUES // len(codes)))):
        drawn = certain + rng.multinomial(len(codes) - certain.sum(), shares)
        for masking in steps:
            drawn = counts_after(masking, drawn, attribute, rng)
        repeated.append(counts_corrected_through(steps, drawn, attribute))
    errors = np.array(repeated) - stand_in
    deviations = errors.std(axis=0, ddof=1)
    drawn_ends = found - np.quantile(errors, [0.975, 0.025], axis=0)
    score_ends = score_interval(found, deviations)
    low, high = np.minimum(drawn_ends[0], score_ends[0]), np.maximum(drawn_ends[1], score_ends[1])
    return [
        Estimate(
            str(category), float(released[c]), float(found[c]), float(deviations[c]), (float(low[c]), float(high[c]))
        )
        for c, category in enumerate(attribute.categories)
    ]


def score_interval(
    found: NDArray[np.float64], deviations: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The true counts that an estimate does not contradict, if its variance grows by one with the count (Wilson 1927).

    Files drawn from the estimate do not show this: where a rare category was found too seldom, it is seldom in all of
    them, and the interval would be too short.

    >>> [end.round(2).tolist() for end in score_interval(np.array([0.0]), np.array([0.0]))]
    [[0.0], [3.84]]
    """
    centre = found + NORMAL**2 / 2
    half = NORMAL * np.sqrt(deviations**2 + NORMAL**2 / 4)
    return centre - half, centre + half


def counts_after(
    masking: Masking, counts: NDArray[np.int64], attribute: Attribute, rng: np.random.Generator
) -> NDArray[np.int64]:
    """The counts of the categories after masking a file that has these counts."""
    if isinstance(masking, DrawsCounts):
        return masking.drawn_counts(attribute, counts, rng)
    masked = masking.protect(_file(counts, attribute), [attribute.name], draws=Draws.from_generator(rng))
    return np.bincount(masked.columns[attribute.name], minlength=len(counts))


def counts_corrected_through(
    maskings: Sequence[Masking], counts: NDArray[np.int64], attribute: Attribute
) -> NDArray[np.float64]:
    """Undo the maskings of an attribute on its counts, the last one first; NaN where one of them does not allow it."""
    corrected = counts.astype(np.float64)
    released = _file(counts, attribute)
    for masking in reversed(maskings):
        if not isinstance(masking, CorrectsCounts):
            return np.full_like(corrected, np.nan)
        corrected = masking.corrected_counts(released, corrected)
    return corrected


def _file(counts: NDArray[np.int64], attribute: Attribute) -> Microdata:
    """A file of one attribute with these counts."""
    return Microdata((attribute,), {attribute.name: np.repeat(np.arange(len(counts), dtype=np.int32), counts)})
