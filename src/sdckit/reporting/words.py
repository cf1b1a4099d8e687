"""Words: what the catalogue says of a component, and figures as a person reads them."""

import re
import sys
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

from sdckit.catalogue import Entry, entries
from sdckit.formatting import between as between
from sdckit.formatting import figure as figure
from sdckit.formatting import percent as percent
from sdckit.references import citation

FORMULA = "Formula:"  # how the docstring of a component begins the paragraph with its formula


@dataclass(frozen=True)
class Words:
    """A component in words: its title and gist from its module, its definition and remarks from its docstring."""

    name: str
    title: str
    gist: str
    definition: str
    formula: str
    remarks: tuple[str, ...]
    source: str
    family: str


def words(name: str) -> Words:
    """What is said of the method or measure of that name; one that is in no catalogue speaks by its name alone."""
    found = [entry for entry in entries() if entry.name == name]
    return _of(found[0]) if found else Words(name, name, "", "", "", (), "", "")


def _of(entry: Entry) -> Words:
    headline = (sys.modules[entry.component.__module__].__doc__ or "").partition("\n")[0].rstrip(".")
    title, colon, gist = headline.partition(":")
    paragraphs = [" ".join(part.split()) for part in entry.description.split("\n\n")]
    return Words(
        entry.name,
        title.strip() if colon else entry.name.replace("-", " ").capitalize(),
        gist.strip(),
        paragraphs[0],
        next((part.removeprefix(FORMULA).strip() for part in paragraphs if part.startswith(FORMULA)), ""),
        tuple(part for part in paragraphs[1:] if not part.startswith(FORMULA)),
        citation(entry.reference),
        entry.family,
    )


def prose(text: str) -> Markup:
    """A docstring's paragraph as HTML: `names` in backticks are code.

    >>> prose("`k` < 3")
    Markup('<code>k</code> &lt; 3')
    """
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def out_of(share: float) -> str:
    """A share as so many records out of so many.

    >>> out_of(0.56), out_of(0.002), out_of(0.0), out_of(0.9999)
    ('56 of 100 records', '1 of 500 records', 'no record', 'practically every record')
    """
    if share < 1e-9:
        return "no record"
    if share >= 0.995:
        return "practically every record" if share < 1 else "every record"
    return f"{100 * share:.0f} of 100 records" if share >= 0.0095 else f"1 of {round(1 / share):,} records"


def listed(names: Any, most: int = 12) -> str:
    """Names in a row, the end of a long row left out.

    >>> listed(["a", "b", "c"]), listed("abcd", 2)
    ('a, b and c', 'a, b and 2 more')
    """
    every = [str(name) for name in names]
    if len(every) > most:
        return f"{', '.join(every[:most])} and {len(every) - most} more"
    return " and ".join(filter(None, [", ".join(every[:-1]), *every[-1:]]))
