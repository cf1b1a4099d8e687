"""A household survey to a public-use file, on households that the page does not use."""

from pathlib import Path

import polars as pl
import pytest

from sdckit.households import FEWEST

from .page import run_story

Files = tuple[pl.DataFrame, pl.DataFrame, pl.DataFrame]
pytestmark = pytest.mark.slow
HOUSEHOLD = ["urbrur", "roof", "walls", "water", "electcon"]
KEYS = ["urbrur", "roof", "water", "relat", "sex", "age", "hhcivil"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("household")
    run_story("household-survey", folder, {"part = 0": "part = 3"})
    return folder


@pytest.fixture(scope="module")
def files(folder: Path) -> Files:
    """The survey, the file with households, and the public one."""
    paths = (folder / "survey.csv", folder / "safe.csv", folder / "public-use-file" / "data.csv")
    survey, safe, public = (pl.read_csv(path, infer_schema=False) for path in paths)
    return survey, safe, public


def test_members_of_a_household_agree_on_what_describes_it(files: Files) -> None:
    for name in HOUSEHOLD:
        assert files[1].group_by("ori_hid").agg(pl.col(name).n_unique())[name].max() == 1


def test_the_public_file_does_not_show_who_lives_together(files: Files) -> None:
    assert not {"ori_hid", "household_weights", "walls", "electcon"} & set(files[2].columns)


def test_hardly_a_household_of_several_persons_has_its_dwelling_to_itself(files: Files) -> None:
    alone = files[1].group_by("urbrur", "roof", "water").agg(pl.col("ori_hid").n_unique().alias("homes"), pl.len())
    assert len(alone.filter((pl.col("homes") == 1) & (pl.col("len") > 1))) < FEWEST


def test_five_records_agree_with_each_where_a_missing_value_agrees_with_every_value(
    files: Files,
) -> None:
    rows = files[2].select(KEYS).rows()
    for one in rows[::10]:
        agree = sum(all(a is None or b is None or a == b for a, b in zip(one, other, strict=True)) for other in rows)
        assert agree >= 5


def test_households_weights_and_totals_are_kept(files: Files) -> None:
    original, safe, released = files
    sizes = [file["ori_hid"].value_counts()["count"].sort().to_list() for file in (original, safe)]
    assert sizes[0] == sizes[1]
    for name in ("sampling_weight", "income", "expend", "savings"):
        before, after = (file[name].cast(pl.Float64).sum() for file in (original, released))
        assert after == pytest.approx(before, rel=1e-4)


def test_no_exact_age_is_published(files: Files) -> None:
    ages = set(files[2]["age"].drop_nulls())
    assert len(ages) <= 8 and not [age for age in ages if age.isdigit()]


def test_the_recipe_for_a_limit_that_is_not_met_leaves_five_equal_rows(folder: Path) -> None:
    alike = pl.read_csv(folder / "alike.csv", infer_schema=False)
    assert alike.group_by(KEYS).len()["len"].min() >= 5
