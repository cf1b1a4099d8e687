"""Component descriptions: title, definition, formula and source of a method or measure, read from its docstrings."""

import sys
from dataclasses import dataclass

from sdckit.catalogue import Entry, entries
from sdckit.latex_text import readable
from sdckit.references import citation

FORMULA = "Formula:"  # how the docstring of a component begins the paragraph with its formula


@dataclass(frozen=True)
class ComponentDescription:
    """Title and gist from the docstring of the module; definition, formula and remarks from that of the class."""

    name: str
    title: str
    gist: str
    definition: str
    formula: str
    remarks: tuple[str, ...]
    source: str
    family: str


def describe_component(name: str) -> ComponentDescription:
    """The description of the method or measure of that name; one that no catalogue has is described by its name alone.

    >>> describe_component("made-up").title
    'made-up'
    """
    found = [entry for entry in entries() if entry.name == name]
    return _described(found[0]) if found else ComponentDescription(name, name, "", "", "", (), "", "")


def _described(entry: Entry) -> ComponentDescription:
    headline = (sys.modules[entry.component.__module__].__doc__ or "").partition("\n")[0].rstrip(".")
    title, colon, gist = headline.partition(":")
    paragraphs = [readable(" ".join(part.split())) for part in entry.description.split("\n\n")]
    return ComponentDescription(
        entry.name,
        title.strip() if colon else entry.name.replace("-", " ").capitalize(),
        gist.strip(),
        paragraphs[0],
        next((part.removeprefix(FORMULA).strip() for part in paragraphs if part.startswith(FORMULA)), ""),
        tuple(part for part in paragraphs[1:] if not part.startswith(FORMULA)),
        citation(entry.reference),
        entry.family,
    )
