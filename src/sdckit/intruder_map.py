"""The map of an intruder's own file: how its columns correspond to those of the original, as a TOML document.

```toml
record = "person_id"                # column of the intruder's file that identifies the person; only the scoring uses it
present = 0.1                       # share of its people who are in the release; left out: estimated from the two files

[columns]
person_id = "name"                  # this column has another name in the original
years = "age"

[columns.sales_in_thousands]
original = "turnover"               # the column of the original; left out: the same name
factor = 1000                       # original value = factor · value + offset
offset = 0

[columns.branch]
original = "sector"
categories = { agriculture = "A", mining = "B" }   # a category that is not listed is unchanged
```

Where categories lead to numbers alone, text that is not listed counts as missing.

A column of the intruder's file that is not named keeps its name, its units and its categories.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.document_form import Form, check
from sdckit.errors import ParameterError, SchemaError, SdcError
from sdckit.external import External
from sdckit.microdata import Microdata, same_value
from sdckit.schema import read_toml

NUMBER_OR_TEXT: Form = {"type": ["string", "number"]}
COLUMN: Form = {
    "description": "The column of the original, or a table with the conversion of the values.",
    "type": ["string", "object"],
    "properties": {
        "original": {"description": "Name of the column in the original; by default the same.", "type": "string"},
        "factor": {"description": "The value is multiplied by this.", "type": "number"},
        "offset": {"description": "This is added after the factor.", "type": "number"},
        "categories": {
            "description": "The original's category for each one of the file; others are unchanged.",
            "type": "object",
            "additionalProperties": NUMBER_OR_TEXT,
            "minProperties": 1,
        },
    },
    "additionalProperties": False,
}
FORM: Form = {
    "type": "object",
    "properties": {
        "record": {
            "description": "The column of the intruder's file that identifies the person; only the scoring uses it.",
            "type": "string",
        },
        "present": {
            "description": "The share of its people who are in the release; by default, it is estimated.",
            "type": "number",
            "exclusiveMinimum": 0,
            "maximum": 1,
        },
        "columns": {
            "description": "The columns whose names, units or categories differ from the original's.",
            "type": "object",
            "additionalProperties": COLUMN,
        },
    },
    "required": ["record"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class ColumnMap:
    """How one column of the intruder's file becomes a column of the original."""

    original: str
    factor: float = 1.0
    offset: float = 0.0
    categories: Mapping[str, Any] = field(default_factory=dict)

    def conversion(self) -> Callable[[NDArray[Any]], Any] | None:
        """The function that converts the values; None where they are in the original's units already."""
        if self.categories:
            return self._converted_categories
        if self.factor == 1 and self.offset == 0:
            return None
        return lambda values: values * self.factor + self.offset

    def _converted_categories(self, values: NDArray[Any]) -> Any:
        listed = {same_value(category): converted for category, converted in self.categories.items()}
        absent = [value is None or value != value for value in values.tolist()]
        if not any(isinstance(converted, str) for converted in listed.values()):
            return np.array([_number(listed.get(same_value(value), value)) for value in values.tolist()])
        texts = [str(listed.get(same_value(value), same_value(value))) for value in values.tolist()]
        return np.array([None if gone else text for gone, text in zip(absent, texts, strict=True)], dtype=object)


def _number(value: Any) -> float:
    """The value as a number; text that is none counts as missing."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return np.nan


@dataclass(frozen=True)
class IntruderMap:
    """How an intruder's own file corresponds to the original: its columns by name, and the one that identifies people.

    >>> import polars
    >>> mapped = IntruderMap.from_dict({"record": "who", "columns": {"who": "name", "k": {"factor": 1000}}})
    >>> mapped.external(polars.DataFrame({"who": ["Ann"], "k": [2]})).record
    'name'
    """

    record: str
    columns: Mapping[str, ColumnMap] = field(default_factory=dict)
    present: float | None = None

    @classmethod
    def from_toml(cls, path: str | Path) -> "IntruderMap":
        """Read a map from a TOML file."""
        return cls.from_dict(read_toml(path), str(path))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], where: str = "intruder map") -> "IntruderMap":
        """The map in a parsed document; the first mistake is an error, `where` names the document in it."""
        for _, error in map_errors(document):
            raise SchemaError(f"{where}: {error}")
        columns = {}
        for name, entry in document.get("columns", {}).items():
            table = {"original": entry} if isinstance(entry, str) else entry
            columns[name] = ColumnMap(**({"original": name} | table))
        return cls(document["record"], columns, document.get("present"))

    def external(self, file: Any) -> External:
        """The intruder's file, a `Microdata` or a frame, with this map."""
        data = file if isinstance(file, Microdata) else Microdata.from_frame(file)
        data.attribute(self.record)
        for name, column in self.columns.items():
            if data.attribute(name).coded and (column.factor != 1 or column.offset != 0):
                raise ParameterError(
                    f"the intruder's column {name!r} contains text, so it has no factor or offset; map its categories"
                )
        conversions = {each.original: each.conversion() for each in self.columns.values()}
        names = {name: column.original for name, column in self.columns.items()}
        return External(
            data,
            names,
            {original: convert for original, convert in conversions.items() if convert is not None},
            names.get(self.record, self.record),
            self.present,
        )

    def warnings(self, external: External, original: Microdata) -> Iterator[str]:
        """Categories of the map that lead nowhere: the file does not have them, or the original does not."""
        for name, column in self.columns.items():
            theirs, ours = external.file.attribute(name), original.attribute(column.original)
            values = theirs.categories if theirs.categories is not None else external.file.values(name).tolist()
            has, can_be = ({same_value(each) for each in side or ()} for side in (values, ours.categories))
            for written, converted in column.categories.items():
                if same_value(written) not in has:
                    yield f"the map lists {written!r}, which is no value of the intruder's column {name!r}"
                if ours.coded and same_value(converted) not in can_be and str(converted) not in (ours.hierarchy or ()):
                    yield (
                        f"the map turns {written!r} of {name!r} into {converted!r}, which is no category of "
                        f"{column.original!r}: nobody is found by it"
                    )


def is_intruder_map(document: Mapping[str, Any]) -> bool:
    """Whether a parsed document is meant as the map of an intruder's file."""
    return "columns" in document or isinstance(document.get("record"), str)


def map_errors(document: Mapping[str, Any]) -> Iterator[tuple[str, SdcError]]:
    """All mistakes in a parsed document, each with the key of its entry."""
    columns = document.get("columns", {})
    listed = columns if isinstance(columns, Mapping) else {}
    top = {**document, "columns": {}} if isinstance(columns, Mapping) else dict(document)
    try:
        check(top, FORM, "the map")
    except SchemaError as error:
        yield "", _with_cure(error)
    originals: dict[str, str] = {}
    for name, entry in listed.items():
        try:
            check(entry, COLUMN, f"columns.{name}")
        except SchemaError as error:
            yield name, error
            continue
        table = {"original": entry} if isinstance(entry, str) else entry
        if "categories" in table and ("factor" in table or "offset" in table):
            yield name, SchemaError(f"columns.{name} has both categories and a factor or offset; keep one of them")
        if table.get("factor") == 0:
            yield name, SchemaError(f"columns.{name}.factor is 0, which makes all values equal; give another")
        original = str(table.get("original", name))
        if original in originals:
            yield (
                name,
                SchemaError(f"columns.{name} and columns.{originals[original]} both lead to {original!r}; keep one"),
            )
        originals[original] = name


def _with_cure(error: SchemaError) -> SchemaError:
    if "needs record" not in str(error):
        return error
    return SchemaError(f'{error}; write record = "…", the column of the intruder\'s file that identifies the person')
