"""Mistakes of the user's: one line with the cure, exit code 2, nothing written."""

from pathlib import Path

import pytest

from .conftest import Run

GOOD = "name,age,income\nAda,31,2100\nBo,44,3900\nCy,52,4800\nDi,29,1900\n"
MDAV = ("--method", "mdav:group_size=2")
NOISE = ("--method", "additive-noise")

CASES = {
    "a wrong column name": (
        GOOD,
        (*MDAV, "--attributes", "incme"),
        "there is no column 'incme'; did you mean 'income'?",
    ),
    "an unknown method": (GOOD, ("--method", "mdva"), "there is no masking 'mdva'; did you mean 'mdav'?"),
    "a measure as a method": (GOOD, ("--method", "il1"), "there is no masking 'il1'"),
    "an unknown parameter": (GOOD, ("--method", "mdav:groupsize=3"), "did you mean 'group_size'?"),
    "a parameter out of range": (GOOD, ("--method", "mdav:group_size=0"), "out of range; use at least 1"),
    "a share given as a percentage": (GOOD, ("--method", "rank-swapping:window=5"), "out of range; use 0 to 1"),
    "a parameter of the wrong type": (GOOD, ("--method", "mdav:group_size=three"), "is not a whole number"),
    "a parameter without a value": (GOOD, ("--method", "mdav:group_size"), "write parameters as name=value"),
    "a negative seed": (GOOD, (*MDAV, "--seed", "-1"), "0 or more"),
    "no method at all": (GOOD, (), "sdckit list masking"),
    "a text column": (GOOD, (*NOISE, "--attributes", "name"), "'name' is unordered"),
    "a column named twice": (GOOD, (*MDAV, "--attributes", "age,age"), "named twice"),
    "an empty file": ("", MDAV, "empty"),
    "a header without records": ("age,income\n", MDAV, "no records"),
    "duplicate column names": ("age,age\n1,2\n3,4\n", MDAV, "'age'"),
    "mixed types in a column": ("age\n31\nforty\n52\n29\n", (*NOISE, "--attributes", "age"), "'age'"),
    "a column without any value": (
        "age,income\n,1\n,2\n,3\n",
        (*MDAV, "--attributes", "age,income"),
        "'age' has no values at all",
    ),
    "fewer records than a group": (GOOD, ("--method", "mdav:group_size=5"), "use a smaller group_size"),
}


@pytest.mark.parametrize("case", CASES)
def test_a_mistake_is_one_line_with_the_cure(run: Run, tmp_path: Path, case: str) -> None:
    text, arguments, cure = CASES[case]
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text(text, encoding="utf-8")
    done = run("protect", source, target, *arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ") and done.err.count("\n") == 1, done.err
    assert cure in done.err
    assert sorted(tmp_path.iterdir()) == [source]


def refused(run: Run, *arguments: object) -> str:
    done = run(*arguments)
    assert done.code == 2 and done.out == ""
    assert done.err.startswith("error: ") and done.err.count("\n") == 1, done.err
    return done.err


def test_an_unreadable_encoding(run: Run, tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(b"age,n\x00\x81\x8d\xff\xfe\n\x00\x01\x02,\xff\n" * 3)
    assert "in.csv" in refused(run, "protect", source, tmp_path / "out.csv", *MDAV)
    assert not (tmp_path / "out.csv").exists()


def test_a_file_that_is_not_there_with_the_near_miss(run: Run, tmp_path: Path) -> None:
    (tmp_path / "survey.csv").write_text(GOOD, encoding="utf-8")
    assert "did you mean 'survey.csv'?" in refused(run, "describe", tmp_path / "survy.csv")


def test_a_folder_for_a_file(run: Run, tmp_path: Path) -> None:
    assert "is a folder" in refused(run, "describe", tmp_path)


def test_a_folder_that_is_not_there_to_write_into(run: Run, people: Path, tmp_path: Path) -> None:
    assert "folder" in refused(run, "protect", people, tmp_path / "nowhere" / "out.csv", *MDAV)


def test_an_unknown_format(run: Run, people: Path, tmp_path: Path) -> None:
    assert ".xyz" in refused(run, "protect", people, tmp_path / "out.xyz", *MDAV)
    assert not (tmp_path / "out.xyz").exists()


@pytest.mark.parametrize(
    ("schema", "cure"),
    [
        ('[attributes.incme]\nrole = "key"\n', "did you mean 'income'?"),
        ('[attributes.age]\nrole = "keys"\n', "did you mean 'key'?"),
        ('[attributes.age]\nkind = "continous"\n', "did you mean 'continuous'?"),
        ('[attributes.age]\nrolle = "key"\n', "did you mean 'role'?"),
        ("[attributes.age\n", "is not valid TOML"),
    ],
)
def test_a_schema_that_does_not_fit(run: Run, tmp_path: Path, schema: str, cure: str) -> None:
    source, schema_path = tmp_path / "in.csv", tmp_path / "schema.toml"
    source.write_text(GOOD, encoding="utf-8")
    schema_path.write_text(schema, encoding="utf-8")
    assert cure in refused(run, "protect", source, tmp_path / "out.csv", *MDAV, "--schema", schema_path)
    assert cure in refused(run, "assess", source, source, "--schema", schema_path)
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    ("recipe", "cure"),
    [
        ('[[steps]]\nmethod = "mdva"\n', "did you mean 'mdav'?"),
        ('[[steps]]\nmethod = "mdav"\ngroup_sise = 3\n', "did you mean 'group_size'?"),
        ('[[steps]]\nmethod = "mdav"\nattributes = ["agee"]\n', "did you mean 'age'?"),
        ("", "has no steps"),
    ],
)
def test_a_recipe_that_cannot_be_cooked(run: Run, people: Path, tmp_path: Path, recipe: str, cure: str) -> None:
    recipe_path = tmp_path / "recipe.toml"
    recipe_path.write_text(recipe, encoding="utf-8")
    assert cure in refused(run, "protect", people, tmp_path / "out.csv", "--recipe", recipe_path)
    assert not (tmp_path / "out.csv").exists()


def test_a_recipe_and_a_method_at_once(run: Run, people: Path, tmp_path: Path) -> None:
    recipe_path = tmp_path / "recipe.toml"
    recipe_path.write_text('[[steps]]\nmethod = "mdav"\n', encoding="utf-8")
    err = refused(run, "protect", people, tmp_path / "out.csv", "--recipe", recipe_path, *MDAV)
    assert "leave one out" in err


def test_two_files_that_share_no_column(run: Run, people: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.csv"
    other.write_text("height\n1\n2\n", encoding="utf-8")
    assert "no column in common" in refused(run, "assess", people, other)


@pytest.mark.parametrize(
    ("measure", "cure"),
    [("il9", "did you mean"), ("il1:kap=1", "did you mean 'cap'?"), ("il1:cap", "name=value"), ("il1:cap=-1", "range")],
)
def test_a_measure_that_is_not(run: Run, people: Path, measure: str, cure: str) -> None:
    assert cure in refused(run, "assess", people, people, "--rows-in-order", "--measure", measure)


def test_a_failure_leaves_the_old_file_whole_even_with_force(run: Run, people: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("precious", encoding="utf-8")
    refused(run, "protect", people, target, "--method", "mdav:group_size=1000", "--attributes", "age", "--force")
    assert target.read_text(encoding="utf-8") == "precious"
