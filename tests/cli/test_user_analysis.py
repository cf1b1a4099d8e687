"""The user's own analysis, from the command line and from a policy."""

from pathlib import Path

import pytest

MODEL = """\
def mean_age(frame):
    print("a word of the user's")
    return {"mean": frame["age"].mean()}


def wrong(frame):
    return frame["aeg"]


def gap(before, after):
    return abs(before["mean"] - after["mean"]) + 1
"""
OWN = "user-analysis-loss:analysis=model.py"


@pytest.fixture
def files(run, people, schema, tmp_path, monkeypatch):
    """The people, protected, and a model beside them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(MODEL, encoding="utf-8")
    made = run("protect", people, "safe.csv", "--schema", schema, "--method", "rank-swapping:window=0.2", "--seed", 1)
    assert made.code == 0
    return people, Path("safe.csv"), "--schema", schema


def test_assess_takes_a_function_of_a_file(run, files):
    result = run("assess", *files, "--rows-in-order", "--measure", f"{OWN}:mean_age", "--json")
    assert result.code == 0
    assert result.json["scores"][0]["value"] == pytest.approx(0, abs=1e-12)  # swapping keeps means
    assert "a word of the user's" in result.err


def test_a_divergence_too(run, files):
    result = run("assess", *files, "--rows-in-order", "--measure", f"{OWN}:mean_age,divergence=model.py:gap", "--json")
    assert result.json["scores"][0]["value"] == pytest.approx(1)


def test_an_ordinary_assessment_runs_nothing_and_tells_the_cure(run, files):
    result = run("assess", *files, "--rows-in-order", "--json")
    assert "user-analysis-loss:analysis=model.py:fit" in result.json["skipped"]["user-analysis-loss"]
    beside = run("assess", *files, "--rows-in-order", "--also", f"{OWN}:mean_age", "--json")
    assert {score["name"] for score in beside.json["scores"]} == {score["name"] for score in result.json["scores"]} | {
        "user-analysis-loss"
    }


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("user-analysis-loss", "it needs your analysis; name one as user-analysis-loss:analysis=model.py:fit"),
        ("user-analysis-loss:analysis=modle.py:fit", "modle.py cannot be read: No such file"),
        (f"{OWN}:maen_age", "there is no function in model.py called 'maen_age'; did you mean 'mean_age'?"),
        (f"{OWN}:wrong", "model.py:wrong fails in model.py, line 7, with "),
        (f"{OWN}:mean_age,divergence=model.py:wrong", "model.py:wrong fails with TypeError"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(run, files, measure, words):
    done = run("assess", *files, "--rows-in-order", "--measure", measure)
    assert done.code == 2 and done.out == ""
    line = done.err.strip().splitlines()[-1]
    assert line.startswith("error: ") and words in line


def test_a_policy_names_files_beside_itself(run, files, tmp_path, monkeypatch):
    people, safe, *schema = files
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "own.py").write_text(MODEL, encoding="utf-8")
    policy = folder / "policy.toml"
    rule = '[[rules]]\nmeasure = "user-analysis-loss"\nanalysis = "own.py:{}"\nmax = 0.1\n'
    policy.write_text(rule.format("mean_age"), encoding="utf-8")
    typed = ("gate", safe, "--original", people, *schema, "--rows-in-order", "--policy", policy)
    allowed = (*typed, "--allow-code", folder / "own.py")
    result = run(*allowed, "--json")
    assert result.code == 0
    assert result.json["rules"][0]["rule"] == "user-analysis-loss:analysis=own.py:mean_age"
    assert str(tmp_path) not in result.out
    policy.write_text(rule.format("maen_age"), encoding="utf-8")
    wrong = run(*allowed)
    assert wrong.code == 2 and "policy.toml, rule 1: there is no function in own.py" in wrong.err


def test_a_sweep_looks_at_it(run, files):
    people, _, *schema = files
    options = ("--methods", "rank-swapping", "--seeds", 1, "--workers", 1, "--loss", f"{OWN}:mean_age", "--json")
    result = run("sweep", people, *schema, *options)
    assert result.code == 0 and result.json["loss"] == "user-analysis-loss"
    assert "il1s" in result.json["kinds"]


@pytest.mark.slow
def test_tune_lowers_it(run, files):
    people, _, *schema = files
    options = ("--max-risk", 1, "--methods", "rank-swapping", "--trials", 3, "--draws", 1, "--workers", 1, "--json")
    result = run("tune", people, *schema, *options, "--loss", f"{OWN}:mean_age")
    assert result.code == 0 and result.json["loss"] == "user-analysis-loss"
    assert result.json["best"]["loss"] == pytest.approx(0, abs=1e-12)


@pytest.mark.slow
def test_the_report_shows_it(run, files):
    people, safe, *schema = files
    result = run("report", people, safe, "report.html", "--rows-in-order", *schema, "--also", f"{OWN}:mean_age")
    assert result.code == 0
    assert "user-analysis-loss" in Path("report.html").read_text(encoding="utf-8")


def test_it_is_in_the_catalogue(run):
    assert "user-analysis-loss" in run("list", "loss", "-q").out
    assert "--measure user-analysis-loss:analysis=model.py:fit" in " ".join(
        run("show", "user-analysis-loss").out.split()
    )
