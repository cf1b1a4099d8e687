"""Firms to a research file, on a month that the page does not use."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from .page import run_story

pytestmark = pytest.mark.slow
PARTS = {"REVENUE": ["RESREVENUE", "COMREVENUE", "INDREVENUE", "OTHREVENUE"]}
PARTS["SALES"] = ["RESSALES", "COMSALES", "INDSALES", "OTHRSALES"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("firms")
    run_story("firms", folder, {"month = 12": "month = 5"})
    return folder


def test_five_firms_share_every_row(folder: Path) -> None:
    released = pl.read_csv(folder / "research-file" / "data.csv")
    assert released.group_by(pl.all()).len()["len"].min() >= 5


def test_no_firm_and_no_state_is_named(folder: Path) -> None:
    released = pl.read_csv(folder / "research-file" / "data.csv")
    assert "UTILITYID" not in released.columns and "UTILNAME" not in released.columns
    assert set(released["STATE"]) <= {"Northeast", "Midwest", "South", "West"}
    names = pl.read_csv(folder / "utilities.csv")["UTILNAME"]
    everything = "".join(path.read_text("utf-8", "replace") for path in (folder / "research-file").iterdir())
    assert not [name for name in names if len(name) > 8 and name in everything]


def test_totals_add_up_as_often_as_before_and_means_are_kept(folder: Path) -> None:
    before, after = pl.read_csv(folder / "utilities.csv"), pl.read_csv(folder / "research-file" / "data.csv")
    for total, parts in PARTS.items():
        broken = [
            (abs(file[f"TOT{total}"] - file.select(pl.sum_horizontal(parts)).to_series()) > 3).sum()
            for file in (before, after)
        ]
        assert broken[1] <= 5 * broken[0]  # a record in error can spoil the mean of its group of five
        assert after[f"TOT{total}"].mean() == pytest.approx(before[f"TOT{total}"].mean(), abs=0.5)


def test_the_strongest_relation_stays(folder: Path) -> None:
    before, after = pl.read_csv(folder / "utilities.csv"), pl.read_csv(folder / "research-file" / "data.csv")
    pair = ("TOTREVENUE", "TOTSALES")
    original, released = (np.corrcoef(file[pair[0]], file[pair[1]])[0, 1] for file in (before, after))
    assert abs(original - released) < 0.1
