"""`sdckit list` and `sdckit show` print what is in the catalogue."""

import pytest

import sdckit
from sdckit.references import citation

from .conftest import Run


@pytest.mark.parametrize("kind", [None, "masking", "risk", "loss"])
def test_everything_in_the_catalogue_is_listed(run: Run, kind: str | None) -> None:
    names = [entry.name for entry in sdckit.entries(kind)]
    wanted = [kind] if kind else []
    assert [entry["name"] for entry in run("list", *wanted, "--json").json] == names
    assert run("list", *wanted, "--quiet").out.split() == names
    table = run("list", *wanted).out
    assert all(name in table for name in names)


@pytest.mark.parametrize("entry", sdckit.entries(), ids=lambda entry: entry.name)
def test_everything_in_the_catalogue_is_shown_in_full(run: Run, entry: "sdckit.catalogue.Entry") -> None:
    shown = run("show", entry.name, "--json").json
    assert shown["summary"] == entry.summary
    assert shown["reference"] == citation(entry.reference)
    assert [each["name"] for each in shown["parameters"]] == [each.name for each in entry.parameters]
    printed = " ".join(run("show", entry.name).out.split())
    assert " ".join(entry.summary.split()) in printed
    assert " ".join(citation(entry.reference).split()) in printed
    assert all(each.name in printed for each in entry.parameters)


def test_a_masking_shows_what_an_intruder_can_exclude(run: Run) -> None:
    assert "at most `window` away" in " ".join(run("show", "rank-swapping").out.split())
    assert "Excludes nothing" in run("show", "additive-noise").out


def test_a_masking_shows_what_an_intruder_can_compute(run: Run) -> None:
    printed = " ".join(run("show", "additive-noise").out.split())
    assert "An intruder who knows the whole file computes the likelihood of every row" in printed
    laws = run("show", "additive-noise", "--json").json["computes"]
    assert [(law["known"], law["source"]) for law in laws][:2] == [("whole file", "exact"), ("some records", "exact")]
    assert "computes" not in run("show", "distance-linkage", "--json").json


def test_an_unknown_kind_is_an_error(run: Run) -> None:
    done = run("list", "risks")
    assert done.code == 2
    assert done.err == "error: there is no kind of component 'risks'; did you mean 'risk'?\n"
