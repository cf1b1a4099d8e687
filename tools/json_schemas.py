"""The JSON Schemas of recipes, policies, runs (with every component of the catalogue) and intruder maps."""

import json
import types
import typing
from collections.abc import Callable
from math import inf
from pathlib import Path
from typing import Any, get_args, get_origin

from sdckit.attribute import Level
from sdckit.catalogue import PACKAGE, Entry, entries
from sdckit.evaluation.policy import SHARES
from sdckit.intruder_map import FORM as INTRUDER_MAP
from sdckit.parameters import Parameter
from sdckit.run import TABLES

FOLDER = PACKAGE / "json_schemas"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
SCALAR = {"type": ["string", "number", "boolean"]}
TABLE_OR_LIST = {"type": ["object", "array"]}
NAMES = {"type": "array", "items": {"type": "string"}}
INTRUDER = {
    "description": "What the intruder knows; without it, every key of every record, exactly, and the method.",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "attributes": {"description": "Known attributes.", "anyOf": [{"type": "string"}, NAMES]},
        "records": {
            "description": "Known records, as a share drawn at random or as record numbers.",
            "anyOf": [
                {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
                {"type": "array", "items": {"type": "integer"}},
            ],
        },
        "noise": {
            "description": "Error on known numbers, as a share of their standard deviation.",
            "type": "number",
            "minimum": 0,
        },
        "missing": {
            "description": "Share of the known values that the intruder does not have after all.",
            "type": "number",
            "minimum": 0,
            "maximum": 1,
        },
        "knows_method": {"description": "Whether method and parameters are public.", "type": "boolean"},
        "knowledge": {
            "description": "Sets of known attributes over which a linkage is averaged, such as first-subsets(7).",
            "type": "string",
        },
    },
}
RELEASE = {
    "description": "The masked file that a written recipe describes.",
    "type": "object",
    "required": ["digest", "records"],
    "properties": {
        "digest": {"description": "Digest of the content, in any order of rows and columns.", "type": "string"},
        "records": {"description": "Number of records.", "type": "integer"},
        "guessable_seed": {"description": "Whether the draws came from a short seed.", "type": "boolean"},
    },
}

REFERENCE = {
    "description": "The file that the run was made for, which the next one is compared with.",
    "type": "object",
    "additionalProperties": False,
    "required": ["key"],
    "properties": {"key": {"description": "The path of its private key file.", "type": "string", "minLength": 1}},
}


def json_schemas() -> dict[Path, str]:
    """The text of each file."""
    steps, rules = array_of(entries("masking"), step), array_of(measures(), rule)
    measured = array_of(measures(), measure)
    del measured["minItems"]
    grid = {
        "description": "Values that a sweep tries, by method.",
        "type": "object",
        "minProperties": 1,
        "additionalProperties": False,
        "properties": {entry.name: grid_of(entry) for entry in entries("masking")},
    }
    files = {"attributes": "schema", "edits": "schema", "steps": "recipe", "release": "recipe"}
    files |= {"intruder": "policy", "rules": "policy"}
    shared = {name: {"$ref": f"{file}.json#/properties/{name}"} for name, file in files.items()}
    documents = {
        "recipe": document(
            "recipe", "How a file is masked, step by step.", {"steps": steps, "release": RELEASE}, ["steps"]
        ),
        "policy": document("policy", "What a release must satisfy.", {"intruder": INTRUDER, "rules": rules}, ["rules"]),
        "run": document(
            "run",
            "What is masked, how, against whom, how it is measured, and what must hold.",
            shared | {"measures": measured, "grid": grid, "reference": REFERENCE},
            [],
        ),
        "intruder-map": {
            "$schema": DRAFT,
            "$id": "intruder-map.json",
            "title": "sdckit intruder map",
            "description": "How the columns of an intruder's own file correspond to those of the original.",
        }
        | dict(INTRUDER_MAP),
    }
    return {
        FOLDER / f"{name}.json": json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        for name, content in documents.items()
    }


def measures() -> tuple[Entry, ...]:
    """The risks and the losses."""
    return entries("risk") + entries("loss")


def document(name: str, description: str, tables: dict[str, Any], required: list[str]) -> dict[str, Any]:
    """A schema of a whole document: tables of a run beside these are accepted, and titles and other plain values."""
    others = {table: TABLE_OR_LIST for table in TABLES if table not in tables}
    return {
        "$schema": DRAFT,
        "$id": f"{name}.json",
        "title": f"sdckit {name}",
        "description": description,
        "type": "object",
        "required": required,
        "properties": tables | others,
        "additionalProperties": SCALAR,
    }


def array_of(listed: tuple[Entry, ...], form: Callable[[Entry], dict[str, Any]]) -> dict[str, Any]:
    """An array of tables, each of one of these components."""
    return {"type": "array", "minItems": 1, "items": {"type": "object", "oneOf": [form(entry) for entry in listed]}}


def step(entry: Entry) -> dict[str, Any]:
    """A step of a recipe."""
    attributes = {"description": "Columns to mask; without it, every key of a suitable kind.", **NAMES}
    level = {
        "description": "Whether each record is masked by itself, or one value for all members of a household.",
        "type": "string",
        "enum": [each.value for each in Level],
    }
    return table_of(entry, "method", {"attributes": attributes, "level": level})


def measure(entry: Entry) -> dict[str, Any]:
    """A measure with its parameters."""
    return table_of(entry, "measure", {})


def rule(entry: Entry) -> dict[str, Any]:
    """A rule of a policy: limits of risks that are shares lie in 0 to 1."""
    more = {
        "figure": {"description": "The figure of the score that is limited; its value by default.", "type": "string"},
        "max": {"description": "The figure may be at most this.", "type": "number"},
        "min": {"description": "The figure must be at least this.", "type": "number"},
        "optional": {"description": "Met where the measure does not apply.", "type": "boolean"},
        "note": {"description": "What the rule is for.", "type": "string"},
    }
    form = table_of(entry, "measure", more) | {"anyOf": [{"required": ["max"]}, {"required": ["min"]}]}
    if entry.kind == "risk":
        share = {"minimum": 0, "maximum": 1}
        form["if"] = {"properties": {"figure": {"enum": list(SHARES)}}}
        form["then"] = {"properties": {"max": share, "min": share}}
    return form


def table_of(entry: Entry, key: str, more: dict[str, Any]) -> dict[str, Any]:
    """A table with the name of a component and its parameters, under their old names too."""
    named = {name: each for each in entry.parameters for name in (each.name, each.formerly) if name}
    forms = {name: form_of(each) | ({} if name == each.name else {"deprecated": True}) for name, each in named.items()}
    return {
        "description": entry.summary,
        "required": [key],
        "properties": {key: {"const": entry.name}} | more | forms,
        "additionalProperties": False,
    }


def grid_of(entry: Entry) -> dict[str, Any]:
    """The values of the parameters that a sweep tries: one or several of each."""
    forms = {}
    for each in entry.parameters:
        one = form_of(each)
        several = {"type": "array", "minItems": 1, "items": one}
        forms |= {name: {"anyOf": [one, several]} for name in (each.name, each.formerly) if name}
    return {"type": "object", "properties": forms, "additionalProperties": False}


def form_of(declared: Parameter) -> dict[str, Any]:
    """A parameter: its meaning, type and bounds."""
    ends = {"minimum": declared.low, "maximum": None if declared.high == inf else declared.high}
    bounds = {name: end for name, end in ends.items() if end is not None}
    return {"description": declared.help} | type_form(declared.type, bounds)


def type_form(wanted: Any, bounds: dict[str, Any]) -> dict[str, Any]:
    """The JSON type of a Python type; what is read from text is text."""
    if isinstance(wanted, types.UnionType) or get_origin(wanted) is typing.Union:
        forms = [type_form(each, bounds) for each in get_args(wanted) if each is not type(None)]
        distinct = [form for number, form in enumerate(forms) if form not in forms[:number]]
        return distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
    if get_origin(wanted) is tuple:
        return {"type": "array", "items": type_form(get_args(wanted)[0], bounds)}
    plain = {bool: "boolean", int: "integer", float: "number"}
    if wanted in plain:
        return {"type": plain[wanted]} | ({} if wanted is bool else bounds)
    return {"type": ["number", "string"] if hasattr(wanted, "from_number") else "string"}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for path, text in json_schemas().items():
        path.write_text(text, encoding="utf-8")
