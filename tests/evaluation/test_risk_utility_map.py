"""The map: means over seeds, the frontier by hand and for all maps, and the same map again from JSON."""

import csv
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import FileError, UnknownNameError
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap, undominated

KINDS = {"distance-linkage": "risk", "intersection-attack": "risk", "interval-disclosure": "risk", "il4": "loss"}


def point(window: float, seed: int, risk: float, loss: float, **others: float) -> Point:
    scores = {"distance-linkage": risk, "il4": loss} | {name.replace("_", "-"): value for name, value in others.items()}
    return Point("rank-swapping", ({"method": "rank-swapping", "window": window},), seed, scores)


def of(*points: Point) -> RiskUtilityMap:
    return RiskUtilityMap(points, KINDS, 100)


def brute_force(figures: list[tuple[float, float]]) -> list[bool]:
    return [not any((a <= x and b <= y) and (a < x or b < y) for a, b in figures) for x, y in figures]


grid_values = st.integers(0, 4).map(lambda whole: whole / 4)


@given(st.lists(st.tuples(grid_values, grid_values), max_size=30))
def test_the_frontier_holds_exactly_the_rows_that_nothing_dominates(figures):
    assert undominated(np.array(figures).reshape(-1, 2)).tolist() == brute_force(figures)


@given(st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.3, 0.4]), grid_values, grid_values), min_size=1, max_size=20))
def test_no_setting_on_the_frontier_of_a_map_is_dominated(rows):
    result = of(*(point(window, seed, risk, loss) for seed, (window, risk, loss) in enumerate(rows)))
    means = [(each.mean["distance-linkage"], each.mean["il4"]) for each in result.settings]
    expected = {each.label for each, kept in zip(result.settings, brute_force(means), strict=True) if kept}
    assert {each.label for each in result.frontier()} == expected


def test_seeds_of_a_setting_are_taken_together_with_their_deviation():
    (setting,) = of(point(0.1, 0, 0.2, 1.0), point(0.1, 1, 0.4, 3.0)).settings
    assert setting.seeds == 2
    assert setting.mean["distance-linkage"] == pytest.approx(0.3)
    assert setting.deviation["il4"] == pytest.approx(1.0)
    assert (setting.lowest["il4"], setting.highest["il4"]) == (1.0, 3.0)


def test_the_axes_are_chosen_when_looking():
    result = of(point(0.1, 0, 0.2, 1.0, intersection_attack=0.9), point(0.2, 0, 0.3, 1.0, intersection_attack=0.3))
    assert [each.label for each in result.frontier("distance-linkage", "il4")] == ["rank-swapping(window=0.1)"]
    assert [each.label for each in result.frontier("intersection-attack", "il4")] == ["rank-swapping(window=0.2)"]
    with pytest.raises(UnknownNameError, match="did you mean 'distance-linkage'"):
        result.frontier("distance-linkag")


def test_a_baseline_is_never_on_the_frontier_nor_the_best():
    nothing = Point("untouched", (), 0, {"distance-linkage": 0.0, "il4": 0.0}, baseline=True)
    result = of(nothing, point(0.1, 0, 0.2, 1.0))
    assert [each.label for each in result.frontier()] == ["rank-swapping(window=0.1)"]
    best = result.best(0.5)
    assert best is not None and not best.baseline


def test_the_best_keeps_the_bound_at_every_draw():
    lucky = [point(0.1, 0, 0.0, 1.0), point(0.1, 1, 0.2, 1.0)]
    steady = [point(0.2, 0, 0.1, 2.0), point(0.2, 1, 0.1, 2.0)]
    best = of(*lucky, *steady).best(0.15)
    assert best is not None and best.label == "rank-swapping(window=0.2)"
    assert of(*lucky, *steady).best(0.05) is None


def test_a_measure_that_did_not_apply_keeps_a_setting_off_that_axis_only():
    result = of(point(0.1, 0, 0.2, 1.0), point(0.2, 0, 0.3, 2.0, intersection_attack=0.4))
    assert [each.label for each in result.frontier("intersection-attack")] == ["rank-swapping(window=0.2)"]
    assert len(result.settings) == 2


def test_a_figure_that_is_not_finite_is_on_no_frontier():
    assert undominated(np.array([[0.1, np.nan], [np.inf, 0.0], [0.5, 0.5]])).tolist() == [False, False, True]


def test_a_loss_that_is_not_finite_is_never_the_best():
    for bad in (np.nan, np.inf):
        best = of(point(0.1, 0, 0.0, bad), point(0.2, 0, 0.1, 1.0)).best(0.5)
        assert best is not None and best.label == "rank-swapping(window=0.2)"


def test_csv_is_the_same_after_a_stop_where_a_figure_is_not_finite():
    result = of(point(0.1, 0, 0.2, np.inf), point(0.2, 0, np.nan, 1.0))
    assert RiskUtilityMap.from_dict(result.to_dict()).to_csv() == result.to_csv()


@pytest.mark.parametrize(
    "wrong",
    [{"points": [{**point(0.1, 0, 0.2, 1.0).to_dict(), "scores": {"il4": "x"}}]}, {"kinds": [1]}, {"records": ""}],
)
def test_a_map_that_somebody_changed_is_refused_and_does_not_crash(wrong):
    with pytest.raises(FileError, match=r"map\.json"):
        RiskUtilityMap.from_dict(of(point(0.1, 0, 0.2, 1.0)).to_dict() | wrong)


def test_json_gives_the_same_map_again():
    result = of(point(0.1, 0, 0.2, 1.0), Point("constant", (), 0, {"il4": 1.0}, baseline=True))
    again = RiskUtilityMap.from_dict(result.to_dict())
    assert again.to_dict() == result.to_dict()
    assert [each.label for each in again.settings] == ["rank-swapping(window=0.1)", "constant"]
    with pytest.raises(FileError, match=r"map\.json"):
        RiskUtilityMap.from_dict({"points": [1]})


def test_csv_has_a_line_a_point_and_every_figure_in_full():
    rows = list(csv.DictReader(io.StringIO(of(point(0.1, 0, 1 / 3, 1.0), point(0.1, 1, 0.2, 2.0)).to_csv())))
    assert [row["seed"] for row in rows] == ["0", "1"]
    assert float(rows[0]["distance-linkage"]) == 1 / 3
    assert rows[0]["intersection-attack"] == ""
