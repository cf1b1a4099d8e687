"""Table 1 of Nin and Torra: its arithmetic exactly, its parts under one convention."""

import csv
from io import StringIO
from itertools import groupby

import numpy as np
import polars as pl
import pytest
from rich.console import Console
from tests.conftest import reference_file

from sdckit.cli.reproduce import _table
from sdckit.fuzzy.scaling import Scaling
from sdckit.methods.microaggregation.projection import Ties
from sdckit.microdata import Microdata
from sdckit.published.comparison import Comparison, Outcome
from sdckit.published.projected_microaggregation import (
    FIGURES,
    READING,
    distance_links,
    information_loss,
    interval_disclosure,
    measured,
    readings,
    reproduce,
    rows,
    score,
)


def test_the_table_has_54_rows_of_every_combination() -> None:
    printed = {(row.file, row.attributes, row.projection, row.group_size) for row in rows()}
    assert len(printed) == len(list(rows())) == 54


def test_the_printed_figures_are_those_of_the_paper() -> None:
    with reference_file("published", "projected_microaggregation.csv").open(encoding="utf-8") as handle:
        printed = {
            (row["dataset"], int(row["group_size"]), row["projection"], int(row["k"])): row
            for row in csv.DictReader(handle)
        }
    for row in rows():
        theirs = printed[row.file, row.attributes, row.projection, row.group_size]
        assert all(row.printed(figure).value == float(theirs[figure]) for figure in FIGURES)


@pytest.mark.parametrize(
    "row", list(rows()), ids=lambda row: f"{row.file}-{row.attributes}-{row.projection}-{row.group_size}"
)
def test_the_score_follows_from_its_parts(row) -> None:
    # Printed figures are rounded to cents: five of them, weighed, and the score itself.
    assert score(*row.figures[:4]) == pytest.approx(row.figures[4], abs=0.006)


def test_a_file_released_as_it_is_loses_nothing_and_hides_nobody() -> None:
    values = np.random.default_rng(1).normal(size=(40, 6))
    assert information_loss(values, values) == 0
    assert distance_links(values, values, 2) == 100
    assert interval_disclosure(values, values) == 100


def test_links_by_hand() -> None:
    # One block of two is never known alone: with four attributes in blocks of two, all are known at once.
    original = np.array([[0.0, 0, 0, 0], [1, 1, 1, 1], [2, 2, 2, 2], [9, 9, 9, 9]])
    pairs = np.array([[0.5] * 4, [0.5] * 4, [5.5] * 4, [5.5] * 4])
    # Standardised: originals at -.729, -.486, -.243, 1.458, the pairs at -.866 and .866; nearest are 0 and 3.
    assert distance_links(original, pairs, 2) == 50


@pytest.fixture(scope="module")
def quick() -> Comparison:
    reference_file("data", "CASCrefmicrodata.csv")
    return reproduce(quick=True)


@pytest.mark.slow
def test_z_scores_on_census_are_as_near_as_the_reference_says(quick: Comparison) -> None:
    verdicts = {verdict.part.split(": ")[1]: verdict for verdict in quick.verdicts}
    assert {verdict.outcome for verdict in verdicts.values()} == {Outcome.NOT}
    # Mean deviations of an independent computation under the same convention: 4.51 and 0.89.
    assert verdicts["IL"].deviation == pytest.approx(4.51, abs=0.01)
    assert verdicts["DLD"].deviation == pytest.approx(0.89, abs=0.01)


@pytest.mark.slow
def test_the_arithmetic_is_reported(quick: Comparison) -> None:
    assert [finding.holds for finding in quick.findings] == [True]


@pytest.mark.slow
def test_what_is_not_reproduced_says_why(quick: Comparison) -> None:
    assert all(verdict.why for verdict in quick.verdicts if verdict.outcome is not Outcome.REPRODUCED)


def test_pairs_of_attributes_give_the_same_file_by_components_and_by_z_scores() -> None:
    reference_file("data", "EIA.csv")
    from sdckit.datasets import eia

    data = eia()
    two = [row for row in rows() if (row.file, row.attributes, row.group_size) == ("EIA", 2, 15)]
    by = {row.projection: row for row in two}
    ours = {name: measured(data, by[name]) for name in ("PCP", "Zscores")}
    assert ours["PCP"]["DLD"].value == pytest.approx(ours["Zscores"]["DLD"].value, abs=0.1)
    assert by["PCP"].printed("DLD").value != by["Zscores"].printed("DLD").value


def test_the_reading_taken_is_marked_in_a_terminal_of_80_columns() -> None:
    selected = [row for row in rows() if (row.file, row.projection, row.attributes) == ("Census", "Sugeno", 2)][:1]
    values = np.random.default_rng(1).lognormal(size=(60, 4))
    data = Microdata.from_frame(pl.DataFrame(values, schema=list("abcd")))
    found = readings({"Census": data}, selected)
    printed = StringIO()
    Console(file=printed, width=80).print(_table([row | {"IL off by": 123.45, "ID off by": 23.45} for row in found]))
    lines = [line.split() for line in printed.getvalue().splitlines()]
    assert [line[1:5] for line in lines if line and line[-1] == "yes"] == [["by-value", "min-max", "axis", "file"]]


@pytest.mark.slow
def test_readings_of_ties_and_scaling_are_side_by_side() -> None:
    """On Census in blocks of two the order of ties decides the links: in file order they are nearest to the print."""
    reference_file("data", "CASCrefmicrodata.csv")
    from sdckit.datasets import census

    selected = [row for row in rows() if row.projection == "Sugeno" and row.attributes == 2]
    found = readings({"Census": census()}, selected)
    assert len(found) == len(READING) >= len(Ties) * len(Scaling) + 4
    assert [each["taken"] != "" for each in found].count(True) == 1
    plain = [each for each in found if each["scaling"] == "min-max" and each["groups by"] == "axis"]
    by = {each["ties"]: each for each in plain if each["order"] == "file"}
    assert by["file-order"]["DLD off by"] < by["by-value"]["DLD off by"] and by["by-value"]["taken"]
    convention = [measured(census(), row) for row in selected if row.file == "Census"]
    printed = [row.printed("DLD").value for row in selected if row.file == "Census"]
    expected = np.mean([abs(each["DLD"].value - value) for each, value in zip(convention, printed, strict=True)])
    assert by["by-value"]["DLD off by"] == pytest.approx(expected, abs=0.01)


@pytest.mark.slow
def test_a_quick_run_shows_the_readings_too(quick: Comparison) -> None:
    assert len(quick.readings) == len(READING)
    assert {"ties", "scaling", "groups by", "order", "IL off by", "DLD off by", "ID off by"} <= set(quick.readings[0])


def test_larger_groups_hide_more_in_print() -> None:
    for _, trio in groupby(rows(), key=lambda row: (row.file, row.attributes, row.projection)):
        figures = [row.printed("DLD").value for row in trio]
        assert figures == sorted(figures, reverse=True)
