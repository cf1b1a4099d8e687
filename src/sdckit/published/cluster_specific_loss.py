"""Ladra and Torra (2008): do generic losses order maskings as the loss of a clustering does?

The source compares generic information losses with losses that are specific to fuzzy clustering, over several maskings.
Its figures are not at hand; a review by the same authors (2011, section 3.2) reports the question and names the
clusterings: fuzzy c-means, noise clustering, possibilistic and fuzzy possibilistic c-means. Here every masking of the
catalogue that suits Census is measured in both ways, and the two orders are compared by Spearman's correlation.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.catalogue import build, find
from sdckit.datasets import census
from sdckit.errors import SdcError
from sdckit.evaluation.sweep import plan
from sdckit.kernels.ranks import mid_ranks
from sdckit.measure import Measure
from sdckit.microdata import Microdata, Role
from sdckit.published.reproduction import Finding, Reproduction
from sdckit.recipe import Recipe
from sdckit.release import protect

CLUSTERINGS: Mapping[str, str] = {
    "FCM": "fuzzy-c-means(1.5)",
    "NC": "noise-clustering(1.5+1)",
    "PCM": "possibilistic-c-means(1.5)",
    "FPCM": "fuzzy-possibilistic-c-means(1.5+2)",
}
GENERIC: Mapping[str, str] = {
    "IL1s": "il1s",
    "IL2": "il2",
    "IL3": "il3",
    "IL4": "il4",
    "IL5": "il5",
    "PIL": "probabilistic-information-loss",
}
FLOOR = "floor"
CLUSTERS, STARTS, QUICK_STARTS = 5, 10, 3
SAME_ORDER = 0.999
CONVENTION = (
    "FCM, NC, PCM, FPCM are the losses by fuzzy c-means, noise clustering, possibilistic and fuzzy possibilistic "
    "c-means. Census, every masking of the catalogue that suits it, with its default parameters; 5 clusters on "
    "standardised attributes, the best of {starts} starts; the loss is the share of memberships that is in another "
    "cluster. "
    "The noise floor is the same figure between other starts and the best one on the original: a smaller loss says "
    "nothing."
)


def reproduce(seed: int = 1, *, quick: bool = False) -> Reproduction:
    """Mask, cluster and measure. Quick: the first masking of each family, and three starts."""
    data = census()
    data = data.only(data.names(role=Role.KEY))
    recipes = first_of_families(default_recipes(data)) if quick else default_recipes(data)
    starts = QUICK_STARTS if quick else STARTS
    rows = tuple(measured(data, recipes, seed, starts))
    convention = CONVENTION.format(starts=starts)
    return Reproduction("ladra2008", rows, tuple(findings(rows)), {}, convention, tuple(notes(rows)))


def measured(data: Microdata, recipes: Sequence[Recipe], seed: int, starts: int) -> Iterator[dict[str, Any]]:
    """The losses of each masking, one row each; maskings that decline the file are left out."""
    generic: dict[str, Measure] = {title: build("loss", name) for title, name in GENERIC.items()}
    specific: dict[str, Measure] = {
        title: build("loss", "fuzzy-clustering-loss", clustering=text, clusters=CLUSTERS, starts=starts)
        for title, text in CLUSTERINGS.items()
    }
    for recipe in recipes:
        try:
            release = protect(data, recipe, seed=seed)
            losses = {title: each.measure(release, seed=seed).value for title, each in generic.items()}
            scores = {title: each.measure(release, seed=seed) for title, each in specific.items()}
        except SdcError:
            continue
        floor = float(np.mean([score.baseline or 0.0 for score in scores.values()]))
        yield {
            "masking": recipe.steps[0].masking.name,
            **{title: round(score.value, 4) for title, score in scores.items()},
            FLOOR: round(floor, 4),
            **{title: round(value, 3) for title, value in losses.items()},
        }


def first_of_families(recipes: Sequence[Recipe]) -> list[Recipe]:
    """The first recipe of each family of maskings."""
    families = {find("masking", each.steps[0].masking.name).family: each for each in reversed(recipes)}
    return list(families.values())[::-1]


def default_recipes(data: Microdata) -> list[Recipe]:
    """Each masking that suits the file, with its default parameters."""
    recipes, _ = plan(data)
    return [Recipe.of(type(recipe.steps[0].masking)()) for recipe in unique(recipes)]


def unique(recipes: Sequence[Recipe]) -> list[Recipe]:
    """The first recipe of each masking."""
    return list({type(each.steps[0].masking): each for each in reversed(recipes)}.values())[::-1]


def correlation(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Spearman's correlation; 0 where one of the two is constant."""
    ranks = mid_ranks(np.column_stack([one, other]))
    if (np.ptp(ranks, axis=0) == 0).any():
        return 0.0
    return float(np.asarray(np.corrcoef(ranks.T))[0, 1])


def correlations(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], float]:
    """Spearman's correlation of each clustering's loss with each generic loss, over the maskings."""
    return {
        (title, name): correlation(*(np.array([row[key] for row in rows], dtype=float) for key in (title, name)))
        for title in CLUSTERINGS
        for name in GENERIC
    }


def findings(rows: Sequence[Mapping[str, Any]]) -> Iterator[Finding]:
    """What the review says, as far as it can be checked."""
    found = correlations(rows)
    yield Finding(
        "information loss depends on the use of the data: no generic loss orders the maskings as a clustering does",
        "section 3.2 of the review",
        max(found.values()) < SAME_ORDER,
    )


def notes(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """The correlations, and how many losses are below the noise floor."""
    found = correlations(rows)
    for title in CLUSTERINGS:
        listed = ", ".join(f"{name} {value:.2f}" for (each, name), value in found.items() if each == title)
        yield f"Spearman's correlation of the loss by {title} over {len(rows)} maskings: {listed}."
    below = sum(row["FCM"] < row[FLOOR] for row in rows)
    yield f"For {below} of {len(rows)} maskings the loss by fuzzy c-means is below the noise floor."
