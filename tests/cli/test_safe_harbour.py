"""`sdckit safe-harbour`: exit code 1 where a column is left to look at."""

from pathlib import Path

from .conftest import Run


def test_it_ends_with_one_where_something_is_left(run: Run, tmp_path: Path) -> None:
    data, schema = tmp_path / "a.csv", tmp_path / "s.toml"
    data.write_text("mrn,sex\n1,f\n2,m\n")
    schema.write_text('[attributes.mrn]\nrole = "identifier"\n[attributes.sex]\nrole = "key"\n')
    found = run("safe-harbour", data, "--json")
    assert found.code == 1
    assert [each["letter"] for each in found.json["findings"]] == ["H"]
    assert run("safe-harbour", data, "--schema", schema).code == 0
    assert run("safe-harbour", schema).code == 0
