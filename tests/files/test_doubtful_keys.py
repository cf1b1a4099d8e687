"""Without a schema, no method of numbers masks an identification number, a weight or a code silently."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit.cli import main
from sdckit.files.doubtful_keys import doubtful_keys
from sdckit.microdata import Microdata

RNG = np.random.default_rng(5)
FRAME = pl.DataFrame(
    {
        "id": np.arange(1, 61),
        "sex": RNG.integers(1, 3, 60),
        "income": np.round(RNG.lognormal(7, 0.5, 60), 2),
        "age": RNG.integers(18, 90, 60),
        "weight": RNG.uniform(1, 9, 60),
    }
)


def test_numbers_that_are_no_measurements_are_found_with_the_reason():
    found = doubtful_keys(Microdata.from_frame(FRAME))
    assert set(found) == {"id", "sex", "weight"}
    assert all(found.values())


def test_protect_leaves_them_unmasked_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    FRAME.write_csv(source)
    assert main(["protect", str(source), str(target), "--method", "mdav"]) == 0
    after = pl.read_csv(target)
    unchanged = [name for name in FRAME.columns if after[name].to_list() == FRAME[name].to_list()]
    assert unchanged == ["id", "sex", "weight"]
    messages = capsys.readouterr().err
    assert "without a schema, 'id', 'sex', 'weight' are not masked" in " ".join(messages.split())


def test_a_column_that_is_named_is_masked(tmp_path: Path) -> None:
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    FRAME.write_csv(source)
    assert main(["protect", str(source), str(target), "--method", "mdav", "--attributes", "weight", "-q"]) == 0
    assert pl.read_csv(target)["weight"].to_list() != FRAME["weight"].to_list()


def test_a_file_of_nothing_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "in.csv"
    FRAME.select("id", "sex").write_csv(source)
    assert main(["protect", str(source), str(tmp_path / "out.csv"), "--method", "mdav"]) == 2
    assert "--attributes" in capsys.readouterr().err
