"""This year's file by last year's recipe, on other years than those of the page."""

from pathlib import Path

import polars as pl
import pytest

from sdckit.cli import main

from .page import run_story

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("year")
    run_story("yearly-file", folder, {"--seed 2025": "--seed 31", "--seed 2026": "--seed 32"})
    return folder


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file, "is not among its declared categories; add it or recode it"),
        (lambda file: file.rename({"ill": "illness"}), "there is no column 'ill'; did you mean 'illness'?"),
        (lambda file: file.with_columns(pl.lit("x").alias("card")), "card"),
    ],
    ids=["category", "name", "new column"],
)
def test_what_is_new_is_named_before_anything_is_masked(
    folder: Path, tmp_path: Path, change, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = pl.read_csv(folder / "survey-2026.csv")
    if message != "is not among its declared categories; add it or recode it":
        file = file.with_columns(pl.col("marital").replace("partnership", "married"))
    change(file).write_csv(tmp_path / "new.csv")
    run = str(folder / "run-2025.toml")
    assert (
        main(["protect", str(tmp_path / "new.csv"), str(tmp_path / "out.csv"), "--schema", run, "--recipe", run]) == 2
    )
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


def test_both_years_have_the_same_columns_and_categories(folder: Path) -> None:
    last, this = (pl.read_csv(folder / f"safe-{year}.csv", infer_schema=False) for year in (2025, 2026))
    assert last.columns == this.columns
    for name in ("region", "sex", "age", "marital", "education"):
        assert set(this[name].drop_nulls()) <= set(last[name].drop_nulls())


def test_the_new_category_is_not_published(folder: Path) -> None:
    before, after = (pl.read_csv(folder / f"{name}-2026.csv") for name in ("survey", "safe"))
    together = before["marital"].is_in(["married", "partnership"]).sum()
    assert (before["marital"] == "partnership").sum() > 0
    assert "partnership" not in set(after["marital"])
    assert (after["marital"] == "married").sum() <= together
