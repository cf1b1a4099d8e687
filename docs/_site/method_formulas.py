"""A formula of a docstring as MathML, which a browser sets without a script."""

import html
import re

from latex2mathml.converter import convert

DOLLARS = re.compile(r"\$([^$]*)\$")
CONDITION = re.compile(r"[,;]  +(?=(?:[^$]*\$[^$]*\$)*[^$]*$)")  # two spaces after a comma that is not within dollars
LOW_AND_HIGH = (
    (r"_(?:{([^}]*)}|([A-Za-z0-9]+))", "sub"),
    (r"\^(?:{([^}]*)}|([−-]?(?:\w+|\([^)]*\))))", "sup"),
)


class UnrenderedFormula(Exception):
    """A formula with a part that cannot be set, which ends the build."""


def formula(source: str) -> str:
    """A formula in the reader's mathematical font, its conditions below."""
    equation, *conditions = CONDITION.split(" ".join(source.split("\n")))
    lines = "".join(f'<div class="where">{typeset(each)}</div>' for each in conditions)
    return f'<div class="formula">{typeset(equation, display=True)}{lines}</div>'


def typeset(source: str, *, display: bool = False) -> str:
    """Text whose parts between dollars are LaTeX; with no dollars, `_x`, `_{…}` and `^…` are set low and high."""
    if "$" not in source:
        return low_and_high(html.escape(source))
    parts = DOLLARS.split(source)
    if any("$" in part for part in parts):
        raise UnrenderedFormula(f"a dollar has no partner: {source}")
    return "".join(mathml(part, display=display) if index % 2 else text(part) for index, part in enumerate(parts))


def text(source: str) -> str:
    """Plain text of a formula; names of parameters are in backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(source))


def mathml(latex: str, *, display: bool = False) -> str:
    """One formula; a command that the library does not know is an error."""
    markup = convert(latex).replace("<mi>&#x02032;</mi>", "<mo>&#x02032;</mo>")
    if unknown := re.search(r"\\\w*", markup):
        raise UnrenderedFormula(f"{unknown[0]} cannot be set: {latex}")
    return markup.replace('display="inline"', 'display="inline" displaystyle="true"') if display else markup


def low_and_high(markup: str) -> str:
    """Marks for subscripts and superscripts in plain text."""
    for mark, tag in LOW_AND_HIGH:
        markup = re.sub(mark, lambda match, tag=tag: f"<{tag}>{match[1] or match[2]}</{tag}>", markup)
    return markup
