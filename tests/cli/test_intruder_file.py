"""`--intruder-file` and `--intruder-map`: a file with other names, units and categories attacks a release."""

from pathlib import Path

import pytest
from tests.cli.conftest import Run

MAP = """
record = "who"

[columns]
who = "name"
years = "age"

[columns.income_in_thousands]
original = "income, net"
factor = 1000
"""


@pytest.fixture
def register(people: Path, tmp_path: Path) -> Path:
    """Twenty of the people, in another order, their income in thousands, and a stranger."""
    import csv

    rows = list(csv.DictReader(people.open(encoding="utf-8")))[40:60][::-1]
    lines = ["who,years,income_in_thousands"]
    lines += [f"{row['name']},{row['age']},{float(row['income, net']) / 1000:.5f}" for row in rows]
    path = tmp_path / "register.csv"
    path.write_text("\n".join([*lines, "stranger,33,1.25"]) + "\n", encoding="utf-8")
    (tmp_path / "map.toml").write_text(MAP, encoding="utf-8")
    return path


@pytest.fixture
def files(run: Run, people: Path, schema: Path, tmp_path: Path) -> tuple[object, ...]:
    masked, recipe = tmp_path / "safe.csv", tmp_path / "recipe.toml"
    done = run(
        *("protect", people, masked, "--schema", schema, "--recipe-out", recipe, "--seed", 1),
        *("--method", "additive-noise:variance_share=0.0001"),
    )
    assert done.code == 0, done.err
    return people, masked, "--schema", schema, "--recipe", recipe, "--rows-in-order"


def test_assess_attacks_with_the_file(run: Run, files, register: Path, tmp_path: Path) -> None:
    own = ("--intruder-file", register, "--intruder-map", tmp_path / "map.toml")
    done = run("assess", *files, *own, "--measure", "distance-linkage", "--json", "--by-record")
    assert done.code == 0, done.out
    [score] = done.json["scores"]
    found = score["by_record"]
    assert all(each is None for each in found[:40])  # the register does not have these
    assert sum(each for each in found[40:]) >= 18  # hardly any noise
    assert score["value"] == pytest.approx(sum(found[40:]) / 21)  # the stranger cannot be found


def test_attack_attacks_with_the_file(run: Run, files, register: Path, tmp_path: Path) -> None:
    own = ("--intruder-file", register, "--intruder-map", tmp_path / "map.toml")
    done = run("attack", *files, *own)
    assert done.code == 0, done.err
    assert "knows age, 'income, net' and tries to re-identify 21 records" in " ".join(done.out.split())


def test_a_file_needs_its_map_and_a_map_its_file(run: Run, files, register: Path, tmp_path: Path) -> None:
    done = run("attack", *files, "--intruder-file", register)
    assert done.code == 2 and "--intruder-map" in done.err
    done = run("assess", *files, "--intruder-map", tmp_path / "map.toml")
    assert done.code == 2 and "--intruder-file" in done.err


def test_a_mistake_in_the_map_is_one_line(run: Run, files, register: Path, tmp_path: Path) -> None:
    (tmp_path / "map.toml").write_text(MAP.replace("years", "yeers"), encoding="utf-8")
    done = run("attack", *files, "--intruder-file", register, "--intruder-map", tmp_path / "map.toml")
    assert done.code == 2 and "did you mean 'years'" in done.err and done.err.count("\n") == 1


def test_the_map_is_checked_without_the_data(run: Run, files, register: Path, tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    assert run("check", path).code == 0
    assert run("assess", *files, "--intruder-map", path, "--check").code == 0
    path.write_text(MAP.replace("factor", "facter"), encoding="utf-8")
    for done in (run("check", path), run("assess", *files, "--intruder-map", path, "--check")):
        assert done.code == 2 and "did you mean 'factor'" in " ".join(done.out.split())


@pytest.mark.slow
@pytest.mark.parametrize("verb", ["assess", "attack"])
def test_a_category_of_the_map_that_leads_nowhere_is_a_warning(run: Run, files, register: Path, tmp_path: Path, verb):
    lines = register.read_text(encoding="utf-8").splitlines()
    towns = ["town", *["C1" if number % 2 else "C2" for number in range(len(lines) - 1)]]
    register.write_text("\n".join(f"{line},{town}" for line, town in zip(lines, towns, strict=True)), encoding="utf-8")
    own_map = tmp_path / "map.toml"
    categories = '\n[columns.town]\noriginal = "region"\ncategories = { C1 = "N", C3 = "Nn" }\n'
    own_map.write_text(MAP + categories, encoding="utf-8")
    quick = ("--measure", "distance-linkage") if verb == "assess" else ()
    done = run(verb, *files, "--intruder-file", register, "--intruder-map", own_map, *quick)
    assert done.code == 0, done.err
    shown = " ".join(done.err.split())
    assert "the map lists 'C3', which is no value of the intruder's column 'town'" in shown
    assert "the map turns 'C3' of 'town' into 'Nn', which is no category of 'region'" in shown
    assert "'C1'" not in shown
