"""`sdckit groups`: a table of groups from a masked file."""

from pathlib import Path

import polars as pl

from .conftest import Run


def test_groups_of_a_masked_file(run: Run, tmp_path: Path) -> None:
    masked, schema, out = tmp_path / "safe.csv", tmp_path / "s.toml", tmp_path / "groups.csv"
    masked.write_text("zip,age,ill\n482**,30–39,flu\n482**,30–39,flu\n482**,30–39,angina\n,,flu\n,,flu\n,,flu\n")
    numbers = tmp_path / "numbers.csv"
    numbers.write_text("zip,age\n48201,3\n48201,3\n48201,3\n48201,*\n48201,*\n48201,*\n")
    schema.write_text(
        '[attributes.zip]\nrole = "key"\nhierarchy = { prefix = [2] }\n[attributes.age]\nrole = "key"\n'
        '[attributes.ill]\nrole = "confidential"\n'
    )
    assert run("groups", masked, out, "--schema", schema).code == 0
    assert pl.read_csv(out).rows() == [("482**", "30–39", 3), (None, None, 3)]
    assert run("groups", masked, out).code == 2
    assert run("groups", masked, tmp_path / "by.csv", "--by", "ill").code == 0
    assert run("groups", masked, tmp_path / "none.csv").code == 2
    assert run("groups", numbers, tmp_path / "mixed.csv", "--schema", schema).code == 0
    assert set(pl.read_csv(tmp_path / "mixed.csv").rows()) == {(48201, "3", 3), (48201, "*", 3)}
