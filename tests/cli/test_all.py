"""`--all` attacks every record that the intruder knows; without it, the main attacks take 1,000 at most."""

from pathlib import Path

import numpy as np
import pytest
from tests.cli.conftest import Run

RECORDS = 1_040
INTRUDERS = ("informed-intruder", "ordinary-intruder")
POLICY = """
[[rules]]
measure = "informed-intruder"
figure = "records_attacked"
max = 1000

[[rules]]
measure = "ordinary-intruder"
targets = 70
figure = "records_attacked"
max = 70
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("all")
    rng = np.random.default_rng(3)
    lines = ["age,region"] + [f"{rng.integers(18, 90)},r{rng.integers(9)}" for _ in range(RECORDS)]
    (folder / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "policy.toml").write_text(POLICY, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def release(files: Path) -> tuple[object, ...]:
    from sdckit.cli import main

    people, masked, recipe = (files / name for name in ("people.csv", "masked.csv", "recipe.toml"))
    words = ("--method", "additive-noise", "--seed", "1", "--recipe-out", str(recipe))
    assert main(["protect", str(people), str(masked), *words]) == 0
    return people, masked, "--recipe", recipe, "--rows-in-order"


def attacked(document: dict) -> dict[str, int]:
    return {each["name"]: each["details"]["records_attacked"] for each in document["scores"]}


@pytest.mark.slow  # every measure
def test_assess(run: Run, release: tuple[object, ...]) -> None:
    words = ("assess", *release, "--measure", "informed-intruder", "--json")
    assert attacked(run(*words).json) == {"informed-intruder": 1000}
    assert attacked(run(*words, "--all").json) == {"informed-intruder": RECORDS}


@pytest.mark.slow
def test_the_figures_of_attack_are_those_of_assess(run: Run, release: tuple[object, ...]) -> None:
    named = [word for name in INTRUDERS for word in ("--measure", name)]
    everyone = run("assess", *release, *named, "--all", "--json").json
    assert attacked(everyone) == dict.fromkeys(INTRUDERS, RECORDS)
    found = run("attack", *release, "--all", "--json").json
    by_name = {each["name"]: each["value"] for each in everyone["scores"]}
    assert {found[name]["name"]: found[name]["value"] for name in ("informed", "ordinary")} == by_name


@pytest.mark.slow
def test_a_number_of_targets_that_was_set_stays(run: Run, release: tuple[object, ...]) -> None:
    some = run("assess", *release, "--measure", "informed-intruder:targets=70", "--all", "--json").json
    assert attacked(some) == {"informed-intruder": 70}


def test_gate(run: Run, release: tuple[object, ...], files: Path) -> None:
    people, masked, *options = release
    words = ("gate", masked, "--original", people, "--policy", files / "policy.toml", *options, "--json")
    assert [rule["value"] for rule in run(*words).json["rules"]] == [1000, 70]
    everyone = run(*words, "--all")
    assert everyone.code == 1
    assert [rule["value"] for rule in everyone.json["rules"]] == [RECORDS, 70]


def test_a_report_of_a_dossier_attacks_nobody(run: Run, files: Path) -> None:
    refused = run("report", "--from", files / "dossier.json", files / "report.html", "--all")
    assert refused.code == 2 and "--from takes the dossier" in refused.err
