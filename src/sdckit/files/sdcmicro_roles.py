"""The roles of sdcMicro: from an R file with an `sdcMicroObj`, or from a list of them in JSON or CSV.

In JSON, `{"keyVars": ["urbrur", "sex"], "numVars": ["income"], "weightVar": "sampling_weight"}`, by the names of the
slots; in CSV, one line per column with `variable` and `role`. A column may be given by its number, counted from 1.
"""

import csv
import io
import json
import warnings
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sdckit.errors import FileError, MissingPackageError, SchemaError, near_miss
from sdckit.input_file import LARGEST_DOCUMENT, read_text
from sdckit.microdata import Kind, Role
from sdckit.schema import Declared

DELETED = "deletedVars"  # the file that is masked here may be the one without them
GHOSTS = "ghostVars"  # lists of a key and of what is linked to it
SLOTS: dict[str, tuple[Declared, str]] = {
    DELETED: (Declared(role=Role.IDENTIFIER), "deleted in sdcMicro"),
    "weightVar": (Declared(kind=Kind.CONTINUOUS, role=Role.WEIGHT), "sampling weight in sdcMicro"),
    "hhId": (Declared(role=Role.HOUSEHOLD), "household in sdcMicro"),
    "keyVars": (Declared(kind=Kind.UNORDERED, role=Role.KEY), "categorical key variable in sdcMicro"),
    "numVars": (Declared(kind=Kind.CONTINUOUS, role=Role.KEY), "numerical key variable in sdcMicro"),
    "pramVars": (Declared(kind=Kind.UNORDERED, role=Role.KEY), "PRAM variable in sdcMicro"),
    "sensibleVar": (Declared(role=Role.CONFIDENTIAL), "sensitive variable in sdcMicro"),
    GHOSTS: (Declared(role=Role.OTHER), "ghost variable in sdcMicro: mask it with the key that it is linked to"),
    "strataVar": (Declared(role=Role.OTHER), "stratum in sdcMicro: name it in the `strata` of a step"),
}
NO_VALUE = "\x01NULL\x01"  # how R stores an empty slot
Found = tuple[dict[str, Declared], dict[str, list[str]], list[str]]


def sdcmicro_declarations(path: Path, columns: Sequence[str] | None = None) -> Found:
    """What sdcMicro declares of each column, with the reasons and notes; `columns` are those of the file itself."""
    suffix = path.suffix.lower()
    slots: Mapping[str, Any]
    names: Sequence[str] | None
    if suffix in (".rds", ".rda", ".rdata"):
        slots, names = _of_r_object(path)
    else:
        slots, names = (_of_json(path) if suffix == ".json" else _of_csv(path)), columns
    declared: dict[str, Declared] = {}
    reasons: dict[str, list[str]] = {}
    gone: list[str] = []
    for slot, (meaning, reason) in SLOTS.items():
        for name in _column_names(slots.get(slot), names, f"{path}, {slot}"):
            if slot == DELETED and columns is not None and name not in columns:
                gone.append(name)
                continue
            if slot == GHOSTS and name in declared:
                continue
            declared.setdefault(name, meaning)
            reasons.setdefault(name, []).append(reason)
    if not declared:
        raise FileError(f"{path} names no column in {', '.join(SLOTS)}; is it an sdcMicro object?")
    return declared, reasons, [f"deleted in sdcMicro, and not in the file: {', '.join(gone)}"] if gone else []


def _column_names(entry: Any, columns: Sequence[str] | None, where: str) -> list[str]:
    """The columns of a slot, which has names, numbers counted from 1, or lists of these."""
    if entry is None or (isinstance(entry, str) and entry in ("", NO_VALUE)):
        return []
    if isinstance(entry, str):
        return [str(entry)]  # of R's texts too, which are numpy's
    if isinstance(entry, Mapping):
        return [name for each in entry.values() for name in _column_names(each, columns, where)]
    if isinstance(entry, Iterable):
        return [name for each in entry for name in _column_names(each, columns, where)]
    if isinstance(entry, bool) or entry != int(entry):
        raise SchemaError(f"{where}: {entry!r} is neither the name nor the number of a column")
    if columns is None:
        raise SchemaError(f"{where}: columns are given by number; name the file itself too (--file), or use names")
    if not 1 <= entry <= len(columns):
        raise SchemaError(f"{where}: there is no column {int(entry)}; the file has {len(columns)}")
    return [columns[int(entry) - 1]]


def _of_json(path: Path) -> Mapping[str, Any]:
    try:
        document = json.loads(read_text(path, "UTF-8 text; JSON files must be", LARGEST_DOCUMENT))
    except (ValueError, RecursionError) as problem:
        raise FileError(f"{path} is not valid JSON: {problem}") from None
    if not isinstance(document, dict):
        raise FileError(f'{path} must be an object such as {{"keyVars": ["age", "sex"]}}')
    unknown = next((name for name in document if name not in SLOTS), None)
    if unknown is not None:
        raise FileError(f"{path}: sdcMicro has no slot {unknown!r} with roles{near_miss(unknown, SLOTS)}")
    return document


def _of_csv(path: Path) -> Mapping[str, Any]:
    text = read_text(path, "UTF-8 text; a list of roles must be", LARGEST_DOCUMENT).removeprefix("\ufeff")
    rows = csv.DictReader(io.StringIO(text, newline=""))
    if not {"variable", "role"} <= {*(rows.fieldnames or ())}:
        raise FileError(f"{path} needs the columns variable and role, one line per variable")
    slots: dict[str, list[str]] = {}
    for row in rows:
        if not row["role"]:
            continue
        if row["role"] not in SLOTS:
            raise FileError(f"{path}, line {rows.line_num}: no role {row['role']!r}{near_miss(row['role'], SLOTS)}")
        slots.setdefault(row["role"], []).append(row["variable"])
    return slots


def _of_r_object(path: Path) -> tuple[Mapping[str, Any], list[str]]:
    """The slots of the sdcMicro object in an R file, and the names of the columns of its data."""
    try:
        import rdata
    except ImportError:
        raise MissingPackageError(f"{path} is an R file, which needs rdata; install sdckit[all]") from None
    try:
        with warnings.catch_warnings(action="ignore"):  # it has no class of its own for the object
            found = rdata.read_rds(path) if path.suffix.lower() == ".rds" else rdata.read_rda(path)
    except FileNotFoundError:
        raise FileError(f"there is no file {path}") from None
    except Exception as problem:  # the reader fails in many ways on a file that is not R's
        raise FileError(
            f"{path} cannot be read as an R file ({type(problem).__name__}); save it by saveRDS()"
        ) from None
    objects = [found] if path.suffix.lower() == ".rds" else [*found.values()]
    problems = [each for each in objects if hasattr(each, "keyVars") and hasattr(each, "origData")]
    if len(problems) != 1:
        raise FileError(f"{path} has {len(problems)} sdcMicro objects; save the one that you mean by saveRDS()")
    slots = vars(problems[0])
    return slots, [str(name) for name in getattr(slots["origData"], "columns", ())]
