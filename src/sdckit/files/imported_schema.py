"""A schema from what another program knows of a file: the roles of sdcMicro, or the roles and hierarchies of ARX."""

from dataclasses import dataclass, field, replace
from pathlib import Path

from sdckit.errors import FileError, UnknownNameError
from sdckit.files.arx_project import arx_declarations
from sdckit.files.infer_schema import infer_schema
from sdckit.files.sdcmicro_roles import sdcmicro_declarations
from sdckit.input_file import readable
from sdckit.microdata import Kind, Microdata
from sdckit.schema import Declared, Schema

SOURCES = {
    ".rds": "an sdcMicro object",
    ".rda": "an sdcMicro object",
    ".rdata": "an sdcMicro object",
    ".json": "sdcMicro's roles",
    ".csv": "sdcMicro's roles",
    ".deid": "an ARX project",
}


@dataclass(frozen=True)
class ImportedSchema:
    """A schema, the reason of each declaration, and the columns on which the other program says nothing."""

    schema: Schema
    reasons: dict[str, list[str]]
    unmentioned: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())


def import_schema(source: str | Path, data: Microdata | None = None, folder: str | Path = ".") -> ImportedSchema:
    """Read what another program declares of a file's columns.

    Parameters
    ----------
    source
        An R file with an sdcMicro object (.rds, .rda), a list of roles (.json, .csv), or an ARX project (.deid).
    data
        The file itself. Kinds and the roles of columns that the source does not mention are then guessed from it.
    folder
        The folder in which the schema will be written: the paths of hierarchies start from it.
    """
    path = readable(source)
    suffix = path.suffix.lower()
    if suffix not in SOURCES:
        raise FileError(f"{path}: roles are read from {', '.join(SOURCES)} files, not from {suffix or 'this one'}")
    columns = None if data is None else [each.name for each in data.attributes]
    if suffix == ".deid":
        declared, reasons, notes = arx_declarations(path, Path(folder))
    else:
        declared, reasons, notes = sdcmicro_declarations(path, columns)
    if data is None or columns is None:
        return ImportedSchema(Schema(declared), reasons, notes=tuple(notes))
    for name in declared:
        if name not in columns:
            raise UnknownNameError("column", name, columns)
    guess = infer_schema(data)
    merged: dict[str, Declared] = {}
    for name in columns:
        guessed = guess.schema.attributes.get(name, Declared())
        if name not in declared:
            merged[name] = guessed
            reasons[name] = [f"not mentioned in {path.name}; guessed:", *guess.reasons.get(name, ())]
        else:
            merged[name] = _joined(declared[name], guessed)
    unmentioned = tuple(name for name in columns if name not in declared)
    return ImportedSchema(Schema(merged, guess.schema.edits), reasons, unmentioned, tuple(notes))


def _joined(declared: Declared, guessed: Declared) -> Declared:
    """A declaration completed by what was guessed; the kind of a number stays that of a number."""
    kind = declared.kind or guessed.kind
    if declared.hierarchy is not None:
        return replace(guessed, role=declared.role, kind=Kind.PARTIALLY_ORDERED, hierarchy=declared.hierarchy)
    if guessed.kind is not None and kind is not None and kind & Kind.ORDERED and guessed.kind & Kind.ORDERED:
        kind = guessed.kind  # discrete or continuous: the values show it
    if kind is not None and kind & Kind.CATEGORICAL and guessed.hierarchy is not None:
        kind = Kind.PARTIALLY_ORDERED
    hierarchy = guessed.hierarchy if kind is not None and kind & Kind.PARTIALLY_ORDERED else None
    return replace(guessed, role=declared.role, kind=kind, hierarchy=hierarchy)
