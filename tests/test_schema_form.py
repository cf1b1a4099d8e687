"""The JSON Schema of schema.toml is the loader's own form, and accepts what the loader accepts."""

import json
import re
import tomllib
from dataclasses import fields
from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from sdckit.errors import SchemaError
from sdckit.schema import Declared, Schema
from sdckit.schema_form import ATTRIBUTE, json_schema
from tests.test_schema import any_schema

ROOT = Path(__file__).resolve().parents[1]
SHIPPED = json.loads((files("sdckit") / "json_schemas" / "schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SHIPPED)
PAGES = [ROOT / "README.md", ROOT / "src/sdckit/schema.py", *sorted((ROOT / "docs").rglob("*.md"))]
EXAMPLES = [
    pytest.param(block, id=f"{path.relative_to(ROOT)}-{number}")
    for path in PAGES
    for number, block in enumerate(re.findall(r"^```toml\n(.*?)^```", path.read_text("utf-8"), flags=re.M | re.S))
    if re.search(r"^\[\[?(attributes|edits)", block, flags=re.M)
]
REFUSED = [
    {"attributes": 3},
    {"attributes": {"age": {"kind": 3}}},
    {"attributes": {"age": {"kind": "discret"}}},
    {"attributes": {"age": {"knid": "discrete"}}},
    {"attributes": {"age": {"decimals": -1}}},
    {"attributes": {"age": {"categories": 5}}},
    {"attributes": {"age": {"hierarchy": {"prefix": [1], "file": "x.csv"}}}},
    {"attributes": {"age": {"hierarchy": {"intervals": [0]}}}},
    {"edits": [{"low": 0}]},
    {"edits": [{"terms": 3}]},
    {"edits": [{"terms": {"x": 1}, "low": "x"}]},
    {"edits": [""]},
    {"edits": [{"condition": 3}]},
    {"edits": [{"condition": "x >= 0", "low": 1}]},
    {"edits": [{"condition": "x >= 0", "terms": {"x": 1}}]},
]


def test_the_shipped_schema_is_the_loaders_own():
    assert json_schema() == SHIPPED, "write json_schema() to src/sdckit/json_schemas/schema.json, indented by 2"
    Draft202012Validator.check_schema(SHIPPED)


def test_every_declaration_is_read_by_the_loader():
    assert {each.name for each in fields(Declared)} == set(ATTRIBUTE)


@given(any_schema)
def test_every_schema_that_is_written_is_valid(schema):
    assert [error.message for error in VALIDATOR.iter_errors(tomllib.loads(schema.to_toml()))] == []


@pytest.mark.parametrize("document", REFUSED, ids=str)
def test_what_the_json_schema_refuses_the_loader_refuses(document):
    assert not VALIDATOR.is_valid(document)
    with pytest.raises(SchemaError):
        Schema.from_dict(document)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_examples_are_valid(example):
    document = tomllib.loads(example)
    VALIDATOR.validate(document)
    assert Schema.from_dict(document) != Schema()
