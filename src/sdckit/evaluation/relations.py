"""Relations: what a release keeps of the strongest ones of the file, and whether that is more than shuffled keys do.

Shuffled keys have every distribution unchanged and no relation left: a release that keeps no more of the relations is
no better than tables of single attributes.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sdckit.catalogue import build
from sdckit.errors import NotApplicableError
from sdckit.evaluation.baselines import untouched
from sdckit.evaluation.risk_utility_map import NEARLY, NOTHING, RELATIONS
from sdckit.measure import Score
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.release import Release, protect


def strongest_relations(score: Score) -> tuple[Mapping[str, Any], ...]:
    """The strongest relations of the original with their association before and after, from the score of the loss."""
    return tuple(score.details.get("strongest", ()))


def loses_like_shuffled(score: Score) -> bool:
    """Whether about as much association is lost as in a file with shuffled keys; False where keys have no relation."""
    limit = NEARLY * float(score.details.get("shuffled", 0.0))
    return limit > NOTHING and score.value >= limit


def relations_after(data: Microdata, steps: Iterable[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """What the first draw of a recipe does to the strongest relations of the file; none where there are none."""
    if not sees_relations(data):
        return ()
    score = _measured(protect(data, Recipe.from_dict({"steps": list(steps)}), seed=0, allow_undeclared=True))
    return () if score is None else strongest_relations(score)


def keys_are_related(data: Microdata) -> bool:
    """Whether a key is related to another attribute beyond sampling error, so that shuffling keys loses something."""
    score = _measured(untouched(data, 0)) if sees_relations(data) else None
    return score is not None and score.details["shuffled"] > 0


def sees_relations(data: Microdata) -> bool:
    """Whether relations between attributes are measured: of a file of records."""
    return build("loss", RELATIONS).domain is type(data)


def _measured(release: Release) -> Score | None:
    try:
        score: Score = build("loss", RELATIONS).measure(release)
    except NotApplicableError:
        return None
    return score
