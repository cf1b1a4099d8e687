"""Results shown in a notebook: small tables of the same figures, with nothing in them that the reader could run."""

import re
from html.parser import HTMLParser

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sdckit
from sdckit.evaluation.risk_utility_map import Point, RiskUtilityMap
from sdckit.formatting import html_table, percent
from sdckit.measure import Score
from sdckit.risk.composite.disclosure_risk import PARTS


class Cells(HTMLParser):
    """The texts of the cells of tables, row by row."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def cells(html: str) -> list[list[str]]:
    parser = Cells()
    parser.feed(html)
    return parser.rows


texts = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), max_size=8)


@given(st.lists(st.tuples(texts, texts), max_size=4))
def test_a_table_gives_back_the_texts_it_was_given(rows: list[tuple[str, str]]) -> None:
    assert cells(html_table(("name", "figure"), rows)) == [["name", "figure"], *map(list, rows)]


def test_a_score_shows_its_figures() -> None:
    risk = Score(0.25, interval=(0.2, 0.3), baseline=0.01, name="distance-linkage", kind="risk")._repr_html_()
    assert cells(risk)[1] == ["25.0%", "20.0% to 30.0%", "1.0%", "–"]
    assert cells(Score(0.123456, name="il1", kind="loss")._repr_html_())[1][0] == "0.123"


def released() -> sdckit.Release:
    rng = np.random.default_rng(1)
    data = polars.DataFrame({"<b>a": rng.normal(size=60), "c": rng.normal(size=60), "d": rng.normal(size=60)})
    return sdckit.protect(data, "rank-swapping:window=0.1", seed=1)


def test_an_assessment_shows_every_score_before_and_after() -> None:
    result = sdckit.assess(released(), ["distance-linkage", "intersection-attack", "il1"])
    rows = {row[0]: row[1:] for row in cells(result._repr_html_())}
    linkage = result["distance-linkage"]
    assert rows["distance-linkage"][0] == percent(linkage.value)
    assert rows["distance-linkage"][-1] == percent(result.before["distance-linkage"].value)
    assert set(result) <= set(rows)
    assert "60 records" in result._repr_html_() and "rank-swapping(window=0.1)" in result._repr_html_()


def test_an_assessment_of_losses_alone_has_one_table() -> None:
    html = sdckit.assess(released(), ["il1"])._repr_html_()
    assert html.count("<table") == 1 and "60 records" in html


@pytest.mark.slow
def test_an_attack_shows_both_intruders_and_the_curve() -> None:
    found = sdckit.attack(released(), seed=1)
    rows = {row[0]: row[1:] for row in cells(found._repr_html_())}
    assert rows[found.ordinary.name][0] == percent(found.ordinary.value)
    assert found.informed is not None and rows[found.informed.name][0] == percent(found.informed.value)
    assert rows["3"] == [percent(found.curve[-1].ordinary), percent(found.curve[-1].informed)]


def test_a_map_shows_its_frontier() -> None:
    points = tuple(
        Point(method, ({"method": method},), 0, {"distance-linkage": risk, "il1s": loss})
        for method, risk, loss in (("mdav", 0.1, 0.4), ("rank-swapping", 0.3, 0.1), ("v-mdav", 0.3, 0.5))
    )
    found = RiskUtilityMap(points, {"distance-linkage": "risk", "il1s": "loss"}, 60)
    assert cells(found._repr_html_()) == [
        ["the frontier", "distance-linkage", "il1s"],
        ["mdav", "10.0%", "0.4"],
        ["rank-swapping", "30.0%", "0.1"],
    ]
    assert "3 settings tried" in found._repr_html_()
    alone = RiskUtilityMap(points, {"il1s": "loss"}, 60)
    assert len(cells(alone._repr_html_())) == 4


@pytest.mark.slow
def test_no_result_shows_a_script() -> None:
    shown = sdckit.attack(released(), seed=1)._repr_html_() + sdckit.assess(released(), ["il1"])._repr_html_()
    assert not re.search(r"<script|onload|javascript:", shown)


def test_a_file_a_release_and_a_recipe_show_no_value() -> None:
    frame = polars.DataFrame({"name": ["Ada <Byron>", "Bob", "Cyd"], "age": [31.0, 47.0, 58.0]})
    data = sdckit.Microdata.from_frame(frame, roles={"name": "identifier", "age": "key"})
    release = sdckit.protect(data, "additive-noise", seed=1)
    assert cells(data._repr_html_())[1] == ["name", "unordered", "identifier", "0"]
    assert cells(release._repr_html_())[1:] == [["name", "identifier", "left out"], ["age", "key", "additive-noise"]]
    assert release.recipe is not None
    assert cells(release.recipe._repr_html_())[1][::2] == ["additive-noise", "age"]
    for shown in (data._repr_html_(), release._repr_html_(), release.recipe._repr_html_(), repr(data), repr(release)):
        assert not any(value in shown for value in ("Ada", "Bob", "31", "47", "58"))
    assert (
        repr(data)
        == f"Microdata(3 records: name (unordered, identifier), age ({data.attribute('age').kind.title}, key))"
    )


def test_a_release_that_was_masked_elsewhere_says_so() -> None:
    frame = polars.DataFrame({"age": [31.0, 47.0, 58.0]})
    assert "3 released · masked elsewhere" in sdckit.Release(frame, frame)._repr_html_()


def test_the_interval_of_a_loss_is_read_as_a_loss() -> None:
    score = Score(0.25, interval=(0.2, 0.3), name="regression-loss", kind="loss")
    assert cells(score._repr_html_())[1][:2] == ["0.25", "0.2 to 0.3"]


def test_a_trade_off_shows_its_parts() -> None:
    trade_off = sdckit.TradeOff({"il1s": 0.25}, dict.fromkeys(PARTS, 0.5))
    rows = dict(cells(trade_off._repr_html_()))  # type: ignore[arg-type]  # rows of two
    assert rows["score"] == "0.375" and rows["IL"] == "0.25" and rows["DR"] == "50.0%" and rows["il1s"] == "0.25"


@pytest.mark.slow
def test_a_search_shows_what_it_found() -> None:
    pytest.importorskip("optuna")
    found = sdckit.tune(released().original, 1.0, methods=["mdav"], trials=2, draws=1, workers=1)
    rows = cells(found._repr_html_())
    assert [row[0] for row in rows[1:]] == ["least loss", "least risk"]
    assert found.best is not None and rows[1][1] == found.best.label
    assert "informed-intruder ≤ 100.0%: kept" in found._repr_html_()
