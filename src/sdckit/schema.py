"""Schema: the declarations of a file's attributes and its edits, as written in `schema.toml`.

```toml
[attributes.age]
kind = "discrete"
role = "key"

[attributes."post code"]
kind = "partially-ordered"
role = "key"
hierarchy = { prefix = [1, 2, 3] }      # or { intervals = [5, 10] }, { file = "zip.csv" }, { levels = [["a", "A"]] }
missing = ["99999"]

[[edits]]
condition = "gross == net + tax"

[[edits]]
terms = { gross = 1, net = -1 }
low = 0
```
"""

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sdckit import hierarchies
from sdckit.attribute import Level
from sdckit.document_form import check
from sdckit.edits import Edit, Edits, RecordCondition
from sdckit.errors import FileError, SchemaError, UnknownNameError, near_miss
from sdckit.hierarchy import Hierarchy
from sdckit.input_file import LARGEST_DOCUMENT, read_text
from sdckit.microdata import Kind, Microdata, Role
from sdckit.schema_form import ATTRIBUTES_FORM, EDITS_FORM
from sdckit.toml_text import comment, value
from sdckit.toml_text import key as toml_key


@dataclass(frozen=True)
class Declared:
    """The declaration of one attribute; None where nothing is declared."""

    kind: Kind | None = None
    role: Role | None = None
    hierarchy: Hierarchy | Mapping[str, Any] | None = None
    categories: tuple[Any, ...] | None = None
    decimals: int | None = None
    missing: tuple[Any, ...] = ()
    label: str | None = None
    value_labels: Mapping[Any, str] | None = None
    level: Level | None = None

    def tree(self, values: Iterable[Any]) -> Hierarchy | None:
        """The hierarchy over these values, built where only its declaration is known."""
        if self.hierarchy is None or isinstance(self.hierarchy, Hierarchy):
            return self.hierarchy
        return hierarchies.build(self.hierarchy, values)


@dataclass(frozen=True)
class Schema:
    """Declarations by attribute name, and the file's edits. An empty one leaves everything to be inferred."""

    attributes: Mapping[str, Declared] = field(default_factory=dict)
    edits: Edits = Edits()

    def updated(
        self,
        roles: Mapping[str, str | Role],
        kinds: Mapping[str, str | Kind],
        hierarchies: Mapping[str, Hierarchy],
        edits: Edits | None,
    ) -> "Schema":
        """The schema with further declarations, which take precedence."""
        declared = dict(self.attributes)
        for name, role in roles.items():
            declared[name] = replace(declared.get(name, Declared()), role=Role.named(role))
        for name, kind in kinds.items():
            declared[name] = replace(declared.get(name, Declared()), kind=Kind.named(kind))
        for name, tree in hierarchies.items():
            before = declared.get(name, Declared())
            declared[name] = replace(before, hierarchy=tree, kind=before.kind or Kind.PARTIALLY_ORDERED)
        return Schema(declared, self.edits if edits is None else edits)

    def check_names(self, columns: Sequence[str]) -> None:
        """Refuse a schema that names a column which the file does not have."""
        for name in self.attributes:
            if name not in columns:
                raise UnknownNameError("column", name, columns)
        for edit in self.edits:
            for name in edit.attributes:
                if name not in columns:
                    parted = [each for each in columns if not each.isidentifier() and name in re.split(r"\W+", each)]
                    cure = f"; write `{parted[0]}` in backquotes" if parted else near_miss(name, columns)
                    raise SchemaError(f"the edit {edit} names {name!r}, which is not a column{cure}")

    def undeclared(self, columns: Sequence[str]) -> tuple[str, ...]:
        """The columns that the schema does not name; none where it names no column at all."""
        return tuple(name for name in columns if name not in self.attributes) if self.attributes else ()

    @classmethod
    def of(cls, data: Microdata) -> "Schema":
        """The schema of a file: what its attributes mean, and its edits."""
        return cls(
            {
                each.name: Declared(
                    kind=each.kind,
                    role=each.role,
                    hierarchy=each.hierarchy,
                    categories=each.categories if each.coded and each.kind & Kind.ORDERED else None,
                    decimals=each.decimals,
                    missing=data.missing_codes(each.name),
                    label=each.label or None,
                    value_labels=each.value_labels or None,
                    level=each.level,
                )
                for each in data.attributes
            },
            data.edits,
        )

    @classmethod
    def from_toml(cls, path: str | Path) -> "Schema":
        """Read the `attributes` and `edits` of a TOML file; other tables in it are ignored."""
        return cls.from_dict(read_toml(path), str(path), Path(path).parent)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], where: str = "schema", folder: Path | None = None) -> "Schema":
        """The schema in a parsed TOML document; `where` names it in errors, and paths in it start from `folder`."""
        tables, edits = document.get("attributes", {}), document.get("edits", [])
        try:
            check(tables, ATTRIBUTES_FORM, "attributes")
            check(edits, EDITS_FORM, "edits")
            attributes = {name: _declared(table, f"attributes.{name}", folder) for name, table in tables.items()}
            return cls(
                attributes, Edits(tuple(_edit(each, f"edits, item {n}") for n, each in enumerate(edits, start=1)))
            )
        except SchemaError as problem:
            raise SchemaError(f"{where}: {problem}") from None

    def to_toml(self, reasons: Mapping[str, Sequence[str]] | None = None) -> str:
        """The schema as TOML text, with the reasons of a guess as comments above it."""
        blocks: list[str] = []
        for name, declared in self.attributes.items():
            table = _table(declared)
            own_table = {
                key
                for key, entry in table.items()
                if isinstance(entry, dict) and (key == "value_labels" or "\n" in value(entry))
            }
            plain = [f"{key} = {value(entry)}" for key, entry in table.items() if key not in own_table]
            title = f"attributes.{toml_key(name)}"
            remarks = [comment(reason) for reason in (reasons or {}).get(name, ())]
            blocks.append("\n".join([*remarks, f"[{title}]", *plain]))
            blocks += [_block(f"[{title}.{key}]", table[key]) for key in table if key in own_table]
        blocks += [_block("[[edits]]", _edit_table(edit)) for edit in self.edits]
        return "\n\n".join(blocks) + "\n"


def read_toml(path: str | Path) -> dict[str, Any]:
    """A parsed TOML document, or an error with the line that is not valid."""
    text = read_text(path, "UTF-8 text; TOML files must be", LARGEST_DOCUMENT)
    try:
        return tomllib.loads(text.replace("\r\n", "\n"))
    except ValueError as problem:  # also a number with thousands of digits
        raise FileError(f"{path} is not valid TOML: {problem}") from None
    except RecursionError:
        raise FileError(f"{path} is not valid TOML: its values are nested too deeply") from None


def _declared(table: Mapping[str, Any], where: str, folder: Path | None) -> Declared:
    hierarchy = table.get("hierarchy")
    if hierarchy is not None:
        kind = hierarchies.kind_of(hierarchy, f"{where}.hierarchy")
        hierarchy = hierarchy if folder is None else kind.located(hierarchy, folder)
    try:
        return Declared(
            kind=Kind.named(table["kind"]) if "kind" in table else None,
            role=Role.named(table["role"]) if "role" in table else None,
            hierarchy=hierarchy,
            categories=tuple(table["categories"]) if "categories" in table else None,
            decimals=table.get("decimals"),
            missing=tuple(table.get("missing", ())),
            label=table.get("label"),
            value_labels=table.get("value_labels"),
            level=Level.named(table["level"]) if "level" in table else None,
        )
    except SchemaError as problem:
        raise SchemaError(f"{where}: {problem}") from None


def _edit(entry: Mapping[str, Any] | str, where: str) -> RecordCondition:
    table: Mapping[str, Any] = {"condition": entry} if isinstance(entry, str) else entry
    if ("terms" in table) == ("condition" in table):
        raise SchemaError(f"{where} needs terms or a condition, and not both")
    if "condition" in table:
        unused = [name for name in table if name != "condition"]
        if unused:
            raise SchemaError(f"{where} has a condition and {unused[0]}; write {unused[0]} into the condition")
        from sdckit.edit_text import parse_edit

        try:
            return parse_edit(table["condition"])
        except SchemaError as problem:
            raise SchemaError(f"{where}: {problem}") from None
    low, high = table.get("low", float("-inf")), table.get("high", float("inf"))
    terms = {name: _number(coefficient) for name, coefficient in table["terms"].items()}
    return Edit(terms, _number(table.get("equals", low)), _number(table.get("equals", high)))


def _number(value: float) -> float:
    """A number of a document; an integer that numpy has no type for becomes a float."""
    try:
        return float(value) if abs(value) >= 2**63 else value
    except OverflowError:
        raise SchemaError("a number of an edit has more than 300 digits; give a smaller one") from None


def _block(title: str, table: Mapping[Any, Any]) -> str:
    return "\n".join([title, *(f"{toml_key(str(name))} = {value(entry)}" for name, entry in table.items())])


def _table(declared: Declared) -> dict[str, Any]:
    """The declaration by the names of `schema.toml`."""
    tree = declared.hierarchy.declaration() if isinstance(declared.hierarchy, Hierarchy) else declared.hierarchy
    entries = {
        "kind": declared.kind.title if declared.kind else None,
        "role": declared.role.value if declared.role else None,
        "level": declared.level.value if declared.level else None,
        "label": declared.label,
        "decimals": declared.decimals,
        "missing": list(declared.missing) or None,
        "categories": list(declared.categories) if declared.categories is not None else None,
        "hierarchy": dict(tree) if tree is not None else None,
        "value_labels": {str(each): text for each, text in (declared.value_labels or {}).items()} or None,
    }
    return {key: entry for key, entry in entries.items() if entry is not None}


def _edit_table(edit: RecordCondition) -> dict[str, Any]:
    if not isinstance(edit, Edit) or edit.text:
        return {"condition": edit.text}
    if edit.low == edit.high:
        return {"terms": dict(edit.terms), "equals": edit.low}
    ends = {"low": edit.low, "high": edit.high}
    return {"terms": dict(edit.terms)} | {end: bound for end, bound in ends.items() if abs(bound) != float("inf")}
