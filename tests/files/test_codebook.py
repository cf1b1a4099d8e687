"""DDI-Codebooks: what they declare becomes a schema, and a written one has what occurs in the file alone."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit import protect, read, write
from sdckit.attribute import Kind, Level, Role
from sdckit.cli import main
from sdckit.errors import FileError, SchemaError
from sdckit.files.codebook import read_codebook
from sdckit.files.codebook_text import codebook_text
from sdckit.microdata import Microdata
from sdckit.schema import Schema

CODEBOOK = """<?xml version="1.0" encoding="UTF-8"?>
<codeBook xmlns="ddi:codebook:2_5" version="2.5">
 <dataDscr>
  <var ID="V1" name="q1" intrvl="discrete"><labl>Do you work?</labl>
   <invalrng><range min="8" max="9"/></invalrng>
   <catgry><catValu>1</catValu><labl>yes</labl></catgry>
   <catgry><catValu>2</catValu><labl>no</labl></catgry>
   <catgry missing="Y"><catValu>9</catValu><labl>No
      answer</labl></catgry>
   <catgry missing="Y"><catValu>.</catValu></catgry>
  </var>
  <var ID="V2" name="income" intrvl="contin" dcml="2"><invalrng><item VALUE="-9"/></invalrng></var>
  <var ID="V3" name="w" intrvl="contin" wgt="wgt"><labl>Weight</labl></var>
  <var ID="V4" name="region" nature="nominal"><anlysUnit>Household</anlysUnit>
   <catgry><catValu>01</catValu><labl>North</labl></catgry></var>
  <var ID="V5" name="size" intrvl="discrete"/>
 </dataDscr>
</codeBook>
"""


@pytest.fixture
def codebook(tmp_path: Path) -> Path:
    path = tmp_path / "codebook.xml"
    path.write_text(CODEBOOK, encoding="utf-8")
    return path


def test_labels_codes_kinds_and_weights_become_a_schema(codebook):
    found = read_codebook(codebook).attributes
    assert found["q1"].label == "Do you work?"
    assert found["q1"].value_labels == {1: "yes", 2: "no", 9: "No answer"}
    assert found["q1"].missing == (9, 8)
    assert (found["q1"].kind, found["q1"].role) == (Kind.UNORDERED, None)
    assert (found["income"].kind, found["income"].missing, found["income"].decimals) == (Kind.CONTINUOUS, (-9,), 2)
    assert found["w"].role is Role.WEIGHT
    assert (found["region"].level, found["region"].value_labels) == (Level.HOUSEHOLD, {"01": "North"})
    assert found["size"].kind is Kind.DISCRETE


def test_a_file_is_read_under_a_codebook(codebook, tmp_path):
    file = tmp_path / "file.csv"
    file.write_text("q1,income,w,region,size\n1,2.50,1.0,01,3\n9,-9,2.0,01,4\n8,3.75,1.5,02,4\n", encoding="utf-8")
    data = read(file, codebook)
    assert data.missing("q1") == 2
    assert data.missing("income") == 1
    assert data.attribute("q1").categories == (1,)
    draft = tmp_path / "schema.toml"
    assert main(["describe", str(file), "--schema", str(codebook), "--schema-out", str(draft), "-q"]) == 0
    declared = Schema.from_toml(draft).attributes
    assert declared["q1"].missing == (9, 8)
    assert declared["w"].role is Role.WEIGHT
    assert all(each.role is not None for each in declared.values())


def a_file() -> Microdata:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {
            "name": [f"person {number}" for number in range(40)],
            "town": ["Ely"] * 20 + ["Rye"] * 19 + ["Wells"],
            "code": rng.integers(1, 4, 40),
            "income": np.round(rng.lognormal(7, 0.4, 40), 2),
            "w": rng.uniform(1, 3, 40),
        }
    )
    schema = Schema.from_dict(
        {
            "attributes": {
                "name": {"role": "identifier"},
                "town": {"role": "key", "label": "Town <of> living", "level": "household"},
                "code": {
                    "role": "key",
                    "kind": "unordered",
                    "value_labels": {"1": "one", "2": "two", "3": "three", "4": "nobody's"},
                },
                "income": {"role": "confidential", "decimals": 2},
                "w": {"role": "weight"},
            }
        }
    )
    return Microdata.from_frame(frame, schema=schema)


def test_a_written_codebook_describes_the_file_and_reads_again(tmp_path):
    data = a_file()
    (tmp_path / "out.xml").write_text(codebook_text(data, "file.csv"), encoding="utf-8")
    found = read_codebook(tmp_path / "out.xml").attributes
    assert list(found) == ["town", "code", "income", "w"]
    for name, declared in found.items():
        attribute = data.attribute(name)
        assert (declared.role, declared.kind) == (attribute.role, attribute.kind)
        assert (declared.label or "") == attribute.label
    assert found["code"].value_labels == {1: "one", 2: "two", 3: "three"}
    assert found["town"].level is Level.HOUSEHOLD
    write(data, tmp_path / "file.csv")
    again = read(tmp_path / "file.csv", tmp_path / "out.xml")
    assert again.values("town").tolist() == data.values("town").tolist()


def test_what_was_masked_away_is_not_in_the_codebook():
    data = a_file()
    release = protect(data, "global-recoding-groups:groups=Rye|Wells=coast", ["town"])
    text = codebook_text(release.masked, "file.csv")
    assert "coast" in text
    assert "Wells" not in text
    assert "person 1" not in text
    assert "nobody" not in text


def test_the_command_writes_one(tmp_path):
    source = tmp_path / "in.csv"
    source.write_text("age,town\n" + "".join(f"{20 + n},{'Ely' if n % 2 else 'Rye'}\n" for n in range(30)))
    out = tmp_path / "codebook.xml"
    words = ["protect", source, tmp_path / "out.csv", "--method", "mdav", "--attributes", "age", "--codebook-out", out]
    assert main([str(each) for each in [*words, "-q"]]) == 0
    assert set(read_codebook(out).attributes) == {"age", "town"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<codeBook/>", "no var element"),
        ("<codeBook><var", "not a readable DDI-Codebook"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><codeBook/>', "declares a document type"),
        ("<codeBook><var/></codeBook>", "has no name"),
        ('<codeBook><var name="a"/><var name="a"/></codeBook>', "appears twice"),
        ('<codeBook><var name="a"><notes type="sdckit:role">kee</notes></var></codeBook>', "no role 'kee'"),
    ],
)
def test_a_codebook_that_cannot_be_used_is_refused_in_a_line(content, message, tmp_path):
    path = tmp_path / "codebook.xml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises((FileError, SchemaError), match=message):
        read_codebook(path)
