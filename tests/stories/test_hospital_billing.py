"""Hospital billing under HIPAA, on other patients than those of the page."""

import re
from pathlib import Path

import polars as pl
import pytest

from .page import run_story

pytestmark = pytest.mark.slow
KEYS = ["Age", "Sex", "Zip", "Admitted"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("billing")
    run_story("hospital-billing", folder, {"--records 2000 --seed 1": "--records 1500 --seed 77"})
    return folder


@pytest.mark.parametrize("name", ["harbor.csv", "deidentified/data.csv"])
def test_safe_harbor_is_met(folder: Path, name: str) -> None:
    """No record number, three digits of a postcode at most, the year alone, and no age over 89."""
    released = pl.read_csv(folder / name, infer_schema=False)
    assert "MRN" not in released.columns
    assert all(re.fullmatch(r"\d{0,3}\*+", value) for value in released["Zip"].drop_nulls())
    assert all(re.fullmatch(r"2025|\*", value) for value in released["Admitted"].drop_nulls())
    oldest = [int(number) for band in released["Age"].drop_nulls() for number in re.findall(r"\d+", band)]
    assert max(oldest) == 90 and "90+" in set(released["Age"])


def test_no_cell_has_fewer_than_eleven_patients(folder: Path) -> None:
    released = pl.read_csv(folder / "deidentified" / "data.csv", infer_schema=False)
    assert released.group_by(KEYS).len()["len"].min() >= 11
    safe_harbor = pl.read_csv(folder / "harbor.csv", infer_schema=False)
    assert safe_harbor.group_by(KEYS).len()["len"].min() == 1


def test_the_amounts_are_unchanged(folder: Path) -> None:
    before, after = pl.read_csv(folder / "billing.csv"), pl.read_csv(folder / "deidentified" / "data.csv")
    assert before["Amount_Billed"].sort().to_list() == after["Amount_Billed"].sort().to_list()
