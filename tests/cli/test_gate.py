"""`sdckit gate`: a verdict for a person, a program and a pipeline."""

import io
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.console import Console

from sdckit import build
from sdckit.cli.gate import verdict_table
from sdckit.evaluation.gate import Finding, Verdict
from sdckit.evaluation.policy import Rule

from .conftest import Run

MET = '[[rules]]\nmeasure = "distance-linkage"\nmax = 0.5\nnote = "at most half"\n'
BROKEN = '[[rules]]\nmeasure = "il1"\ncap = 1\nmax = 0\n'
INFORMED = '[[rules]]\nmeasure = "intersection-attack"\nfigure = "certain_matches"\nmax = 0\n'


@pytest.fixture
def masked(run: Run, people: Path, schema: Path) -> Path:
    out = people.with_name("masked.csv")
    assert run("protect", people, out, "--schema", schema, "--method", "mdav:group_size=3", "--seed", 1).code == 0
    return out


@pytest.fixture
def check(run: Run, people: Path, masked: Path, schema: Path, tmp_path: Path):
    """Hold the masked people against a policy."""

    def check(text: str, *options: object):
        policy = tmp_path / "policy.toml"
        policy.write_text(text, encoding="utf-8")
        return run(
            "gate", masked, "--original", people, "--policy", policy, "--schema", schema, "--rows-in-order", *options
        )

    return check


def test_a_policy_that_is_met_ends_with_0(check) -> None:
    done = check(MET)
    assert done.code == 0
    assert "The policy is met" in done.out and "masked.csv meets 1 rule." in done.out


def test_a_policy_that_is_not_met_ends_with_1_and_shows_which_line(check) -> None:
    done = check(MET + BROKEN)
    assert done.code == 1 and done.err == ""
    assert "breaks 1 of 2 rules" in done.out
    assert [line.split()[-1] for line in done.out.splitlines() if line.startswith((" distance", " il1"))] == [
        "met",
        "MET",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            '[[rules]]\nmeasure = "il11"\nmax = 0\n',
            "policy.toml, rule 1: there is no risk or loss 'il11'; did you mean 'il1'?",
        ),
        ('[[rules]]\nmeasure = "il1"\nmaximum = 0\n', "did you mean 'max'?"),
        ("[[rules]\n", "policy.toml"),
        ("", "has no rules"),
    ],
)
def test_a_mistake_in_the_policy_ends_with_2_and_one_line(check, text: str, words: str) -> None:
    done = check(text)
    assert done.code == 2 and done.out == ""
    assert words in done.err and done.err.count("\n") == 1


def test_the_figures_are_those_of_assess(run: Run, check, people: Path, masked: Path, schema: Path) -> None:
    line = check(MET + BROKEN, "--json")
    scores = run(
        "assess",
        people,
        masked,
        "--rows-in-order",
        "--schema",
        schema,
        "--measure",
        "distance-linkage",
        "--measure",
        "il1:cap=1",
        "--json",
    ).json["scores"]
    assert line.code == 1 and not line.json["met"]
    rules = line.json["rules"]
    assert [rule["value"] for rule in rules] == [score["value"] for score in scores]
    assert [rule["interval"] for rule in rules] == [score["interval"] for score in scores]
    assert [rule["met"] for rule in rules] == [True, False]
    assert rules[1]["parameters"] == {"cap": 1.0} and rules[1]["max"] == 0 and rules[1]["min"] is None


def test_without_the_recipe_an_attack_on_it_is_not_passed(check) -> None:
    done = check(INFORMED)
    assert done.code == 1 and "give the recipe" in done.out
    lenient = check(INFORMED + "optional = true\n")  # it applies: only the recipe was not given
    assert lenient.code == 1 and "give the recipe" in lenient.out


def test_with_the_recipe_it_is_judged(check, tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('[[steps]]\nmethod = "mdav"\ngroup_size = 3\n', encoding="utf-8")
    assert check(INFORMED, "--recipe", recipe).code == 0


def test_junit_is_written_whatever_the_verdict_and_never_over_another_file(check, tmp_path: Path) -> None:
    out = tmp_path / "gate.xml"
    assert check(MET + BROKEN, "--junit", out).code == 1
    suite = ElementTree.parse(out).getroot().find("testsuite")
    assert suite is not None and (suite.get("tests"), suite.get("failures")) == ("2", "1")
    again = check(MET, "--junit", out)
    assert again.code == 2 and "exists already" in again.err
    assert check(MET, "--junit", out, "--force").code == 0


def test_a_file_that_still_has_an_identifier_is_refused(run: Run, people: Path, schema: Path, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text('[[rules]]\nmeasure = "il1"\nmax = 1\n', encoding="utf-8")
    done = run("gate", people, "--original", people, "--policy", policy, "--schema", schema)
    assert done.code == 2 and "still has the identifier name" in done.err


def test_columns_that_no_measure_uses_are_reported(check, masked: Path) -> None:
    head, first, *rows = masked.read_text(encoding="utf-8").splitlines()
    masked.write_text("\n".join([head.replace("region", "Region"), first, *rows]) + "\n", encoding="utf-8")
    assert "'Region' that the original lacks, and no measure uses it; did you mean 'region'?" in check(MET).err
    masked.write_text("\n".join([head, "old" + first[first.index(",") :], *rows]) + "\n", encoding="utf-8")
    assert "'age' has numbers in the original and text in the masked file" in check(MET).err


def test_a_misspelt_table_of_the_schema_is_no_schema(check, schema: Path) -> None:
    schema.write_text('[atributes.name]\nrole = "identifier"\n', encoding="utf-8")
    done = check(MET)
    assert done.code == 2 and "did you mean 'attributes'" in done.err


def test_a_long_rule_does_not_squeeze_its_figure_out_of_the_table() -> None:
    rule = Rule(
        build("risk", "distance-linkage"), "by_attribute.the income of the whole household in the last year", 0.125
    )
    console = Console(width=60, file=io.StringIO())
    console.print(verdict_table(Verdict((Finding(rule, 0.0625),))))
    output = console.file.getvalue()
    assert "0.0625" in output and "≤ 0.125" in output and "…" not in output


def test_quiet_gives_one_line_a_rule(check) -> None:
    lines = check(MET + BROKEN, "-q").out.splitlines()
    assert [line.split("\t")[:2] for line in lines] == [["met", "distance-linkage"], ["NOT MET", "il1:cap=1.0"]]


def test_edits_that_the_masking_broke_are_reported(run: Run, tmp_path: Path) -> None:
    rows = [f"{10 + number + number % 3},{10 + number},{number % 3}" for number in range(40)]
    original, masked, schema, policy = (tmp_path / name for name in ("o.csv", "m.csv", "s.toml", "p.toml"))
    original.write_text("\n".join(["turnover,costs,profit", *rows]) + "\n", encoding="utf-8")
    schema.write_text("[[edits]]\nterms = { turnover = 1, costs = -1, profit = -1 }\nequals = 0\n", encoding="utf-8")
    policy.write_text('[[rules]]\nmeasure = "il1"\nmax = 100\n', encoding="utf-8")
    noise = ("--method", "additive-noise:variance_share=0.5", "--attributes", "turnover", "--schema", schema)
    made = run("protect", original, masked, *noise, "--recipe-out", tmp_path / "r.toml")
    assert "turnover − costs − profit = 0: broken in " in made.out and "(0 before)" in made.out
    two = ("--schema", schema, "--recipe", tmp_path / "r.toml")
    gated = run("gate", masked, "--original", original, "--policy", policy, *two, "--json").json
    assessed = run("assess", original, masked, *two, "--measure", "il1", "--json").json
    assert gated["broken_edits"] == assessed["broken_edits"]
    (check,) = gated["broken_edits"]
    assert check["broken"] > 30 and check["broken_before"] == 0
