"""The roles and hierarchies in a project of ARX: a ZIP archive with `input/definition.xml` and `input/hierarchies`."""

import os
import zlib
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from sdckit.errors import FileError
from sdckit.files.document_type import DeclaresDocumentType, refuse_document_type
from sdckit.microdata import Kind, Role
from sdckit.schema import Declared

ROLES = {
    "IDENTIFYING_ATTRIBUTE": (Role.IDENTIFIER, "identifying"),
    "QUASI_IDENTIFYING_ATTRIBUTE": (Role.KEY, "quasi-identifying"),
    "SENSITIVE_ATTRIBUTE": (Role.CONFIDENTIAL, "sensitive"),
    "INSENSITIVE_ATTRIBUTE": (Role.OTHER, "insensitive"),
}
KINDS = {"Integer": Kind.DISCRETE, "Decimal": Kind.CONTINUOUS, "String": Kind.UNORDERED}
LARGEST = 16 * 2**20  # bytes of one XML document in a project
SEMICOLON = ";"


def arx_declarations(path: Path, folder: Path) -> tuple[dict[str, Declared], dict[str, list[str]], list[str]]:
    """What an ARX project declares of each column, with the reasons and notes."""
    try:
        with ZipFile(path) as project:
            names = project.namelist()
            definition = _document(project, path, "definition.xml", names)
            settings = _document(project, path, "project.xml", names)
            configuration = _document(project, path, "config.xml", names)
    except (OSError, BadZipFile, RuntimeError, zlib.error, ValueError) as problem:  # also an encrypted or damaged one
        raise FileError(f"the ARX project {path} cannot be read: {problem}") from None
    if definition is None:
        raise FileError(f"the ARX project {path} has no definition.xml; save the project again in ARX")
    trees = {PurePosixPath(name).stem for name in names if PurePosixPath(name).parent.name == "hierarchies"}
    delimiter = SEMICOLON if settings is None else settings.findtext("separator") or SEMICOLON
    declared: dict[str, Declared] = {}
    reasons: dict[str, list[str]] = {}
    for entry in definition:
        name, kind = entry.findtext("name"), entry.findtext("type") or ""
        if name is None or kind not in ROLES:
            continue
        role, word = ROLES[kind]
        reasons[name] = [f"{word} in ARX"]
        text = KINDS.get(entry.findtext("datatype") or "") in (None, Kind.UNORDERED)
        if name in trees and (role is Role.KEY or (role is Role.CONFIDENTIAL and text)):
            tree = _hierarchy(path, folder, name, delimiter)
            declared[name] = Declared(kind=Kind.PARTIALLY_ORDERED, role=role, hierarchy=tree)
        else:
            declared[name] = Declared(kind=KINDS.get(entry.findtext("datatype") or ""), role=role)
    models = [] if configuration is None else [each.text for each in configuration.iter("criterion") if each.text]
    notes = [f"the project asks for {', '.join(models)}: choose a method that gives it"] if models else []
    return declared, reasons, notes


def _hierarchy(path: Path, folder: Path, name: str, delimiter: str) -> Mapping[str, Any]:
    file = Path(os.path.relpath(path, folder)).as_posix()
    return {"file": file, "entry": name} | ({} if delimiter == SEMICOLON else {"delimiter": delimiter})


def _document(project: ZipFile, path: Path, title: str, names: list[str]) -> ElementTree.Element | None:
    """The XML document of that name, of the input where the project also describes an output."""
    found = sorted(name for name in names if PurePosixPath(name).name == title and not name.startswith("output"))
    if not found:
        return None
    if project.getinfo(found[0]).file_size > LARGEST:
        raise FileError(f"the ARX project {path}: {found[0]} is too large to be its own")
    text = project.read(found[0])
    try:
        refuse_document_type(text)
        return ElementTree.fromstring(text)
    except DeclaresDocumentType:
        raise FileError(
            f"the ARX project {path}: {found[0]} declares a document type, which ARX does not write"
        ) from None
    except (ElementTree.ParseError, LookupError, ValueError) as problem:
        raise FileError(f"the ARX project {path}: {found[0]} is not readable: {problem}") from None
