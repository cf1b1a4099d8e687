"""A household survey to a public-use file, on households that the page does not use."""

import polars as pl
import pytest

from .page import run_story

pytestmark = pytest.mark.slow
HOUSEHOLD = ["urbrur", "roof", "walls", "water", "electcon"]
KEYS = ["urbrur", "roof", "water", "relat", "sex", "age", "hhcivil"]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[pl.DataFrame, pl.DataFrame]:
    folder = tmp_path_factory.mktemp("household")
    run_story("household-survey", folder, {"part = 0": "part = 3"})
    released = pl.read_csv(folder / "public-use-file" / "data.csv", infer_schema=False)
    return pl.read_csv(folder / "survey.csv", infer_schema=False), released


def test_members_of_a_household_agree_on_what_describes_it(files: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    _, released = files
    for name in HOUSEHOLD:
        assert released.group_by("ori_hid").agg(pl.col(name).n_unique())[name].max() == 1


def test_five_records_agree_with_each_where_a_missing_value_agrees_with_every_value(
    files: tuple[pl.DataFrame, pl.DataFrame],
) -> None:
    rows = files[1].select(KEYS).rows()
    for one in rows[::10]:
        agree = sum(all(a is None or b is None or a == b for a, b in zip(one, other, strict=True)) for other in rows)
        assert agree >= 5


def test_households_weights_and_totals_are_kept(files: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    original, released = files
    sizes = [file["ori_hid"].value_counts()["count"].sort().to_list() for file in files]
    assert sizes[0] == sizes[1]
    for name in ("sampling_weight", "income", "expend", "savings"):
        before, after = (file[name].cast(pl.Float64).sum() for file in (original, released))
        assert after == pytest.approx(before, rel=1e-4)


def test_no_exact_age_is_published(files: tuple[pl.DataFrame, pl.DataFrame]) -> None:
    ages = set(files[1]["age"].drop_nulls())
    assert len(ages) <= 8 and not [age for age in ages if age.isdigit()]
