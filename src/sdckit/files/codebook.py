"""A DDI-Codebook (versions 1 to 2.5) as a schema: labels, value labels, missing codes, kinds, weights and roles.

What a codebook says of a variable is declared; what it does not say is left to be guessed (`sdckit describe FILE
--schema codebook.xml --schema-out schema.toml`). Roles are those of a codebook written by sdckit; others name weights.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from sdckit.attribute import Kind, Level, Role
from sdckit.errors import FileError, SchemaError
from sdckit.files.graph_xml import elements
from sdckit.input_file import readable
from sdckit.schema import Declared, Schema

TITLE = "DDI-Codebook"
ROLE_NOTE, KIND_NOTE = "sdckit:role", "sdckit:kind"  # types of the notes that a written codebook has
WIDEST_RANGE = 20  # codes of a range of missing values that are listed one by one
MOST_DECIMALS = 15
HOUSEHOLD = "household"  # the unit of analysis of an attribute of the household


def read_codebook(path: str | Path) -> Schema:
    """The schema in a DDI-Codebook file."""
    source = Path(path)
    try:
        readable(source)
        content = list(_variables(source))
    except OSError as problem:
        raise FileError(f"{path} cannot be read: {problem.strerror or problem}") from None
    if not content:
        raise FileError(f"{path} is no {TITLE}: it has no var element; give the XML file of a codebook")
    repeated = sorted({name for name, _ in content if [each for each, _ in content].count(name) > 1})
    if repeated:
        raise SchemaError(f"{path}: the variable {repeated[0]!r} appears twice; give the codebook of one file")
    return Schema(dict(content))


def _variables(path: Path) -> Iterator[tuple[str, Declared]]:
    for tag, element in elements(path, TITLE):
        if tag == "var":
            name = element.get("name") or element.get("ID")
            if not name:
                raise SchemaError(f"{path}: a var element has no name; give it one")
            yield name.strip(), _declared(element)
            element.clear()


def _declared(variable: Element) -> Declared:
    labels: dict[Any, str] = {}
    missing: list[Any] = []
    for category in _children(variable, "catgry"):
        code = _code(_text(category, "catValu"))
        if code is None:
            continue
        if text := _text(category, "labl"):
            labels[code] = text
        if category.get("missing", "").casefold() in ("y", "yes", "true"):
            missing.append(code)
    for invalid in _children(variable, "invalrng"):
        missing += [code for item in _children(invalid, "item") if (code := _code(item.get("VALUE"))) is not None]
        missing += [code for span in _children(invalid, "range") for code in _listed(span)]
    missing = list(dict.fromkeys(missing))
    notes = {note.get("type", ""): (note.text or "").strip() for note in _children(variable, "notes")}
    role = Role.named(notes[ROLE_NOTE]) if notes.get(ROLE_NOTE) else None
    if role is None and variable.get("wgt") == "wgt":
        role = Role.WEIGHT
    decimals = variable.get("dcml", "")
    places = int(decimals) if decimals.isdigit() and 0 < int(decimals) <= MOST_DECIMALS else None
    return Declared(
        kind=Kind.named(notes[KIND_NOTE]) if notes.get(KIND_NOTE) else _kind(variable, set(labels) - set(missing)),
        role=role,
        decimals=places,
        missing=tuple(missing),
        label=_text(variable, "labl") or None,
        value_labels=labels or None,
        level=Level.HOUSEHOLD if _text(variable, "anlysUnit").casefold() == HOUSEHOLD else None,
    )


def _kind(variable: Element, labelled: set[Any]) -> Kind | None:
    """The kind by the nature of the variable and its interval; None where the codebook leaves it open."""
    nature, interval = variable.get("nature", ""), variable.get("intrvl", "")
    character = any(each.get("type") == "character" for each in _children(variable, "varFormat"))
    if nature == "nominal" or character:
        return Kind.UNORDERED
    if nature == "ordinal":
        return Kind.DISCRETE
    if interval in ("contin", "continuous"):
        return Kind.CONTINUOUS
    if interval == "discrete":
        return Kind.UNORDERED if labelled and nature == "" else Kind.DISCRETE
    return None


def _children(element: Element, name: str) -> list[Element]:
    return [each for each in element if each.tag.rpartition("}")[2] == name]


def _text(element: Element, name: str) -> str:
    """The text of the first child of that name, with single spaces."""
    found = next(iter(_children(element, name)), None)
    return "" if found is None else " ".join("".join(found.itertext()).split())


def _code(text: str | None) -> Any:
    """A code as a number where it is one; None for the point of a value that is missing without a code."""
    plain = (text or "").strip()
    if plain in ("", ".", "sysmiss"):
        return None
    try:
        number = float(plain)
    except ValueError:
        return plain
    whole = number.is_integer() and (plain.lstrip("+-").isdigit() or "." in plain)
    if whole and plain.lstrip("+-").startswith("0") and plain.lstrip("+-") not in ("0",) and "." not in plain:
        return plain  # 01 is a text
    return int(number) if whole else number if number == number and abs(number) != float("inf") else plain


def _listed(span: Element) -> list[int]:
    """The codes of a short range of integers."""
    low, high = (_code(span.get(end) or span.get(end.upper())) for end in ("min", "max"))
    if isinstance(low, int) and isinstance(high, int) and 0 <= high - low < WIDEST_RANGE:
        return list(range(low, high + 1))
    return []
