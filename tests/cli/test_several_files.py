"""Several files from the command line: made by protect, combined by combine."""

import polars
import pytest

from .conftest import Run

SCHEMA = """
[attributes.age]
kind = "continuous"
role = "key"
[attributes.income]
kind = "continuous"
role = "confidential"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = range(40)
    polars.DataFrame(
        {"age": [20 + (7 * i) % 41 for i in rows], "income": [1000 + (13 * i) % 700 for i in rows]}
    ).write_csv("survey.csv")
    (tmp_path / "schema.toml").write_text(SCHEMA)
    return tmp_path


def test_each_file_has_its_own_draws_recipe_and_key(folder, run: Run) -> None:
    done = run(
        *(
            "protect",
            "survey.csv",
            "safe.csv",
            "--schema",
            "schema.toml",
            "--method",
            "ipso-a",
            "--attributes",
            "income",
        ),
        *("--files", "3", "--recipe-out", "recipe.toml", "--key-out", "private.key", "--json"),
    )
    assert done.code == 0, done.err
    assert [each["path"] for each in done.json["files"]] == ["safe-1.csv", "safe-2.csv", "safe-3.csv"]
    incomes = [polars.read_csv(f"safe-{number}.csv")["income"].to_list() for number in (1, 2, 3)]
    for each, values in zip(done.json["files"], incomes, strict=True):
        changed = {counts["name"]: counts["changed"] for counts in each["counts"]["attributes"]}
        original = polars.read_csv("survey.csv")["income"].to_list()
        assert changed == {"age": 0, "income": sum(a != b for a, b in zip(values, original, strict=True))}
    assert len(set(map(tuple, incomes))) == 3
    for number in (1, 2, 3):
        linked = run(
            *("assess", "survey.csv", f"safe-{number}.csv", "--schema", "schema.toml"),
            *("--recipe", f"recipe-{number}.toml", "--key", f"private-{number}.key"),
            *("--measure", "distance-linkage", "--json"),
        )
        assert linked.code == 0, linked.err


def test_files_are_combined_by_the_rule_of_the_recipe(folder, run: Run) -> None:
    for method, rule in (("ipso-a", "partial"), ("sequential-trees", "simple")):
        made = run(
            *("protect", "survey.csv", f"{rule}.csv", "--schema", "schema.toml", "--method", method),
            *(("--attributes", "income") if rule == "partial" else ()),
            *("--files", "2", "--recipe-out", f"{rule}.toml", "--quiet"),
        )
        assert made.code == 0, made.err
        done = run(
            "combine",
            f"{rule}-1.csv",
            f"{rule}-2.csv",
            "--recipe",
            f"{rule}-1.toml",
            "--original",
            "survey.csv",
            "--json",
        )
        assert done.code == 0, done.err
        found = done.json
        means = [polars.read_csv(f"{rule}-{number}.csv")["income"].mean() for number in (1, 2)]
        assert found["rule"] == rule
        assert found["estimates"]["income"]["value"] == pytest.approx(sum(means) / 2)
        assert found["estimates"]["income"]["low"] < found["estimates"]["income"]["value"]
        assert found["estimates"]["income"]["original"] == pytest.approx(polars.read_csv("survey.csv")["income"].mean())


@pytest.mark.parametrize(
    ("arguments", "cure"),
    [
        (["combine", "survey.csv"], "name two or more"),
        (["combine", "survey.csv", "survey.csv"], "--rule partial, full or simple"),
        (["combine", "survey.csv", "survey.csv", "--rule", "half"], "use partial, full or simple"),
        (["combine", "survey.csv", "survey.csv", "--rule", "simple", "--level", "95"], "such as 0.95"),
        (["protect", "survey.csv", "o.csv", "--method", "ipso-a", "--files", "0"], "at least 1"),
        (["protect", "survey.csv", "o.csv", "--method", "ipso-a", "--files", "2", "--report", "r.html"], "one file"),
    ],
)
def test_mistakes_are_refused_with_the_cure(folder, run: Run, arguments, cure) -> None:
    done = run(*arguments)
    assert done.code == 2
    assert cure in " ".join(done.err.split())


def test_what_a_single_file_warns_of_several_warn_of_too(folder, run: Run) -> None:
    polars.read_csv("survey.csv").sort("age").with_columns(
        name=polars.Series([f"person {number}" for number in range(40)]),
        formula=polars.lit("=1+1"),
        home=polars.Series([number // 4 for number in range(40)]),
        town=polars.Series([f"t{number // 8}" for number in range(40)]),
    ).write_csv("sorted.csv")
    more = 'edits = ["age <= 30"]\n' + SCHEMA
    more += "".join(f'[attributes.{name}]\nrole = "other"\n' for name in ("name", "formula"))
    more += '[attributes.home]\nrole = "household"\n[attributes.town]\nrole = "key"\nlevel = "household"\n'
    (folder / "more.toml").write_text(more)
    words = ("protect", "sorted.csv", "out.csv", "--schema", "more.toml", "--method", "additive-noise", "--method")
    one, two = (run(*words, "invariant-pram", "--seed", 1, "--files", files, "--force") for files in (1, 2))
    assert one.code == two.code == 0, one.err + two.err
    kinds = ("may identify", "neighbouring rows", "describes the household", "as a formula", "can be guessed")
    for kind in (*kinds, "find it by trying"):
        assert (kind in one.err) == (kind in two.err), kind
    assert all(kind in two.err for kind in kinds[:4])
    assert ("age <= 30" in one.out) == ("age <= 30" in two.out)


def test_equal_files_are_called_equal(folder, run: Run) -> None:
    words = ("protect", "survey.csv", "out.csv", "--schema", "schema.toml", "--files", 2, "--force", "--method")
    equal = run(*words, "mdav")
    assert "some of the files are equal" in equal.err and "learns more" not in equal.out + equal.err
    assert "equal" not in run(*words, "additive-noise").err
