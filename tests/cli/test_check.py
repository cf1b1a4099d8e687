"""Documents are checked without the data, and all their problems are listed."""

from pathlib import Path

import pytest
from tests.cli.conftest import Run

RECIPE = '[[steps]]\nmethod = "mdav"\ngroup_size = 3\n'
BAD_RECIPE = '[[steps]]\nmethod = "mdev"\n\n[[steps]]\nmethod = "mdav"\ngroup_size = 0\n'
POLICY = '[[rules]]\nmeasure = "distance-linkage"\nmax = 0.1\n'


@pytest.fixture
def write(tmp_path: Path):
    def write(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_good_documents_have_no_problems(run: Run, write, schema: Path) -> None:
    done = run("check", schema, write("recipe.toml", RECIPE), write("policy.toml", POLICY))
    assert done.code == 0
    assert "No problems found in 3 documents" in done.out


def test_all_problems_of_all_documents_are_listed_with_table_key_message_and_cure(run: Run, write) -> None:
    recipe, policy = write("recipe.toml", BAD_RECIPE), write("policy.toml", '[[rules]]\nmeasure = "il1"\n')
    done = run("check", recipe, policy, "--json")
    assert done.code == 2
    problems = done.json["problems"]
    assert [(Path(each["file"]).name, each["table"], each["key"]) for each in problems] == [
        ("recipe.toml", "steps 1", "method"),
        ("recipe.toml", "steps 2", "group_size"),
        ("policy.toml", "rules 1", "max"),
    ]
    assert "mdev" in problems[0]["message"]
    assert "max = …" in problems[2]["cure"]


def test_problems_are_lines_for_a_person_and_for_a_program(run: Run, write) -> None:
    recipe = write("recipe.toml", BAD_RECIPE)
    shown, bare = run("check", recipe), run("check", recipe, "--quiet")
    assert shown.out.count("problem ") == 2
    assert [line.split("\t")[:3] for line in bare.out.splitlines()] == [
        [str(recipe), "steps 1", "method"],
        [str(recipe), "steps 2", "group_size"],
    ]


def test_a_file_that_is_not_there_or_not_toml_is_a_problem(run: Run, write, tmp_path: Path) -> None:
    done = run("check", tmp_path / "none.toml", write("text.toml", "no toml"), "--json")
    assert done.code == 2
    assert len(done.json["problems"]) == 2


def test_a_recipe_that_protect_wrote_has_no_problems(run: Run, people: Path, schema: Path, tmp_path: Path) -> None:
    recipe = tmp_path / "written.toml"
    run("protect", people, tmp_path / "out.csv", "--schema", schema, "--method", "mdav", "--recipe-out", recipe)
    assert run("check", recipe).code == 0


def test_protect_only_checks(run: Run, write, people: Path, schema: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    bad = run("protect", people, out, "--schema", schema, "--recipe", write("r.toml", BAD_RECIPE), "--check", "--json")
    assert bad.code == 2 and len(bad.json["problems"]) == 2
    good = run("protect", people, out, "--schema", schema, "--recipe", write("good.toml", RECIPE), "--check")
    assert good.code == 0 and "No problems found in 2 documents" in good.out
    typed = run("protect", people, out, "--method", "mdav:group_size=x", "--check", "--json")
    assert typed.code == 2 and "group_size" in typed.json["problems"][0]["message"]
    assert not out.exists()


def test_gate_only_checks(run: Run, write, people: Path, schema: Path) -> None:
    policy = write("policy.toml", POLICY)
    named = ("gate", people, "--original", people, "--schema", schema, "--check")
    assert run(*named, "--policy", policy).code == 0
    done = run(*named, "--policy", policy, "--recipe", write("r.toml", BAD_RECIPE), "--json")
    assert done.code == 2 and len(done.json["problems"]) == 2


def test_assess_only_checks(run: Run, write, people: Path, schema: Path) -> None:
    named = ("assess", people, people, "--check", "--json")
    assert run(*named, "--schema", schema, "--measure", "il1").code == 0
    done = run(*named, "--measure", "il11", "--measure", "distance", "--knowledge", "some")
    assert done.code == 2 and len(done.json["problems"]) == 3


def test_a_document_named_for_what_it_is_not_is_a_problem(run: Run, write, people: Path, schema: Path) -> None:
    done = run("gate", people, "--original", people, "--policy", schema, "--check", "--json")
    assert done.code == 2
    assert "rules" in done.json["problems"][0]["message"]
    assert "[[rules]]" in done.json["problems"][0]["cure"]
