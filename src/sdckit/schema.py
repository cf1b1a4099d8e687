"""Schema: what is declared of a file's attributes, as written in `schema.toml`.

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
terms = { gross = 1, net = -1 }
low = 0
```
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sdckit.edits import Edit, Edits
from sdckit.errors import FileError, SchemaError, UnknownNameError, near_miss
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Kind, Microdata, Role
from sdckit.toml_text import comment, value
from sdckit.toml_text import key as toml_key


@dataclass(frozen=True)
class Declared:
    """What is said of one attribute; None where nothing is."""

    kind: Kind | None = None
    role: Role | None = None
    hierarchy: Hierarchy | Mapping[str, Any] | None = None
    categories: tuple[Any, ...] | None = None
    decimals: int | None = None
    missing: tuple[Any, ...] = ()
    label: str | None = None
    value_labels: Mapping[Any, str] | None = None

    def tree(self, values: Iterable[Any]) -> Hierarchy | None:
        """The hierarchy over these values, made from its declaration where it was only declared."""
        if self.hierarchy is None or isinstance(self.hierarchy, Hierarchy):
            return self.hierarchy
        told = dict(self.hierarchy)
        if "file" in told:
            return Hierarchy.from_csv(told["file"], told.get("delimiter", ";"))
        if "levels" in told:
            return Hierarchy.by_levels(told["levels"])
        if "intervals" in told:
            return Hierarchy.by_intervals([float(v) for v in values], told["intervals"], told.get("start", 0.0))
        if "prefix" in told:
            return Hierarchy.by_prefix(values, told["prefix"] or None)
        raise SchemaError(f"a hierarchy is told by prefix, intervals, levels or file, not by {sorted(told)}")


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
        """The schema with more said."""
        told = dict(self.attributes)
        for name, role in roles.items():
            told[name] = replace(told.get(name, Declared()), role=Role.named(role))
        for name, kind in kinds.items():
            told[name] = replace(told.get(name, Declared()), kind=Kind.named(kind))
        for name, tree in hierarchies.items():
            kind_of_tree = told.get(name, Declared()).kind or Kind.PARTIALLY_ORDERED
            told[name] = replace(told.get(name, Declared()), hierarchy=tree, kind=kind_of_tree)
        return Schema(told, self.edits if edits is None else edits)

    def check_names(self, columns: Sequence[str]) -> None:
        """Refuse a schema that speaks of a column the file does not have."""
        for name in self.attributes:
            if name not in columns:
                raise UnknownNameError("column", name, columns)
        for edit in self.edits:
            for name in edit.terms:
                if name not in columns:
                    raise SchemaError(f"the edit {edit} names a column that is not there{near_miss(name, columns)}")

    @classmethod
    def of(cls, data: Microdata) -> "Schema":
        """What is known of a file, as a schema."""
        return cls(
            {
                each.name: Declared(
                    kind=each.kind,
                    role=each.role,
                    hierarchy=each.hierarchy,
                    categories=each.categories if each.coded and each.kind & Kind.ORDERED else None,
                    decimals=each.decimals,
                    label=each.label or None,
                    value_labels=each.value_labels or None,
                )
                for each in data.attributes
            },
            data.edits,
        )

    @classmethod
    def from_toml(cls, path: str | Path) -> "Schema":
        """Read the `attributes` and `edits` of a TOML file; other tables in it are left alone."""
        return cls.from_dict(read_toml(path), str(path), Path(path).parent)

    @classmethod
    def from_dict(cls, told: Mapping[str, Any], where: str = "schema", folder: Path | None = None) -> "Schema":
        """The schema in a parsed TOML document."""
        tables = told.get("attributes", {})
        if not isinstance(tables, dict):
            raise SchemaError(f"{where}: attributes must be tables, such as [attributes.age]")
        attributes = {name: _declared(name, table, where, folder) for name, table in tables.items()}
        edits = []
        for table in told.get("edits", []):
            unknown = set(table) - {"terms", "low", "high", "equals"}
            if unknown or "terms" not in table:
                raise SchemaError(f"{where}: an edit has terms and low, high or equals, not {sorted(table)}")
            low, high = table.get("low", float("-inf")), table.get("high", float("inf"))
            edits.append(Edit(table["terms"], table.get("equals", low), table.get("equals", high)))
        return cls(attributes, Edits(tuple(edits)))

    def to_toml(self, reasons: Mapping[str, Sequence[str]] | None = None) -> str:
        """The schema as TOML text, with the reason behind a guess as a comment above it."""
        blocks: list[str] = []
        for name, said in self.attributes.items():
            table = _table(said)
            apart = {key for key, entry in table.items() if key == "value_labels" or "\n" in value(entry)}
            apart = {key for key in apart if isinstance(table[key], dict)}
            plain = [f"{key} = {value(entry)}" for key, entry in table.items() if key not in apart]
            title = f"attributes.{toml_key(name)}"
            remarks = [comment(reason) for reason in (reasons or {}).get(name, ())]
            blocks.append("\n".join([*remarks, f"[{title}]", *plain]))
            blocks += [_block(f"[{title}.{key}]", table[key]) for key in table if key in apart]
        blocks += [_block("[[edits]]", _edit_table(edit)) for edit in self.edits]
        return "\n\n".join(blocks) + "\n"


def read_toml(path: str | Path) -> dict[str, Any]:
    """A TOML document, or an error that says where it breaks."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as problem:
        raise FileError(f"{path} cannot be read: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise FileError(f"{path} is not UTF-8 text; TOML files must be") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise FileError(f"{path} is not valid TOML: {problem}") from None


def _declared(name: str, table: Any, where: str, folder: Path | None) -> Declared:
    known = ("kind", "role", "hierarchy", "categories", "decimals", "missing", "label", "value_labels")
    if not isinstance(table, dict):
        raise SchemaError(f"{where}: attributes.{name} must be a table with kind, role, …")
    for key in table:
        if key not in known:
            raise SchemaError(f"{where}: attributes.{name} has no entry {key!r}{near_miss(key, known)}")
    tree = table.get("hierarchy")
    if isinstance(tree, dict) and "file" in tree and folder is not None:
        tree = {**tree, "file": str(folder / tree["file"])}
    return Declared(
        kind=Kind.named(table["kind"]) if "kind" in table else None,
        role=Role.named(table["role"]) if "role" in table else None,
        hierarchy=tree,
        categories=tuple(table["categories"]) if "categories" in table else None,
        decimals=table.get("decimals"),
        missing=tuple(table.get("missing", ())),
        label=table.get("label"),
        value_labels=table.get("value_labels"),
    )


def _block(title: str, table: Mapping[Any, Any]) -> str:
    return "\n".join([title, *(f"{toml_key(str(name))} = {value(entry)}" for name, entry in table.items())])


def _table(said: Declared) -> dict[str, Any]:
    """What is said, by the names of `schema.toml`; value labels are a table of their own, as are long hierarchies."""
    tree = said.hierarchy.declaration() if isinstance(said.hierarchy, Hierarchy) else said.hierarchy
    entries = {
        "kind": said.kind.title if said.kind else None,
        "role": said.role.value if said.role else None,
        "label": said.label,
        "decimals": said.decimals,
        "missing": list(said.missing) or None,
        "categories": list(said.categories) if said.categories is not None else None,
        "hierarchy": dict(tree) if tree is not None else None,
        "value_labels": {str(each): text for each, text in (said.value_labels or {}).items()} or None,
    }
    return {key: entry for key, entry in entries.items() if entry is not None}


def _edit_table(edit: Edit) -> dict[str, Any]:
    if edit.low == edit.high:
        return {"terms": dict(edit.terms), "equals": edit.low}
    ends = {"low": edit.low, "high": edit.high}
    return {"terms": dict(edit.terms)} | {end: bound for end, bound in ends.items() if abs(bound) != float("inf")}
