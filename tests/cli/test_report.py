"""`sdckit report`: one HTML file, internal or to publish."""

from pathlib import Path

import pytest

from .conftest import Run


@pytest.fixture
def masked(run: Run, people: Path, schema: Path) -> Path:
    out = people.with_name("masked.csv")
    assert run("protect", people, out, "--schema", schema, "--method", "mdav:group_size=3", "--seed", 1).code == 0
    return out


def test_the_report_is_one_html_file(run: Run, people: Path, masked: Path, schema: Path) -> None:
    out = people.with_name("report.html")
    done = run("report", people, masked, out, "--schema", schema, "--json")
    assert done.json == {"path": str(out), "edition": "internal"}
    assert "<html" in out.read_text("utf-8")


def test_the_public_edition_can_be_had(run: Run, people: Path, masked: Path, schema: Path) -> None:
    out = people.with_name("public.html")
    assert "public" in run("report", people, masked, out, "--schema", schema, "--public").out
    assert "person 1" not in out.read_text("utf-8")


def test_protect_measures_and_reports_in_one_go(run: Run, people: Path, schema: Path) -> None:
    out, report = people.with_name("out.csv"), people.with_name("report.html")
    arguments = ("--schema", schema, "--method", "rank-swapping", "--shuffle-rows", "--report", report, "--json")
    assert run("protect", people, out, *arguments).json["report_path"] == str(report)
    assert report.exists()


def test_an_existing_report_is_left_alone_without_force(run: Run, people: Path, masked: Path) -> None:
    out = people.with_name("report.html")
    out.write_text("precious", encoding="utf-8")
    assert run("report", people, masked, out).code == 2
    assert out.read_text("utf-8") == "precious"
