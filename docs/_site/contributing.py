"""The page on adding a part: the CONTRIBUTING of the checkout, whose examples a test puts into place and uses."""

from typing import TYPE_CHECKING

from checkout import ROOT

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files

PAGE = "project/contributing.md"


def on_files(files: "Files", *, config: "MkDocsConfig") -> "Files":
    """Called by mkdocs: add the page to those written by hand."""
    from mkdocs.structure.files import File

    files.append(File.generated(config, PAGE, content=(ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    return files
