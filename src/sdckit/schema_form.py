"""The form of `schema.toml`: every entry that the loader accepts, declared once as JSON Schema."""

from typing import Any

from sdckit.attribute import KIND_ALIASES, ROLE_ALIASES, Kind, Level, Role
from sdckit.document_form import SCALAR, Form
from sdckit.hierarchies import kinds

ATTRIBUTE: dict[str, dict[str, Any]] = {
    "kind": {
        "description": "The order relation of the values.",
        "type": "string",
        "enum": [*(kind.title for kind in Kind), *KIND_ALIASES],
    },
    "role": {
        "description": "What the attribute is in disclosure.",
        "type": "string",
        "enum": [*(role.value for role in Role), *ROLE_ALIASES],
    },
    "level": {
        "description": "Whether a value describes a record or its household; found from the values if left out.",
        "type": "string",
        "enum": [level.value for level in Level],
    },
    "label": {"description": "What the attribute is, for a person.", "type": "string"},
    "decimals": {
        "description": "The number of decimals of the values.",
        "type": "integer",
        "minimum": 0,
        "maximum": 15,
    },
    "missing": {"description": "Values that mark a missing one.", "type": "array", "items": SCALAR},
    "categories": {
        "description": "The categories, in their order where they have one.",
        "type": "array",
        "items": SCALAR,
    },
    "hierarchy": {"description": "The generalisation hierarchy.", "type": "object"},
    "value_labels": {
        "description": "What each value means, for a person.",
        "type": "object",
        "additionalProperties": {"type": "string"},
    },
}
ATTRIBUTE_FORM: Form = {"type": "object", "properties": ATTRIBUTE, "additionalProperties": False}
ATTRIBUTES_FORM: Form = {
    "description": "The meaning of the columns, by name.",
    "type": "object",
    "additionalProperties": ATTRIBUTE_FORM,
}
EDITS_FORM: Form = {
    "description": "Conditions that every record must satisfy, as text or as low ≤ Σ coefficient · attribute ≤ high.",
    "type": "array",
    "items": {
        "type": ["string", "object"],
        "minLength": 1,
        "properties": {
            "condition": {
                "description": "The condition as text, such as total == net + tax or if married then age >= 16.",
                "type": "string",
                "minLength": 1,
            },
            "terms": {
                "description": "The coefficient of each attribute.",
                "type": "object",
                "additionalProperties": {"type": "number"},
                "minProperties": 1,
            },
            "low": {"type": "number"},
            "high": {"type": "number"},
            "equals": {"description": "Both low and high.", "type": "number"},
        },
        "additionalProperties": False,
        "oneOf": [
            {"type": "string"},
            {"type": "object", "required": ["condition"], "maxProperties": 1},
            {"type": "object", "required": ["terms"], "not": {"required": ["condition"]}},
        ],
    },
}


def json_schema() -> dict[str, Any]:
    """The JSON Schema of `schema.toml`, with every kind of hierarchy there is; `json_schemas/schema.json` ships it."""
    hierarchy = ATTRIBUTE["hierarchy"] | {"oneOf": [each.form for each in kinds()]}
    attribute = {**ATTRIBUTE_FORM, "properties": ATTRIBUTE | {"hierarchy": hierarchy}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "sdckit schema",
        "description": "What the columns of a file mean, and the edits that its records satisfy (schema.toml).",
        "type": "object",
        "properties": {
            "attributes": {**ATTRIBUTES_FORM, "additionalProperties": attribute},
            "edits": EDITS_FORM,
        },
    }
