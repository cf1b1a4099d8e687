"""Figures as text for a person, and small tables of them in HTML for a notebook."""

import math
import re
from collections.abc import Callable, Iterable, Sequence

CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
LINE_BREAKS = re.compile("[\t\n]")


def printable(text: str) -> str:
    """A text with every character visible that would command a terminal: control and direction characters.

    Tabs and line ends stay. A column name or a value may have such characters by accident or on purpose.

    >>> printable("income" + chr(27) + "[2J")
    'income␛[2J'
    """
    return CONTROL.sub(_visible, text)


def on_one_line(text: str) -> str:
    """A text with its line ends and tabs visible, too, as a cell of a table needs it.

    >>> on_one_line("two" + chr(10) + "lines")
    'two␊lines'
    """
    return LINE_BREAKS.sub(_visible, text)


def _visible(found: "re.Match[str]") -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"


def percent(share: float | None) -> str:
    """A share as a percentage, with more decimals for small shares.

    >>> percent(0.5601), percent(0.00093), percent(0.00000001), percent(0.0), percent(None)
    ('56.0%', '0.09%', '< 0.01%', '0%', '–')
    """
    if share is None or not math.isfinite(share):
        return "–"
    if abs(share) < 1e-12:
        return "0%"
    if abs(share) < 0.0001:
        return "< 0.01%"
    return f"{100 * share:.1f}%" if abs(share) >= 0.01 else f"{100 * share:.2f}%"


def figure(value: float | None) -> str:
    """A number to three significant digits.

    >>> figure(0.44195), figure(3e-16), figure(12345.6), figure(1.0)
    ('0.442', '0', '12,300', '1')
    """
    if value is None or not math.isfinite(value):
        return "–"
    if abs(value) < 1e-9:
        return "0"
    short = float(f"{value:.3g}")
    return f"{short:,.0f}" if abs(short) >= 1000 else f"{short:.3g}"


def between(interval: Sequence[float] | None, as_text: Callable[[float | None], str] = percent) -> str:
    """An interval of shares, or of losses where `as_text` is `figure`.

    >>> between((0.0305, 0.112)), between((0.0305, 0.112), figure), between(None)
    ('3.0% to 11.2%', '0.0305 to 0.112', '–')
    """
    return "–" if interval is None else f"{as_text(interval[0])} to {as_text(interval[1])}"


def html_table(headings: Sequence[str], rows: Iterable[Sequence[str]], caption: str = "") -> str:
    """A table in HTML: the first column has names, left-aligned, the others have figures.

    >>> html_table(("risk",), [("a < b",)])
    '<table><tr><th style="text-align:left">risk</th></tr><tr><td style="text-align:left">a &lt; b</td></tr></table>'
    """
    from html import escape

    head = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    body = _row("th", headings) + "".join(_row("td", row) for row in rows)
    return f"<table>{head}{body}</table>"


def text_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of text: names to the left, figures to the right.

    >>> print(text_table(("risk", "after"), [("uniqueness", "4.4%")]))
    risk        after
    uniqueness   4.4%
    """
    lines = [list(map(printable, headings)), *(list(map(printable, row)) for row in rows)]
    widths = [max(len(line[index]) for line in lines) for index in range(len(headings))]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if index else cell.ljust(width)
            for index, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _row(tag: str, cells: Sequence[str]) -> str:
    from html import escape

    first, *others = (escape(cell) for cell in cells)
    return (
        f'<tr><{tag} style="text-align:left">{first}</{tag}>'
        + "".join(f"<{tag}>{cell}</{tag}>" for cell in others)
        + "</tr>"
    )
