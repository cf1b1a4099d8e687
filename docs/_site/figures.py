"""The figures of pages written by hand, drawn where a page has `<!-- figure NAME: TEXT -->`, and its screenshots.

A hook of mkdocs.
"""

import re
from typing import TYPE_CHECKING

import checkout  # noqa: F401  puts the folder of `tools` where Python looks
from tools.figures import figure
from tools.screenshots import refuse_outdated

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

NAMED = re.compile(r"^<!-- figure (\w+): (.*?)\s-->", re.M | re.S)


def with_figures(markdown: str) -> str:
    """A page with its drawings."""
    return NAMED.sub(lambda found: figure(found[1], found[2]), markdown)


def on_files(files: "Files", *, config: "MkDocsConfig") -> "Files":
    """Called by mkdocs once: a screenshot that is older than its screen ends the build."""
    refuse_outdated()
    return files


def on_page_markdown(markdown: str, *, page: "Page", config: "MkDocsConfig", files: "Files") -> str:
    """Called by mkdocs for every page."""
    return with_figures(markdown)
