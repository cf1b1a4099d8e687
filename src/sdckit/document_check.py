"""Check a TOML document and list every mistake in it, without the data.

A document is a schema, a recipe, a policy, a whole run, or the map of an intruder's own file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdckit.attribute import Level
from sdckit.catalogue import find
from sdckit.component_table import measure_entry, parameter_errors
from sdckit.edit_feasibility import contradiction, contradiction_message
from sdckit.errors import FileError, SdcError, near_miss
from sdckit.evaluation.policy import RULE_WORDS, rule_errors
from sdckit.intruder_map import is_intruder_map, map_errors
from sdckit.intruder_table import intruder_errors
from sdckit.recipe import STEP_WORDS
from sdckit.release_table import ReleaseTable
from sdckit.run import TABLES
from sdckit.schema import Schema, read_toml

ARRAYS = {  # tables of which there may be several, and how to write them
    "edits": "write [[edits]] with a condition, or with terms and low, high or equals",
    "steps": "write [[steps]] with a method and its parameters",
    "measures": "write [[measures]] with measure = … for each",
    "rules": "write [[rules]] with a measure and max = … or min = …",
}
FILLED = ("steps", "rules")  # arrays that may be left out but not be empty


@dataclass(frozen=True)
class Problem:
    """A mistake in a document: in which table and at which key, what is wrong, and the cure where one is known."""

    table: str
    key: str
    message: str
    cure: str = ""

    @classmethod
    def of(cls, table: str, key: str, error: Exception) -> "Problem":
        """The problem that an error describes; its message names the cure after a semicolon."""
        message, _, cure = str(error).partition("; ")
        return cls(table, key, message, cure)

    @property
    def where(self) -> str:
        """The table and the key."""
        return ", ".join(filter(None, (self.table, self.key)))

    def __str__(self) -> str:
        text = f"{self.message}; {self.cure}" if self.cure else self.message
        return f"{self.where}: {text}" if self.where else text


def check_document(path: str | Path) -> list[Problem]:
    """All mistakes in a TOML file, in the order of the tables of a run; none where it can be used.

    Unlike the loaders, which also read what a command line passes as text, it asks for the types of TOML.
    """
    try:
        document = read_toml(path)
    except FileError as error:
        return [Problem.of("", "", error)]
    if is_intruder_map(document):
        return [Problem.of("columns" if key else "", key, error) for key, error in map_errors(document)]
    return problems_in(document, Path(path).parent)


def problems_in(document: Mapping[str, Any], folder: Path | None = None) -> list[Problem]:
    """All mistakes in a parsed document; files that it names are sought from the folder."""
    problems = [
        Problem.of(name, "", FileError(f"there is no table {name!r}{near_miss(name, TABLES)}"))
        for name, table in document.items()
        if isinstance(table, dict | list) and name not in TABLES
    ]
    if not problems and not any(name in TABLES for name in document):
        problems.append(Problem("", "", "the document has no table of a run", f"write some of {', '.join(TABLES)}"))
    checks = {
        "attributes": _in_attributes,
        "edits": _in_edits,
        "steps": _in_steps,
        "release": _in_release,
        "intruder": _in_intruder,
        "measures": _in_measures,
        "rules": _in_rules,
        "grid": _in_grid,
        "reference": _in_reference,
    }
    for name, check in checks.items():
        tables = document.get(name)
        if name in ARRAYS and name in document and (not isinstance(tables, list) or (name in FILLED and not tables)):
            problems.append(Problem(name, "", f"{name} is not an array of tables, or is empty", ARRAYS[name]))
        elif name in document:
            problems += check(tables, folder)
    return problems


def _in_attributes(tables: Any, folder: Path | None) -> Iterator[Problem]:
    if not isinstance(tables, dict):
        yield Problem("attributes", "", "attributes are not tables", "write [attributes.age] with kind, role, …")
        return
    for name, table in tables.items():
        if not isinstance(table, dict):
            yield Problem(f"attributes.{name}", "", "it is not a table", "write kind, role, … under its title")
            continue
        for key, value in table.items():
            yield from _schema_problems(f"attributes.{name}", key, {"attributes": {name: {key: value}}}, folder)


def _in_edits(tables: Any, folder: Path | None) -> Iterator[Problem]:
    problems = [
        problem
        for number, entries in enumerate(tables, start=1)
        for problem in _schema_problems(f"edits {number}", "", {"edits": [entries]}, folder)
    ]
    yield from problems
    conflict = () if problems else contradiction(tuple(Schema.from_dict({"edits": tables}).edits))
    if conflict:
        yield Problem.of("edits", "", SdcError(contradiction_message(conflict)))


def _schema_problems(table: str, key: str, part: Mapping[str, Any], folder: Path | None) -> Iterator[Problem]:
    try:
        Schema.from_dict(part, "schema", folder)
    except SdcError as error:
        yield Problem.of(table, key, SdcError(str(error).removeprefix("schema: ")))
    except (TypeError, ValueError, AttributeError, KeyError):
        yield Problem(table, key, "the value is of a wrong type")


def _in_steps(tables: Any, folder: Path | None) -> Iterator[Problem]:
    for table, entries in _numbered("steps", tables):
        if not isinstance(entries.get("method"), str):
            yield Problem(table, "method", "the step has no method", 'write method = "mdav"')
            continue
        names = entries.get("attributes", [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            yield Problem(table, "attributes", "attributes are not a list of column names", 'write ["age", "income"]')
        try:
            entry = find("masking", entries["method"])
        except SdcError as error:
            yield Problem.of(table, "method", error)
            continue
        values = {key: value for key, value in entries.items() if key not in STEP_WORDS}
        try:
            if "level" in entries:
                Level.named(entries["level"])
        except SdcError as error:
            yield Problem.of(table, "level", error)
        yield from (Problem.of(table, key, error) for key, error in parameter_errors(entry, values, folder))


def _in_release(table: Any, folder: Path | None) -> Iterator[Problem]:
    try:
        ReleaseTable.from_dict({"release": table})
    except SdcError as error:
        yield Problem("release", "", str(error).removeprefix("recipe: "))


def _in_intruder(table: Any, folder: Path | None) -> Iterator[Problem]:
    yield from (Problem.of("intruder", key, error) for key, error in intruder_errors(table))


def _in_measures(tables: Any, folder: Path | None) -> Iterator[Problem]:
    for table, entries in _numbered("measures", tables):
        if not isinstance(entries.get("measure"), str):
            yield Problem(table, "measure", "the measure has no name", 'write measure = "distance-linkage"')
            continue
        try:
            entry = measure_entry(entries["measure"])
        except SdcError as error:
            yield Problem.of(table, "measure", error)
            continue
        values = {key: value for key, value in entries.items() if key != "measure"}
        yield from (Problem.of(table, key, error) for key, error in parameter_errors(entry, values, folder))


def _in_rules(tables: Any, folder: Path | None) -> Iterator[Problem]:
    for table, entries in _numbered("rules", tables):
        errors = list(rule_errors(entries))
        yield from (Problem.of(table, key, error) for key, error in errors)
        wrong = {key for key, _ in errors}
        if "measure" not in wrong:
            values = {key: value for key, value in entries.items() if key not in (*RULE_WORDS, *wrong)}
            entry = measure_entry(entries["measure"])
            yield from (Problem.of(table, key, error) for key, error in parameter_errors(entry, values, folder))


def _in_reference(table: Any, folder: Path | None) -> Iterator[Problem]:
    if not isinstance(table, dict) or list(table) != ["key"] or not isinstance(table["key"], str):
        yield Problem("reference", "", "it has no key alone", 'write key = "survey.key", the path of a key file')


def _in_grid(tables: Any, folder: Path | None) -> Iterator[Problem]:
    if not isinstance(tables, dict) or not tables:
        yield Problem("grid", "", "the grid has no methods", "write [grid.mdav] with group_size = [3, 5, 10]")
        return
    for method, table in tables.items():
        try:
            entry = find("masking", method)
        except SdcError as error:
            yield Problem.of(f"grid.{method}", "", error)
            continue
        if not isinstance(table, dict):
            yield Problem(f"grid.{method}", "", "it is not a table", "write each parameter with a list of values")
            continue
        for key, values in table.items():
            listed = values if isinstance(values, list) else [values]
            if not listed:
                yield Problem(f"grid.{method}", key, "it has no values", "give it one or more")
            for each in listed:
                errors = [(at, error) for at, error in parameter_errors(entry, {key: each}, folder) if at == key]
                yield from (Problem.of(f"grid.{method}", at, error) for at, error in errors)


def _numbered(name: str, tables: list[Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The tables of an array with their titles; anything that is not a table counts as an empty one."""
    for number, table in enumerate(tables, start=1):
        yield f"{name} {number}", table if isinstance(table, dict) else {}
