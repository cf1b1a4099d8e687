"""An SPSS file with labels there and back, on other respondents than those of the page."""

from pathlib import Path
from typing import Any

import pyreadstat
import pytest

from .page import run_story

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any, Any, Any]:
    folder: Path = tmp_path_factory.mktemp("spss")
    run_story("spss", folder, {"records, seed = 600, 1": "records, seed = 450, 23"})
    original, before = pyreadstat.read_sav(folder / "survey.sav", user_missing=True)
    released, after = pyreadstat.read_sav(folder / "safe.sav", user_missing=True)
    return original, before, released, after


def test_every_label_is_there_again(files: tuple[Any, Any, Any, Any]) -> None:
    _, before, _, after = files
    for name in ("sex", "region", "trust", "income"):
        assert after.column_names_to_labels[name] == before.column_names_to_labels[name]
        assert after.variable_value_labels[name] == before.variable_value_labels[name]
    assert after.column_names_to_labels["age"] == before.column_names_to_labels["age"]


def test_codes_declared_missing_stay_so_and_as_many(files: tuple[Any, Any, Any, Any]) -> None:
    original, before, released, after = files
    assert after.missing_ranges == before.missing_ranges
    for name, code in (("trust", -9), ("income", 99999)):
        assert (released[name] == code).sum() == (original[name] == code).sum() > 0


def test_who_answered_is_swapped_among_who_answered(files: tuple[Any, Any, Any, Any]) -> None:
    original, _, released, _ = files
    assert sorted(original["income"]) == sorted(released["income"])


def test_respondents_are_not_numbered_and_ages_are_bands(files: tuple[Any, Any, Any, Any]) -> None:
    released = files[2]
    assert "resp" not in released
    assert set(released["age"]) - {""} == {"18–29", "30–44", "45–59", "60–74", "75+"}
