"""The numbers of households that are published are those of nobody: every format, every way to publish."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit import Microdata, Release, protect, read, write
from sdckit.cli import main
from sdckit.evaluation.gate import Finding, Verdict
from sdckit.evaluation.policy import Policy
from sdckit.evaluation.publish import publish
from sdckit.files import formats
from sdckit.household_numbers import renumbered
from sdckit.recipe import Recipe
from sdckit.row_agreement import disagreement
from tests.leaks.scan import content_of

POLICY = Policy.from_dict({"rules": [{"measure": "il1", "max": 10}]})
MET = Verdict((Finding(POLICY.rules[0], 0.5),))
HOMES = np.repeat(np.arange(40), np.arange(40) % 4 + 1)
TEXTS = [f"REGISTER{7919 * home % 1009:04d}X" for home in HOMES.tolist()]
NUMBERS = [10_000_019 + 7919 * home for home in HOMES.tolist()]
EXTENSIONS = [
    each.suffixes[0]
    for each in formats()
    if each.write and each.in_file and each.domain is Microdata and each.suffixes[0] != ".sas7bdat"
]
SCHEMA = (
    '[attributes.home]\nrole = "household"\n[attributes.age]\nrole = "key"\nkind = "continuous"\n'
    '[attributes.pay]\nrole = "confidential"\n'
)


def people(homes: list[object]) -> pl.DataFrame:
    rng = np.random.default_rng(4)
    ages, pay = rng.integers(1, 90, len(homes)), rng.permutation(len(homes)) + 0.5
    return pl.DataFrame({"home": homes, "age": ages, "pay": pay})


def release_of(homes: list[object]) -> Release:
    data = Microdata.from_frame(
        people(homes), roles={"home": "household", "age": "key", "pay": "confidential"}, kinds={"age": "continuous"}
    )
    return protect(data, "additive-noise", ["age"])


def partition(values: list[object]) -> list[int]:
    """Where each value occurs for the first time."""
    return [values.index(value) for value in values]


@pytest.mark.parametrize("homes", [TEXTS, NUMBERS], ids=["texts", "numbers"])
@pytest.mark.parametrize("extension", EXTENSIONS)
@pytest.mark.parametrize("shuffle", [True, False])
def test_published_households_have_new_numbers_and_the_same_members(
    tmp_path: Path, homes: list[object], extension: str, shuffle: bool
) -> None:
    release = release_of(homes)
    final = publish(release, MET, tmp_path / "out", data_format=extension, shuffle_rows=shuffle)
    written = read(tmp_path / "out" / f"data{extension}").values("home").tolist()
    assert partition(written) == partition(np.array(homes)[final.origin].tolist())
    first = dict.fromkeys(written)
    assert [int(float(each)) for each in first] == list(range(1, len(first) + 1))
    for path in (tmp_path / "out").iterdir():
        content = content_of(path)
        assert not [home for home in homes if str(home) in content], path.name
    assert disagreement(release.original, final.masked, release.recipe, final.origin) is None


def test_writing_in_a_random_order_numbers_households_anew(tmp_path: Path) -> None:
    write(release_of(TEXTS), tmp_path / "out.csv", shuffle_rows=True)
    assert "REGISTER" not in (tmp_path / "out.csv").read_text("utf-8")


def test_missing_numbers_stay_missing() -> None:
    data = Microdata.from_frame(people([None, "b", None, "a", "b"]), roles={"home": "household"})
    assert renumbered(data).values("home").tolist() == [None, "1", None, "2", "1"]
    numbers = Microdata.from_frame(people([None, 7, None, 5, 7]), roles={"home": "household"})
    assert renumbered(numbers).columns["home"].tolist() == pytest.approx([np.nan, 1, np.nan, 2, 1], nan_ok=True)


def test_other_members_are_still_a_contradiction() -> None:
    release = release_of(TEXTS)
    recipe = release.recipe or Recipe(())
    other = renumbered(release.masked)
    order = np.arange(len(other))
    assert disagreement(release.original, other, recipe, order) is None
    moved = other.columns["home"].copy()
    moved[2] = moved[-1]
    assert "'home'" in (disagreement(release.original, other.with_columns({"home": moved}), recipe, order) or "")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["memory", "duckdb"])
@pytest.mark.parametrize("homes", [TEXTS, NUMBERS], ids=["texts", "numbers"])
def test_the_command_line_publishes_and_shuffles_with_new_numbers(
    tmp_path: Path, homes: list[object], engine: str, capsys: pytest.CaptureFixture[str]
) -> None:
    original, masked, schema = tmp_path / "in.csv", tmp_path / "safe.csv", tmp_path / "schema.toml"
    recipe, key, policy = tmp_path / "recipe.toml", tmp_path / "safe.key", tmp_path / "policy.toml"
    people(homes).write_csv(original)
    schema.write_text(SCHEMA, encoding="utf-8")
    policy.write_text('[[rules]]\nmeasure = "il1s"\nmax = 100\n', encoding="utf-8")
    options = ("--schema", schema, "--engine", engine)
    steps = ("--method", "additive-noise", "--recipe-out", recipe, "--key-out", key)
    out, final = tmp_path / "out", tmp_path / "final.key"
    made, key_out, one = ("--recipe", recipe, "--key", key), ("--key-out", final), ("--measure", "uniqueness")
    commands = [
        ("protect", original, masked, *options, *steps),
        ("publish", masked, "--original", original, *options, "--policy", policy, *made, "--out", out, *key_out),
        ("assess", original, out / "data.csv", *options[:2], "--recipe", out / "recipe.toml", "--key", final, *one),
    ]
    if engine == "memory":
        mixed, mixed_key = tmp_path / "mixed.csv", tmp_path / "mixed.key"
        shuffle = ("--method", "additive-noise", "--shuffle-rows", "--key-out", mixed_key)
        commands += [
            ("protect", original, mixed, *options, *shuffle),
            ("assess", original, mixed, *options[:2], "--key", mixed_key, *one),
        ]
    for command in commands:
        assert main([str(each) for each in command]) == 0, capsys.readouterr().err
    for path in [out / "data.csv", *([mixed] if engine == "memory" else [])]:
        numbers = pl.read_csv(path)["home"].to_list()
        first = list(dict.fromkeys(numbers))
        assert all(one < two for one, two in pairwise(first)) and first[0] == 1
        assert not [home for home in homes if str(home) in path.read_text("utf-8")]
