"""The picture of the map: its records by hand, and its specification through Vega-Lite's own schema."""

import altair
import pytest

from sdckit.charts.risk_utility_map import FAMILIES, OTHERS, risk_utility_map
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap

KINDS = {"distance-linkage": "risk", "interval-disclosure": "risk", "il4": "loss"}


def point(method: str, seed: int, risk: float, loss: float) -> Point:
    scores = {"distance-linkage": risk, "interval-disclosure": 1 - risk, "il4": loss}
    return Point(method, ({"method": method},), seed, scores)


@pytest.fixture
def small() -> RiskUtilityMap:
    untouched = Point("untouched", (), 0, {"distance-linkage": 1.0, "interval-disclosure": 1.0, "il4": 0.0}, True)
    points = (untouched, point("mdav", 0, 0.1, 0.5), point("mdav", 1, 0.3, 0.7), point("rounding", 0, 0.5, 0.8))
    return RiskUtilityMap(points, KINDS, 10)


def test_a_dot_is_the_mean_over_the_seeds_with_the_range_of_its_risk(small):
    dot = next(record for record in risk_utility_map(small).records if record["setting"] == "mdav")
    assert (dot["risk"], dot["loss"], dot["draws"]) == (0.2, 0.6, 2)
    assert (dot["risk from"], dot["risk to"]) == (0.1, 0.3)


def test_frontier_baselines_and_the_release_are_marked(small):
    records = {record["setting"]: record for record in risk_utility_map(small, chosen="rounding").records}
    assert records["untouched"]["method"] == "baseline"
    assert [name for name, record in records.items() if record["on the frontier"]] == ["mdav"]
    assert [name for name, record in records.items() if record["released"]] == ["rounding"]


def test_the_axes_are_chosen_when_looking(small):
    records = {each["setting"]: each for each in risk_utility_map(small, "interval-disclosure", "il4").records}
    assert records["mdav"]["risk"] == 0.8
    assert [name for name, each in records.items() if each["on the frontier"]] == ["mdav", "rounding"]


def test_methods_beyond_the_colours_share_one():
    names = [f"method-{number}" for number in range(FAMILIES + 3)]
    many = RiskUtilityMap(tuple(point(name, 0, 0.5, 0.5 + i) for i, name in enumerate(names)), KINDS, 10)
    shown = [record["method"] for record in risk_utility_map(many).records]
    assert shown.count(OTHERS) == 3


def test_vega_lite_understands_the_picture(small):
    picture = risk_utility_map(small)
    chart = altair.Chart.from_dict(picture.vega_lite())  # checked against the schema of Vega-Lite
    (rows,) = chart.to_dict()["datasets"].values()
    assert rows == list(picture.records)
