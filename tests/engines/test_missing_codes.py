"""Codes that a schema declares missing are written again by an engine, as from memory, and read as missing values."""

from pathlib import Path

import numpy as np
import pytest

from sdckit.cli import main
from sdckit.schema import Schema
from tests.engines.test_protect import masked_in_memory, masked_in_parts

SCHEMA = """
[attributes.age]
kind = "discrete"
role = "key"
missing = [-1, 99]

[attributes.income]
kind = "continuous"
role = "confidential"
missing = [-9.5]

[attributes.town]
kind = "unordered"
role = "key"
level = "household"
missing = ["DK"]

[attributes.home]
role = "household"
kind = "unordered"
"""
POLICY = '[[rules]]\nmeasure = "k-anonymity"\nmax = 1.0\n'
SWAPPED = ["rank-swapping:window=0.1", "pram"]
SUPPRESSED = ["rank-swapping:window=0.1", "local-suppression:group_size=60"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with two codes in a column of whole numbers, one with decimals, one of text, and cells without a code."""
    folder = tmp_path_factory.mktemp("codes")
    rng = np.random.default_rng(4)
    homes = rng.integers(0, 120, 301)
    ages = rng.choice([*map(str, range(20, 60)), "-1", "99", "", "-1.0"], 301)
    incomes = np.where(rng.random(301) < 0.1, "-9.50", np.char.mod("%.2f", rng.lognormal(7, 1, 301)))
    lines = [
        f"{age},{income},{'DK' if home % 7 == 0 else 'abcd'[home % 4]},h{home}"
        for age, income, home in zip(ages, incomes, homes, strict=True)
    ]
    (folder / "people.csv").write_text("\n".join(["age,income,town,home", *lines]) + "\n", encoding="utf-8")
    (folder / "schema.toml").write_text(SCHEMA, encoding="utf-8")
    (folder / "policy.toml").write_text(POLICY, encoding="utf-8")
    return folder


@pytest.mark.parametrize("part_records", [43, 400])
@pytest.mark.parametrize("recipe", [SWAPPED, SUPPRESSED])
def test_codes_are_written_as_from_memory(folder: Path, tmp_path: Path, recipe: list[str], part_records: int) -> None:
    """Where a value of a column was suppressed, none of its missing values has a code."""
    schema = Schema.from_toml(folder / "schema.toml")
    whole = masked_in_memory(folder / "people.csv", tmp_path / "whole.csv", recipe, schema).read_bytes()
    parts = masked_in_parts(folder / "people.csv", tmp_path / "parts.csv", recipe, part_records, schema).read_bytes()
    assert parts == whole
    ages = {line.split(b",")[0] for line in whole.splitlines()}
    assert bool(ages & {b"-1", b"99"}) is (recipe == SWAPPED) and b"-9.50" in whole


def run(*words: object) -> None:
    assert main([str(word) for word in words]) == 0


@pytest.mark.parametrize("masked_by", ["memory", "duckdb"])
def test_a_file_with_codes_that_one_engine_masked_is_published_alike_by_both(
    folder: Path, tmp_path: Path, masked_by: str
) -> None:
    """The digest of the recipe is found, and the published schema has the kinds, levels and codes of the original."""
    people, masked, schema = folder / "people.csv", tmp_path / "masked.csv", folder / "schema.toml"
    recipe, key = tmp_path / "recipe.toml", tmp_path / "masked.key"
    steps = [word for step in SWAPPED for word in ("--method", step)]
    written = ("--recipe-out", recipe, "--key-out", key)
    run("protect", people, masked, "--schema", schema, *steps, *written, "--engine", masked_by)
    given = ("--original", people, "--schema", schema, "--recipe", recipe, "--key", key)
    for engine in ("memory", "duckdb"):
        policy = ("--policy", folder / "policy.toml", "--out", tmp_path / engine)
        run("publish", masked, *given, *policy, "--engine", engine)
    schemas = [(tmp_path / engine / "schema.toml").read_text(encoding="utf-8") for engine in ("memory", "duckdb")]
    assert schemas[0] == schemas[1]
    assert "missing = [-1, 99]" in schemas[0] and 'level = "household"' in schemas[0]
    tables = [
        sorted(line.rsplit(b",", 1)[0] for line in (tmp_path / engine / "data.csv").read_bytes().splitlines())
        for engine in ("memory", "duckdb")
    ]
    assert tables[0] == tables[1]  # but for the numbers of the households, which are new
