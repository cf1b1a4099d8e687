"""The publishable map: means by hand, and nothing of a draw."""

from typing import Any

import polars
import pytest

from sdckit.evaluation.publishable_map import MapOfMeans, publishable_map
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap
from sdckit.microdata import Microdata

SEEDS = (480357911, 650284737, 918273645)
KINDS = {
    "worst-case": "risk",
    "distance-linkage": "risk",
    "rank-linkage": "risk",
    "uniqueness": "risk",
    "il1": "loss",
    "il4": "loss",
}


def point(step: dict[str, Any], seed: int, risk: float, loss: float, rank: float = 0.0) -> Point:
    scores = {
        "worst-case": max(risk, rank),
        "distance-linkage": risk,
        "rank-linkage": rank,
        "uniqueness": 0.77123,
        "il1": loss,
        "il4": 0.66123,
    }
    return Point(str(step["method"]), (step,), seed, scores)


def swept(*points: Point) -> RiskUtilityMap:
    untouched = Point("untouched", (), 0, {"worst-case": 1.0, "distance-linkage": 1.0, "il1": 0.0}, True)
    return RiskUtilityMap((untouched, *points), KINDS, 120, {"pram": "reason-4711"})


MDAV = {"method": "mdav", "group_size": 3}
SWAP = {"method": "rank-swapping", "window": 0.2}


@pytest.fixture
def masked() -> Microdata:
    return Microdata.from_frame(polars.DataFrame({"income": [1.0, 2.0], "age": [30, 40], "town": ["Ely", "Wells"]}))


@pytest.fixture
def small() -> RiskUtilityMap:
    return swept(
        point(MDAV, SEEDS[0], 0.11111, 0.52113),
        point(MDAV, SEEDS[1], 0.33333, 0.72119),
        point(SWAP, SEEDS[0], 0.41117, 0.32113, rank=0.21119),
        point(SWAP, SEEDS[1], 0.21127, 0.12119, rank=0.61119),
    )


def means(swept: RiskUtilityMap, masked: Microdata) -> dict[str, tuple[float, ...]]:
    public = publishable_map(swept, masked)
    return (
        {}
        if public is None
        else {each.label: tuple(each.mean.values()) for each in public.settings if not each.baseline}
    )


def test_a_setting_is_published_by_its_means_to_three_digits(small: RiskUtilityMap, masked: Microdata) -> None:
    # the worst case is a mean of maxima: (0.41117 + 0.61119) / 2
    assert means(small, masked) == {"mdav(group_size=3)": (0.222, 0.621), "rank-swapping(window=0.2)": (0.511, 0.221)}


def test_axes_attacks_and_frontier_are_those_of_the_whole_map(small: RiskUtilityMap, masked: Microdata) -> None:
    public = publishable_map(small, masked)
    assert isinstance(public, MapOfMeans)
    assert public.axes() == small.axes() and set(public.risks) == {"worst-case", "distance-linkage", "rank-linkage"}
    assert [each.label for each in public.frontier()] == [each.label for each in small.frontier()]


def test_no_point_seed_deviation_or_reason_is_published(small: RiskUtilityMap, masked: Microdata) -> None:
    public = publishable_map(small, masked)
    assert public is not None and public.points == () and public.skipped == {}
    for each in public.settings:
        assert each.seeds == 0 and not each.deviation and not each.lowest and not each.highest
        assert set(each.mean) <= {"worst-case", "il1"}


def test_a_setting_drawn_once_is_left_out_and_a_map_of_such_altogether(
    small: RiskUtilityMap, masked: Microdata
) -> None:
    once = point({"method": "rounding", "base": 0.5}, SEEDS[0], 0.2, 0.2)
    assert len(means(swept(*small.points[1:], once), masked)) == 2
    assert publishable_map(swept(once), masked) is None


@pytest.mark.parametrize(
    "step",
    [
        {"method": "global-recoding-groups", "groups": ["Xanadu|Ely=west"]},
        {"method": "record-swapping", "within": ["person"]},
        {"method": "secret method"},
        {"method": "mdav", "remark": "secret"},
        {"method": "mdav", "group_size": "secret"},
    ],
)
def test_a_setting_with_texts_that_the_release_does_not_hold_is_left_out(
    step: dict[str, Any], small: RiskUtilityMap, masked: Microdata
) -> None:
    more = [point(step, seed, 0.0, 0.0) for seed in SEEDS]
    assert set(means(swept(*small.points[1:], *more), masked)) == {"mdav(group_size=3)", "rank-swapping(window=0.2)"}


def test_the_name_of_a_released_attribute_may_be_published(masked: Microdata) -> None:
    points = [point({"method": "record-swapping", "within": ["town"]}, seed, 0.5, 0.5) for seed in SEEDS]
    assert len(means(swept(*points), masked)) == 1


def test_the_attributes_of_a_step_are_not_published(masked: Microdata) -> None:
    public = publishable_map(
        swept(*(point({**MDAV, "attributes": ["person"]}, seed, 0.5, 0.5) for seed in SEEDS)), masked
    )
    assert public is not None and public.settings[-1].steps == (MDAV,)


def test_without_a_risk_or_a_loss_there_is_no_map(masked: Microdata) -> None:
    points = (Point("mdav", (MDAV,), 0, {"il1": 0.5}), Point("mdav", (MDAV,), 1, {"il1": 0.5}))
    assert publishable_map(RiskUtilityMap(points, {"il1": "loss"}, 120), masked) is None
