"""`sdckit pseudonymise`: there and back, and linked across files by one key."""

import stat
from pathlib import Path

import polars as pl

from .conftest import Run


def test_identifiers_are_replaced_and_turned_back(run: Run, tmp_path: Path) -> None:
    persons, safe, back, key = (tmp_path / name for name in ("persons.csv", "safe.csv", "back.csv", "pseudonyms.key"))
    frame = pl.DataFrame({"id": [11, 12, 13, 11], "mother": [12, 13, None, 12], "age": [5, 31, 60, 5]})
    frame.write_csv(persons)
    made = run("pseudonymise", persons, safe, "--columns", "id,mother", "--together", "--key-out", key)
    assert made.code == 0, made.err
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    released = pl.read_csv(safe)
    assert released["id"][0] == released["id"][3] and released["id"][1] == released["mother"][0]
    assert released["mother"].null_count() == 1 and released["age"].to_list() == frame["age"].to_list()
    assert not set(map(str, [11, 12, 13])) & set(released["id"].to_list())
    again = run("pseudonymise", safe, back, "--columns", "id,mother", "--together", "--key", key, "--reverse")
    assert again.code == 0, again.err
    assert pl.read_csv(back).equals(frame)


def test_a_pseudonym_needs_exactly_one_key(run: Run, tmp_path: Path) -> None:
    persons = tmp_path / "persons.csv"
    pl.DataFrame({"id": [1, 2]}).write_csv(persons)
    outcome = run("pseudonymise", persons, tmp_path / "out.csv", "--columns", "id")
    assert outcome.code == 2 and "name one key" in outcome.err
