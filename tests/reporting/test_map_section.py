"""The map in a report: what the public edition has of it."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap
from sdckit.reporting.document import describe_dossier
from sdckit.reporting.page import render

SEEDS = (480357911, 650284737, 918273645)
KINDS = {"distance-linkage": "risk", "rank-linkage": "risk", "uniqueness": "risk", "il1": "loss", "il4": "loss"}


def point(step: dict[str, Any], seed: int, risk: float, loss: float, rank: float = 0.0) -> Point:
    scores = {"distance-linkage": risk, "rank-linkage": rank, "uniqueness": 0.77123, "il1": loss, "il4": 0.66123}
    return Point(str(step["method"]), (step,), seed, scores)


def swept(*points: Point) -> RiskUtilityMap:
    untouched = Point("untouched", (), 0, {"distance-linkage": 1.0, "il1": 0.0}, True)
    return RiskUtilityMap((untouched, *points), KINDS, 120, {"pram": "reason-4711"})


MDAV = {"method": "mdav", "group_size": 3}
SWAP = {"method": "rank-swapping", "window": 0.2}


@pytest.fixture
def small() -> RiskUtilityMap:
    return swept(
        point(MDAV, SEEDS[0], 0.11111, 0.52113),
        point(MDAV, SEEDS[1], 0.33333, 0.72119),
        point(SWAP, SEEDS[0], 0.41117, 0.32113, rank=0.21119),
        point(SWAP, SEEDS[1], 0.21127, 0.12119, rank=0.61119),
    )


def keys(document: Any) -> Iterator[str]:
    if isinstance(document, dict):
        yield from document
        for each in document.values():
            yield from keys(each)
    elif isinstance(document, list):
        for each in document:
            yield from keys(each)


def test_neither_page_nor_json_in_public_hold_anything_of_a_draw(result: Assessment, small: RiskUtilityMap) -> None:
    document = describe_dossier(Dossier(result, map=small), public=True)
    texts = (document.to_json(), render(document).rpartition("vegaEmbed = vegaEmbed")[2])
    for text in texts:
        assert "rank-swapping(window=0.2)" in text and "mdav(group_size=3)" in text
        private = [
            *map(str, SEEDS),
            *(f"{score:.5g}" for each in small.points[1:] for score in each.scores.values() if score),
        ]
        assert not [figure for figure in private if figure in text]
        assert "reason-4711" not in text
    assert not {
        key for key in keys(json.loads(document.to_json())) if "seed" in key or key in ("draws", "risk from", "points")
    }


def test_the_internal_edition_has_the_variation_over_the_draws(result: Assessment, small: RiskUtilityMap) -> None:
    document = describe_dossier(Dossier(result, map=small))
    assert "Standard deviation of the loss" in render(document) and '"draws": 2' in document.to_json()
    assert not [seed for seed in map(str, SEEDS) if seed in document.to_json()]
