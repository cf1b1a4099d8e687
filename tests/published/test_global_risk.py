"""The three experiments of Truta, Fotouhi and Barth-Jones show what the paper reports."""

import json

import pytest

from sdckit.charts.picture import write_picture
from sdckit.errors import FileError
from sdckit.published import experiment, names, title
from sdckit.published.global_risk import reproduce
from sdckit.published.reproduction import Reproduction


@pytest.fixture(scope="module")
def done() -> Reproduction:
    return reproduce(records=(1_000,), seed=1)


def test_everything_that_the_paper_reports_shows(done):
    assert len(done.findings) == 5
    assert [finding.statement for finding in done.findings if not finding.holds] == []


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2, 3])
def test_it_shows_at_every_size_of_the_paper(seed):
    again = reproduce(seed=seed)
    assert [finding.statement for finding in again.findings if not finding.holds] == []


def test_no_masking_gives_the_same_risk_in_all_three(done):
    before = [row["value"] for row in done.rows if row["strength"] == 0 and row["risk"] == "maximal"]
    assert len(before) == 3 and len(set(before)) == 1


def test_the_minimal_risk_is_below_the_maximal_one(done):
    lines = {(row["experiment"], row["strength"], row["risk"]): row["value"] for row in done.rows}
    assert all(value <= lines[experiment, strength, "maximal"] for (experiment, strength, _), value in lines.items())


@pytest.mark.slow
def test_the_figures_are_drawn(done, tmp_path):
    assert set(done.charts) == {"figure-4-1", "figure-4-2", "figure-4-3"}
    for name, chart in done.charts.items():
        write_picture(chart, tmp_path / f"{name}.svg")
        assert (tmp_path / f"{name}.svg").read_text(encoding="utf-8").startswith("<svg")
    write_picture(chart, tmp_path / "one.png")
    assert (tmp_path / "one.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(FileError, match=r"neither .svg nor .png"):
        write_picture(chart, tmp_path / "one.gif")


def test_it_is_found_by_its_name_and_goes_to_json(done):
    assert "global-risk" in names() and experiment("global-risk").reproduce is reproduce
    assert title("global-risk").startswith("Figures 4.1 to 4.3")
    assert json.loads(json.dumps(done.to_dict()))["reference"] == "truta2004"
