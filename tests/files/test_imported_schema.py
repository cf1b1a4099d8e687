"""Roles of sdcMicro, and roles and hierarchies of ARX, become a schema."""

import gzip
import io
import json
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import polars as pl
import pytest
from rdata.conversion import ConverterFromPythonToR
from rdata.conversion.to_r import build_r_list, build_r_object
from rdata.parser import RObject, RObjectType
from rdata.unparser import UnparserXDR
from rdata.unparser._unparser import pack_r_object_info
from tests.cli.conftest import Run, run

import sdckit
from sdckit.errors import FileError, SchemaError, UnknownNameError
from sdckit.files.imported_schema import import_schema
from sdckit.microdata import Kind, Role
from sdckit.schema import Schema

__all__ = ["run"]
COLUMNS = ["hid", "sex", "zip", "income", "w", "illness", "region", "remark"]
DEFINITION = """<definition>
  <assigment><name>hid</name><type>IDENTIFYING_ATTRIBUTE</type><datatype>String</datatype></assigment>
  <assigment><name>zip</name><type>QUASI_IDENTIFYING_ATTRIBUTE</type><datatype>String</datatype>
    <ref>hierarchies/zip.csv</ref><min>All</min><max>All</max></assigment>
  <assigment><name>income</name><type>SENSITIVE_ATTRIBUTE</type><datatype>Decimal</datatype></assigment>
  <assigment><name>illness</name><type>SENSITIVE_ATTRIBUTE</type><datatype>String</datatype></assigment>
  <assigment><name>remark</name><type>INSENSITIVE_ATTRIBUTE</type><datatype>String</datatype></assigment>
</definition>"""


class UnparserOfS4(UnparserXDR):
    """Writes S4 objects too: no value, and the slots as attributes."""

    def unparse_r_object(self, obj: RObject) -> None:
        if obj.info.type is not RObjectType.S4:
            super().unparse_r_object(obj)
            return
        self.unparse_int(pack_r_object_info(obj.info))
        assert obj.attributes is not None
        super().unparse_r_object(obj.attributes)


def write_sdcmicro_object(path: Path, slots: dict[str, object]) -> None:
    """Write an object of R's class sdcMicroObj as saveRDS() does; a slot without value is a symbol."""
    converter = ConverterFromPythonToR()
    document = converter.convert_to_r_data(1.0)
    pairs = [
        (
            converter.convert_to_r_sym(name),
            converter.convert_to_r_sym("\x01NULL\x01")
            if value is None
            else converter.convert_to_r_object(
                np.array(value) if isinstance(value, list) and name != "ghostVars" else value
            ),
        )
        for name, value in slots.items()
    ]
    document.object = build_r_object(RObjectType.S4, is_object=True, attributes=build_r_list(pairs), gp=16)
    stream = io.BytesIO()
    UnparserOfS4(stream).unparse_r_data(document)
    path.write_bytes(gzip.compress(stream.getvalue()))


@pytest.fixture
def frame() -> pl.DataFrame:
    rows = [
        (i // 3, "fm"[i % 2], f"4820{i % 10}", 100.5 + i, 1.5, "abc"[i % 3], "NS"[i % 2], f"t{i}") for i in range(60)
    ]
    return pl.DataFrame(rows, schema=COLUMNS, orient="row")


def roles(schema: Schema) -> dict[str, str]:
    return {name: each.role.value for name, each in schema.attributes.items() if each.role}


EXPECTED = {
    "sex": "key",
    "zip": "key",
    "income": "key",
    "w": "weight",
    "hid": "household",
    "illness": "confidential",
    "region": "other",
}


def test_roles_by_name(tmp_path: Path) -> None:
    path = tmp_path / "roles.json"
    slots = {
        "keyVars": ["sex", "zip"],
        "numVars": ["income"],
        "weightVar": "w",
        "hhId": "hid",
        "strataVar": "region",
        "sensibleVar": "illness",
        "pramVars": None,
    }
    path.write_text(json.dumps(slots), encoding="utf-8")
    imported = import_schema(path)
    assert roles(imported.schema) == EXPECTED
    assert imported.schema.attributes["income"].kind is Kind.CONTINUOUS
    assert imported.schema.attributes["sex"].kind is Kind.UNORDERED


def test_roles_by_number_are_counted_from_one(tmp_path: Path, frame: pl.DataFrame) -> None:
    path = tmp_path / "roles.json"
    path.write_text('{"keyVars": [2, 3], "weightVar": 5}', encoding="utf-8")
    imported = import_schema(path, sdckit.Microdata.from_frame(frame))
    assert [name for name, reason in imported.reasons.items() if "sdcMicro" in reason[0]] == ["w", "sex", "zip"]
    assert set(imported.unmentioned) == {"hid", "income", "illness", "region", "remark"}
    with pytest.raises(SchemaError, match="given by number; name the file itself"):
        import_schema(path)
    path.write_text('{"keyVars": [9]}', encoding="utf-8")
    with pytest.raises(SchemaError, match="there is no column 9; the file has 8"):
        import_schema(path, sdckit.Microdata.from_frame(frame))


def test_a_list_of_roles(tmp_path: Path) -> None:
    path = tmp_path / "roles.csv"
    path.write_text("variable,role\nsex,keyVars\nincome,numVars\nname,deletedVars\nremark,\n", encoding="utf-8")
    assert roles(import_schema(path).schema) == {"sex": "key", "income": "key", "name": "identifier"}
    path.write_text("variable,role\nsex,keyVar\n", encoding="utf-8")
    with pytest.raises(FileError, match="line 2: no role 'keyVar'; did you mean 'keyVars'"):
        import_schema(path)


def test_an_object_of_sdcmicro(tmp_path: Path, frame: pl.DataFrame) -> None:
    """Its slots are numbers of columns; ghost variables are lists of a key and what is linked to it."""
    path = tmp_path / "sdc.rds"
    slots = {
        "origData": frame.to_pandas().astype(dict.fromkeys(("sex", "zip", "illness", "region", "remark"), object)),
        "keyVars": [2.0, 3.0],
        "numVars": [4.0],
        "weightVar": [5.0],
        "hhId": [1.0],
        "sensibleVar": [6.0],
        "ghostVars": [[np.array([2.0]), np.array([7.0])]],
        "strataVar": None,
        "deletedVars": None,
        "class": "sdcMicroObj",
    }
    write_sdcmicro_object(path, slots)
    imported = import_schema(path)
    assert roles(imported.schema) == EXPECTED
    assert "ghost variable" in imported.reasons["region"][0]
    assert imported.reasons["sex"] == ["categorical key variable in sdcMicro"], "the key is no ghost"


def test_a_deleted_variable_is_an_identifier_where_the_file_still_has_it(tmp_path: Path, frame: pl.DataFrame) -> None:
    """sdcMicro's removeDirectID() deletes it from the data of the object, so the file may be either one."""
    path = tmp_path / "sdc.rds"
    data = frame.to_pandas().astype(dict.fromkeys(("sex", "zip", "illness", "region", "remark"), object))
    slots = {"origData": data, "keyVars": [2.0], "deletedVars": ["name"], "class": "sdcMicroObj"}
    write_sdcmicro_object(path, slots)
    without = import_schema(path, sdckit.Microdata.from_frame(frame))
    assert "name" not in without.schema.attributes
    assert without.notes == ("deleted in sdcMicro, and not in the file: name",)
    named = frame.with_columns(name=pl.Series([f"person {i}" for i in range(60)]))
    still = import_schema(path, sdckit.Microdata.from_frame(named))
    assert roles(still.schema)["name"] == "identifier" and not still.notes


def test_what_is_no_object_of_sdcmicro_is_refused(tmp_path: Path) -> None:
    import rdata

    path = tmp_path / "other.rds"
    rdata.write_rds(path, {"a": 1.0})
    with pytest.raises(FileError, match="has 0 sdcMicro objects"):
        import_schema(path)
    path.write_text("hello", encoding="utf-8")
    with pytest.raises(FileError, match="cannot be read as an R file"):
        import_schema(path)
    other = tmp_path / "roles.json"
    other.write_text('{"keyvars": ["a"]}', encoding="utf-8")
    with pytest.raises(FileError, match="did you mean 'keyVars'"):
        import_schema(other)
    with pytest.raises(FileError, match=r"roles are read from \.rds"):
        import_schema(tmp_path / "roles.xml")


def arx_project(path: Path, separator: str = ";") -> None:
    with ZipFile(path, "w") as project:
        project.writestr("input/definition.xml", DEFINITION)
        project.writestr("output/definition.xml", "<definition></definition>")
        project.writestr("project.xml", f"<project><separator>{separator}</separator></project>")
        project.writestr("input/config.xml", "<config><criteria><criterion>5-anonymity</criterion></criteria></config>")
        lines = [separator.join((f"4820{i}", "482**", "*")) for i in range(10)]
        project.writestr("input/hierarchies/zip.csv", "\n".join(lines))
        illnesses = [separator.join((*path, "*")) for path in (("a", "lung"), ("b", "lung"), ("c", "heart"))]
        project.writestr("input/hierarchies/illness.csv", "\n".join(illnesses))


@pytest.mark.parametrize("separator", [";", ","])
def test_an_arx_project_gives_roles_and_hierarchies(tmp_path: Path, frame: pl.DataFrame, separator: str) -> None:
    """The schema is written beside another folder and still finds the hierarchy."""
    (tmp_path / "arx").mkdir()
    (tmp_path / "work").mkdir()
    arx_project(tmp_path / "arx" / "study.deid", separator)
    imported = import_schema(tmp_path / "arx" / "study.deid", sdckit.Microdata.from_frame(frame), tmp_path / "work")
    assert imported.notes == ("the project asks for 5-anonymity: choose a method that gives it",)
    target = tmp_path / "work" / "schema.toml"
    target.write_text(imported.schema.to_toml(imported.reasons), encoding="utf-8")
    data = sdckit.Microdata.from_frame(frame, schema=Schema.from_toml(target))
    assert data.attribute("hid").role is Role.IDENTIFIER and data.attribute("income").role is Role.CONFIDENTIAL
    tree = data.attribute("zip").hierarchy
    assert tree is not None and tree.ancestors("48203") == ("48203", "482**", "*")
    illness = data.attribute("illness")
    assert illness.role is Role.CONFIDENTIAL and illness.hierarchy is not None  # for hierarchical t-closeness
    assert illness.hierarchy.ancestors("b") == ("b", "lung", "*")


def test_a_column_that_the_file_lacks_is_named(tmp_path: Path, frame: pl.DataFrame) -> None:
    arx_project(tmp_path / "study.deid")
    with pytest.raises(UnknownNameError, match="'income'"):
        import_schema(tmp_path / "study.deid", sdckit.Microdata.from_frame(frame.drop("income")))


def test_an_archive_that_is_no_project_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "study.deid"
    with ZipFile(path, "w") as project:
        project.writestr("readme.txt", "hello")
    with pytest.raises(FileError, match="has no definition"):
        import_schema(path)
    path.write_text("hello", encoding="utf-8")
    with pytest.raises(FileError, match="cannot be read"):
        import_schema(path)
    with ZipFile(path, "w") as project:
        project.writestr("definition.xml", '<!DOCTYPE a [<!ENTITY b "c">]><definition>&b;</definition>')
    with pytest.raises(FileError, match="declares a document type"):
        import_schema(path)


def test_the_verb_writes_a_schema_that_protects_the_file(run: Run, tmp_path: Path, frame: pl.DataFrame) -> None:
    file, source, schema = tmp_path / "people.csv", tmp_path / "roles.json", tmp_path / "schema.toml"
    frame.write_csv(file)
    source.write_text('{"keyVars": ["sex", "zip"], "deletedVars": ["remark"], "hhId": "hid"}', encoding="utf-8")
    done = run("import-schema", source, schema, "--file", file)
    assert done.code == 0
    assert "roles.json does not mention income, w, illness, region" in " ".join(done.out.split())
    assert run("check", schema).code == 0
    masked = run(
        "protect", file, tmp_path / "safe.csv", "--schema", schema, "--method", "rounding", "--attributes", "w"
    )
    assert masked.code == 0 and "remark" not in (tmp_path / "safe.csv").read_text(encoding="utf-8")
    again = run("import-schema", source, schema)
    assert again.code == 2 and "--force" in again.err
