"""The records behind each picture, by hand, and every picture's specification through Vega-Lite's own schema."""

import math
from dataclasses import replace

import altair
import numpy as np
import polars
import pytest

from sdckit.charts import graph_structure
from sdckit.charts.bins import round_edges, shares
from sdckit.charts.chart import Chart, axis_of_measures, label_angle
from sdckit.charts.chart_catalogue import every_chart
from sdckit.charts.correlations import LIMIT, correlations, released_correlations
from sdckit.charts.distributions import distribution
from sdckit.charts.evidence import waterfall
from sdckit.charts.exposure import exposure
from sdckit.charts.learned_weights import interactions
from sdckit.charts.loss import loss
from sdckit.charts.loss_by_attribute import loss_by_attribute
from sdckit.charts.most_exposed import most_exposed
from sdckit.charts.released_distributions import FEWEST, released_distribution
from sdckit.charts.reliability import reliability
from sdckit.charts.risk_before_after import risk_before_after
from sdckit.evaluation.assess import Assessment, assess
from sdckit.evaluation.attack import Attack
from sdckit.evaluation.changed_attributes import changed_attributes
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.evidence import OTHER_RECORDS, Explanation, Weight
from sdckit.evaluation.known_sets import Found
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap
from sdckit.intruder import Intruder
from sdckit.measure import Score
from sdckit.microdata import Microdata
from sdckit.release import Release
from sdckit.testing import graph_files

BEFORE = {"x": [1.0, 2.0, 3.0, 4.0], "y": [1.0, 2.0, 3.0, 4.0], "town": ["a", "a", "b", "c"]}
AFTER = {"x": [1.0, 2.0, 3.0, 4.0], "y": [4.0, 3.0, 2.0, 1.0], "town": ["a", "a", "a", None]}


def risk(name: str, value: float, by_record: list[float] | None = None, **fields: object) -> Score:
    figures = None if by_record is None else np.array(by_record)
    return Score(value, by_record=figures, name=name, kind="risk", **fields)  # type: ignore[arg-type]


def small(*scores: Score, before: tuple[Score, ...] = ()) -> Assessment:
    release = Release.in_order(polars.DataFrame(BEFORE), polars.DataFrame(AFTER))  # type: ignore[arg-type]
    return Assessment(release, Intruder(), {each.name: each for each in scores}, {each.name: each for each in before})


LINKAGE = risk("linkage", 0.25, [0.0, 1.0, 0.0, 0.0], interval=(0.1, 0.5), baseline=0.25, bound=0.75)
IL = Score(0.5, by_attribute={"x": 0.0, "y": 2.0}, name="il", kind="loss")


def test_a_risk_stands_beside_its_interval_baseline_bound_and_before() -> None:
    chart = risk_before_after(small(LINKAGE, before=(risk("linkage", 1.0),)))
    assert chart is not None
    before, after = chart.records
    assert (before["stage"], before["value"], before["low"]) == ("before", 1.0, None)
    assert after == {
        "risk": "linkage",
        "measure": "linkage",
        "stage": "after",
        "value": 0.25,
        "label": "25.0%",
        "low": 0.1,
        "high": 0.5,
        "baseline": 0.25,
        "bound": 0.75,
    }


def test_only_the_risks_with_a_heading_are_drawn_where_headings_are_given() -> None:
    chart = risk_before_after(small(LINKAGE, risk("other", 0.5)), {"other": "Found"})
    assert chart is not None
    assert [each["risk"] for each in chart.records] == ["Found\nother"]


def test_a_heading_is_wrapped_to_what_fits_a_telephone() -> None:
    chart = risk_before_after(
        small(LINKAGE, risk("other", 0.5)), {"other": "Re-identified by the links among neighbours"}
    )
    assert chart is not None
    lines = str(chart.records[0]["risk"]).split("\n")
    assert " ".join(lines) == "Re-identified by the links among neighbours other" and max(map(len, lines)) <= 24
    assert chart.spec["height"]["step"] >= 17 * len(lines)


def test_without_scores_there_is_nothing_to_draw() -> None:
    only_loss, only_risk = small(IL), small(risk("linkage", 0.25))
    assert (
        risk_before_after(only_loss) is None and exposure(only_loss.of_kind("risk")) == () and most_exposed([]) is None
    )
    assert loss([]) is None and loss_by_attribute([]) is None and exposure(only_risk.of_kind("risk")) == ()


def test_losses_are_drawn_one_a_row_and_rounding_errors_as_zero() -> None:
    chart = loss([IL, Score(3e-17, name="tiny", kind="loss")])
    assert chart is not None
    assert chart.records == ({"measure": "il", "value": 0.5}, {"measure": "tiny", "value": 0.0})


def test_attributes_are_ranked_by_what_they_lost() -> None:
    chart = loss_by_attribute([IL])
    assert chart is not None
    assert [(each["attribute"], each["value"], each["relative"]) for each in chart.records] == [
        ("y", 2.0, 1.0),
        ("x", 0.0, 0.0),
    ]


def test_exposure_counts_every_judged_record_once() -> None:
    (chart,) = exposure([risk("r", 0.5, [0.0, 1.0, 0.5, np.nan])])
    filled = {each["from"]: each["share"] for each in chart.records if each["share"]}
    assert filled == {0.0: pytest.approx(1 / 3), 0.5: pytest.approx(1 / 3), 0.95: pytest.approx(1 / 3)}


def test_the_most_exposed_come_first_and_safe_records_not_at_all() -> None:
    chart = most_exposed([risk("r", 0.4, [0.2, 1.0, 0.0, 0.4]), risk("same", 1.0, [1.0] * 4)])
    assert chart is not None
    assert [(each["record"], each["measure"], each["value"]) for each in chart.records] == [
        (2, "r", 1.0),  # numbered as in the file, from 1
        (4, "r", 0.4),
        (1, "r", 0.2),
    ]


def test_a_record_that_was_not_judged_by_one_attack_is_ranked_by_the_others() -> None:
    chart = most_exposed([risk("r", 0.5, [np.nan, 1.0, 0.0, np.nan]), risk("s", 0.5, [0.5, 0.0, 0.0, 0.4])])
    assert chart is not None
    assert [(each["record"], each["value"]) for each in chart.records if each["measure"] == "r"] == [
        (2, 1.0),
        (1, None),
        (4, None),
    ]


def test_records_as_exposed_as_the_last_one_are_counted() -> None:
    chart = most_exposed([risk("r", 0.75, [1.0, 1.0, 1.0, 0.0])], limit=1)
    assert chart is not None
    assert len(chart.records) == 1 and chart.note.endswith(": 2.")


def test_only_changed_attributes_count_as_changed() -> None:
    assert changed_attributes(small(IL).release) == ("y", "town")


def test_both_files_share_their_bins_and_every_value_is_in_one() -> None:
    chart = distribution(small(IL).release, "y")
    before = [each for each in chart.records if each["file"] == "before"]
    after = [each for each in chart.records if each["file"] == "after"]
    assert [(each["from"], each["to"]) for each in before] == [(each["from"], each["to"]) for each in after]
    assert sum(each["share"] for each in before) == sum(each["share"] for each in after) == 1.0


def test_categories_are_counted_with_the_missing_ones() -> None:
    chart = distribution(small(IL).release, "town")
    found = {(each["file"], each["category"]): each["share"] for each in chart.records}
    assert found["before", "a"] == 0.5 and found["after", "a"] == 0.75
    assert found["before", "(missing)"] == 0.0 and found["after", "(missing)"] == 0.25


def test_many_categories_are_drawn_together() -> None:
    towns = [f"t{i // 2}" if i < 40 else "big" for i in range(60)]
    release = Release.in_order(polars.DataFrame({"town": towns}), polars.DataFrame({"town": towns[::-1]}))  # type: ignore[arg-type]
    chart = distribution(release, "town")
    before = [each for each in chart.records if each["file"] == "before"]
    assert len(before) == 13 and before[0]["category"] == "big" and before[-1]["category"] == "(others)"
    assert sum(each["share"] for each in before) == pytest.approx(1)


def test_an_outlier_does_not_flatten_the_rest() -> None:
    values = np.append(np.linspace(0, 10, 999), 1e9)
    edges = round_edges(values)
    assert edges[-1] < 20
    assert shares(values, edges, len(values)).sum() == pytest.approx(1)


@pytest.mark.parametrize("values", [[5.0], [0.0, 0.0], [1e-9, 2e-9], [-3.5, 1e12], [-7.0]])
def test_bins_cover_any_values(values: list[float]) -> None:
    column = np.array(values)
    edges = round_edges(column)
    assert (np.diff(edges) > 0).all()
    assert shares(column, edges, len(column)).sum() == pytest.approx(1)


def test_no_edge_of_a_bin_is_a_value_of_the_file() -> None:
    column = np.random.default_rng(1).lognormal(10, 1, 500)
    assert not set(round_edges(column)) & set(column)


def test_correlations_by_hand() -> None:
    charts = correlations(small(IL).release)
    assert charts is not None
    cells = [{(each["row"], each["column"]): each["value"] for each in chart.records} for chart in charts]
    assert [cell["x", "y"] for cell in cells] == [1.0, -1.0, -2.0]
    assert [cell["x", "x"] for cell in cells] == [1.0, 1.0, 0.0]


def test_one_attribute_has_no_correlations() -> None:
    release = Release.in_order(polars.DataFrame({"x": [1.0, 2.0]}), polars.DataFrame({"x": [1.0, 3.0]}))  # type: ignore[arg-type]
    assert correlations(release) is None
    assert released_correlations(release.masked, ["x"]) is None


def test_too_many_attributes_are_limited_and_the_rest_counted() -> None:
    rng = np.random.default_rng(2)
    table = {f"v{i}": rng.normal(size=30) for i in range(30)}
    noisy = {name: column + rng.normal(size=30) for name, column in table.items()}
    charts = correlations(Release.in_order(polars.DataFrame(table), polars.DataFrame(noisy)))  # type: ignore[arg-type]
    assert charts is not None
    assert len(charts[0].records) == LIMIT**2 and "10 are left out" in charts[0].note


def test_cells_of_few_records_are_not_published() -> None:
    numbers = np.concatenate([np.repeat(5.0, 50), [40.0] * (FEWEST - 1)])
    towns = ["Ely"] * 55 + ["Xanadu"] * 4
    file = Microdata.from_frame(polars.DataFrame({"x": numbers, "town": towns}))
    assert all(each["share"] * len(file) >= FEWEST - 0.5 for each in released_distribution(file, "x").records)
    assert [each["category"] for each in released_distribution(file, "town").records] == ["Ely"]


def test_interactions_that_are_nothing_are_not_drawn() -> None:
    def learnt(interaction: float) -> Score:
        table = np.array([[0.0, interaction], [interaction, 0.0]])
        return risk("learnt", 0.5, by_attribute={"x": 1.0, "y": 1.0}, details={"interactions": table})

    assert interactions(learnt(1e-6)) is None and interactions(risk("other", 0.5)) is None
    drawn = interactions(learnt(-0.5))
    assert drawn is not None and {each["interaction"] for each in drawn.records} == {-0.5}


def test_names_above_a_table_have_room_for_their_lines() -> None:
    assert (
        axis_of_measures(["il1"])["labelPadding"]
        < axis_of_measures(["il1", "probabilistic-information-loss"])["labelPadding"]
    )
    assert label_angle("abc") == -45 and label_angle("abcdefghijk") == -90


def an_attack(ordinary: Score) -> Attack:
    """An informed intruder with two bins of claims beside another one."""
    bins = [
        {"low": 0.3, "high": 0.4, "count": 20, "stated": 0.35, "correct": 0.5, "interval": (0.3, 0.7)},
        {"low": 0.9, "high": 1.0, "count": 40, "stated": 0.95, "correct": 0.9, "interval": (0.8, 0.95)},
    ]
    informed = replace(ordinary, name="informed-intruder", details={"calibration": bins})
    why = Explanation(3, 0.99, 1.0, (Weight("x", math.inf), Weight("y", 2.0), Weight(OTHER_RECORDS, -0.5)))
    return Attack(("x", "y"), ordinary, informed, (Found(1, 0.1, 0.2), Found(2, 0.3, 0.4)), explanations=(why,))


def full() -> Dossier:
    """A small dossier with something to draw for every chart."""
    rng = np.random.default_rng(3)
    table = {"x": rng.normal(size=60), "y": rng.normal(size=60), "town": ["a", "b", "c"] * 20}
    noisy = table | {"x": table["x"] + 1, "y": rng.normal(size=60), "town": ["b", "a", "c"] * 20}
    learnt = risk(
        "learnt",
        0.5,
        rng.random(60).tolist(),
        interval=(0.4, 0.6),
        baseline=0.1,
        bound=0.75,
        by_attribute={"x": 1.0, "y": 2.0},
        details={"proof": "by hand", "interactions": np.array([[0.0, -0.5], [-0.5, 0.0]])},
    )
    release = Release.in_order(polars.DataFrame(table), polars.DataFrame(noisy))  # type: ignore[arg-type]
    result = Assessment(release, Intruder(), {"learnt": learnt, "il": IL}, {"learnt": risk("learnt", 1.0)})
    points = [
        Point("mdav", ({"method": "mdav"},), seed, {"distance-linkage": 0.1, "il1": 0.5 + seed}) for seed in (0, 1)
    ]
    return Dossier(
        result,
        attack=an_attack(learnt),
        map=RiskUtilityMap(tuple(points), {"distance-linkage": "risk", "il1": "loss"}, 60),
    )


def of_a_graph() -> Dossier:
    """The assessment of a small graph by one attack."""
    return Dossier(assess(graph_files.ordinary_release(), ["degree-attack"], before=False))


DRAWN = [(entry.name, chart) for entry in every_chart() for chart in entry.draw(full(), public=False)]
DRAWN += [("graph_structure", chart) for chart in graph_structure.draw(of_a_graph(), public=False)]


def test_the_reliability_chart_has_a_point_for_each_bin_of_each_intruder() -> None:
    chart = reliability(an_attack(risk("ordinary-intruder", 0.5)))
    assert chart is not None
    assert [(each["intruder"], each["stated"], each["correct"]) for each in chart.records] == [
        ("informed-intruder", 0.35, 0.5),
        ("informed-intruder", 0.95, 0.9),
    ]
    assert reliability(Attack(("x",), risk("ordinary-intruder", 0.5), None)) is None


def test_a_waterfall_adds_the_weights_up_and_ends_with_what_is_impossible() -> None:
    weights = (Weight("a", math.inf), Weight("b", 2.0), Weight("c", -0.5), Weight("d", 0.01))
    bars = waterfall(Explanation(7, 0.9, 1.2, weights)).records
    assert [each["attributes"] for each in bars] == ["b", "c", "a"]
    assert [(each["start"], each["end"]) for each in bars[:2]] == [(0.0, 2.0), (2.0, 1.5)]
    assert bars[2]["start"] == 1.5 and bars[2]["label"] == "impossible"


def test_every_chart_in_the_folder_is_drawn() -> None:
    assert {name for name, _ in DRAWN} == {entry.name for entry in every_chart()} and len(every_chart()) > 9


@pytest.mark.parametrize("chart", [chart for _, chart in DRAWN], ids=[f"{name}:{chart.title}" for name, chart in DRAWN])
def test_every_chart_follows_the_schema_of_vega_lite_and_can_be_drawn(chart: Chart) -> None:
    altair.Chart.from_dict(chart.vega_lite(), validate=True)
    vl_convert = pytest.importorskip("vl_convert")
    assert vl_convert.vegalite_to_svg(chart.vega_lite()).startswith("<svg")


def test_no_public_edition_draws_the_original_or_names_records() -> None:
    public = {entry.name for entry in every_chart() if entry.draw(full(), public=True)}
    assert (
        not public & {"distributions", "evidence", "most_exposed", "learned_weights"}
        and "released_distributions" in public
    )


def test_a_chart_without_what_it_needs_is_not_drawn() -> None:
    bare = Dossier(full().assessment)
    assert {entry.name for entry in every_chart() if not entry.draw(bare, public=False)} == {
        "evidence",
        "graph_structure",  # the file has no edges
        "known_attributes",
        "reliability",
        "risk_utility_map",
    }
