"""`sdckit receipt`: written for one record, private, and checked against the published file alone."""

import json
import stat
from pathlib import Path

import pytest
from tests.cli.conftest import Run


@pytest.fixture
def masked(run: Run, people: Path, schema: Path, tmp_path: Path) -> Path:
    path = tmp_path / "safe.csv"
    done = run(
        *("protect", people, path, "--schema", schema, "--method", "rank-swapping:window=0.2"),
        *("--shuffle-rows", "--seed", 1),
    )
    assert done.code == 0, done.err
    return path


@pytest.fixture
def made(run: Run, people: Path, schema: Path, masked: Path, tmp_path: Path) -> Path:
    path = tmp_path / "receipt.json"
    done = run("receipt", people, masked, "--identifier", "name=person 7", "--schema", schema, "--out", path)
    assert done.code == 0, done.err
    return path


def test_it_is_written_for_the_subject_alone(made: Path) -> None:
    text = made.with_suffix(".txt")
    for path in (made, text):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    content = json.loads(made.read_text(encoding="utf-8"))
    assert [each["name"] for each in content["own"]] == ["age", "income, net"]
    assert "person 7" not in made.read_text(encoding="utf-8") + text.read_text(encoding="utf-8")


def test_the_published_file_alone_confirms_it(run: Run, made: Path, masked: Path, people: Path, schema: Path) -> None:
    people.unlink()
    schema.unlink()
    done = run("receipt", masked, "--verify", made)
    assert done.code == 0, done.err
    assert "confirms the receipt" in done.out
    assert run("receipt", masked, "--verify", made, "--json").json["verified"] is True


def test_the_order_of_the_rows_does_not_matter(run: Run, made: Path, masked: Path) -> None:
    head, *rows = masked.read_text(encoding="utf-8").splitlines()
    masked.write_text("\n".join([head, *sorted(rows)]) + "\n", encoding="utf-8")
    assert run("receipt", masked, "--verify", made, "--quiet").out.strip() == "verified"


def test_another_file_does_not_confirm_it(run: Run, made: Path, masked: Path) -> None:
    lines = masked.read_text(encoding="utf-8").splitlines()
    masked.write_text("\n".join(lines[:-5]) + "\n", encoding="utf-8")
    done = run("receipt", masked, "--verify", made)
    assert done.code == 1 and "not confirmed" in done.out
    bare = run("receipt", masked, "--verify", made, "--json")
    assert bare.code == 1 and bare.json["verified"] is False and bare.json["differences"]


def test_a_record_by_number_is_the_same_record(
    run: Run, made: Path, masked: Path, people: Path, schema: Path, tmp_path: Path
) -> None:
    again = tmp_path / "again.json"
    done = run("receipt", people, masked, "--record", 7, "--schema", schema, "--out", again, "--json")
    assert done.code == 0, done.out
    assert again.read_text(encoding="utf-8") == made.read_text(encoding="utf-8")
    assert set(done.json) == {"distance", "share", "rows", "records", "path", "text_path"}  # no value of hers


def test_categories_and_missing_codes_are_read_alike_without_the_schema(run: Run, tmp_path: Path) -> None:
    original, masked, schema = tmp_path / "o.csv", tmp_path / "m.csv", tmp_path / "s.toml"
    original.write_text("id,code,pay\na,1,10\nb,2,20\nc,3,30\n", encoding="utf-8")
    masked.write_text("code,pay\n3,-9\n2,10\n1,30\n", encoding="utf-8")
    schema.write_text(
        '[attributes.id]\nrole = "identifier"\n[attributes.code]\nrole = "key"\nkind = "unordered"\n'
        '[attributes.pay]\nrole = "key"\nmissing = [-9]\n',
        encoding="utf-8",
    )
    out = tmp_path / "r.json"
    done = run("receipt", original, masked, "--identifier", "id=b", "--schema", schema, "--out", out, "--json")
    assert done.code == 0, done.out
    # Of the released 10 and 30, both are nearest to her 20, and the row with her code has one of them.
    assert (done.json["distance"], done.json["rows"]) == (0, 1)
    assert run("receipt", masked, "--verify", out).code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "--record NUMBER or by --identifier"),
        (("--record", 60), "numbered from 0"),
        (("--identifier", "name"), "not COLUMN=VALUE"),
        (("--identifier", "nam=person 7"), "did you mean 'name'"),
        (("--identifier", "name=person 99"), "0 records"),
        (("--record", 1, "--attributes", "agee"), "did you mean 'age'"),
    ],
)
def test_a_mistake_is_one_line(
    run: Run, people: Path, masked: Path, schema: Path, tmp_path: Path, options: tuple[object, ...], message: str
) -> None:
    done = run("receipt", people, masked, "--schema", schema, "--out", tmp_path / "r.json", *options)
    assert done.code == 2 and message in done.err and done.err.count("\n") == 1
    assert not (tmp_path / "r.json").exists()


def test_what_is_missing_on_the_command_line_is_named(run: Run, people: Path, masked: Path, made: Path) -> None:
    done = run("receipt", people, masked, "--record", 1)
    assert done.code == 2 and "--out" in done.err
    done = run("receipt", people, masked, "--verify", made)
    assert done.code == 2 and "the published file alone" in done.err
    done = run("receipt", people, masked, "--record", 1, "--out", made)
    assert done.code == 2 and "--force" in done.err
    done = run("receipt", people, masked, "--record", 1, "--out", made.with_suffix(".txt"), "--force")
    assert done.code == 2 and ".json" in done.err
    done = run("receipt", masked, "--verify", masked)
    assert done.code == 2 and "not a receipt" in done.err
