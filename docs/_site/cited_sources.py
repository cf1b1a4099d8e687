"""Sources cited on a page by their key, as in `[@moore1996]`: a short label there, the full citation at the end."""

import re
from typing import TYPE_CHECKING

from sdckit.references import bibliography

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

CITED = re.compile(r"\[@(\w+)\]")


class UnknownSource(Exception):
    """A key that is not in the bibliography, which ends the build."""


def label(key: str) -> str:
    """The label of a source: its first author and year.

    >>> label("moore1996")
    'Moore 1996'
    """
    name, year = re.findall(r"^\D+|\d{4}[a-z]?\b|\d{4}", key)[:2]
    return f"{name.capitalize()} {year}"


def with_sources(markdown: str, page: str = "") -> str:
    """A page whose citations are links to the list of sources at its end."""
    keys = list(dict.fromkeys(CITED.findall(markdown)))
    if not keys:
        return markdown
    if unknown := [key for key in keys if key not in bibliography()]:
        raise UnknownSource(f"{page} cites {', '.join(unknown)}, which is not in references.toml")
    text = CITED.sub(lambda match: f"[({label(match[1])})](#source-{match[1]})", markdown)
    lines = [f'<li id="source-{key}">{bibliography()[key]}</li>' for key in sorted(keys)]
    return f'{text.rstrip()}\n\n## Sources\n\n<ul class="sources">{"".join(lines)}</ul>\n'


def on_page_markdown(markdown: str, *, page: "Page", config: "MkDocsConfig", files: "Files") -> str:
    """Called by mkdocs for every page."""
    return with_sources(markdown, page.file.src_uri)
