"""Formulas of pages written by hand, as MathML: `$…$` within a line, `$$…$$` as a line of its own.

A hook of mkdocs. A formula is set before the page is, and put back afterwards, so that its signs are not read as
Markdown. Code is left alone; any other dollar without a partner ends the build.
"""

import re
from typing import TYPE_CHECKING

from method_formulas import UnrenderedFormula, formula, mathml

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

CODE = re.compile(r"^(?P<indent> *)```.*?^(?P=indent)```|`[^`\n]+`", re.M | re.S)
DISPLAYED = re.compile(r"^\$\$\s*(.+?)\s*\$\$$", re.M | re.S)
INLINE = re.compile(r"\$(?=\S)([^$]+?)(?<=\S)\$")
MARK = "\ue000{}\ue001"  # characters for private use: no page has them
MARKED = re.compile("\ue000(\\d+)\ue001")
GENERATED = "reference/"  # these pages set their own formulas

_markup: dict[str, list[str]] = {}


def with_marks(markdown: str, page: str) -> tuple[str, list[str]]:
    """A page with a mark instead of each formula, and the formulas in their order."""
    markup: list[str] = []

    def keep(rendered: str) -> str:
        markup.append(rendered)
        return MARK.format(len(markup) - 1)

    def set_in(text: str) -> str:
        text = DISPLAYED.sub(lambda found: keep(formula(f"${found[1]}$")), text)
        text = INLINE.sub(lambda found: keep(mathml(found[1])), text)
        if "$" in text:
            line = next(line for line in text.splitlines() if "$" in line)
            raise UnrenderedFormula(f"{page}: a dollar has no partner: {line.strip()}")
        return text

    parts, end = [], 0
    for code in CODE.finditer(markdown):
        parts += [set_in(markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*parts, set_in(markdown[end:])]), markup


def with_formulas(html: str, markup: list[str]) -> str:
    """The page with its formulas; one on a line of its own is no paragraph."""
    html = re.sub("<p>(\ue000\\d+\ue001)</p>", r"\1", html)
    return MARKED.sub(lambda mark: markup[int(mark[1])], html)


def on_page_markdown(markdown: str, *, page: "Page", config: "MkDocsConfig", files: "Files") -> str:
    """Called by mkdocs for every page."""
    if page.file.src_uri.startswith(GENERATED):
        return markdown
    markdown, _markup[page.file.src_uri] = with_marks(markdown, page.file.src_uri)
    return markdown


def on_page_content(html: str, *, page: "Page", config: "MkDocsConfig", files: "Files") -> str:
    """Called by mkdocs for every page that has been set."""
    return with_formulas(html, _markup.pop(page.file.src_uri, []))
