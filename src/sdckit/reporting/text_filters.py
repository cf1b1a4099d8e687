"""Text filters: how the templates of a report write shares, lists of names and the paragraphs of docstrings."""

import re
from typing import Any

from markupsafe import Markup, escape


def prose(text: str) -> Markup:
    """A docstring's paragraph as HTML: `names` in backticks are code.

    >>> prose("`k` < 3")
    Markup('<code>k</code> &lt; 3')
    """
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def out_of(share: float, unit: str = "record") -> str:
    """A share in words, such as 3 of 100 records.

    >>> out_of(0.56), out_of(0.002), out_of(0.0), out_of(0.9999)
    ('56 of 100 records', '1 of 500 records', 'no record', 'nearly every record')
    """
    if share < 1e-9:
        return f"no {unit}"
    if share >= 0.995:
        return f"nearly every {unit}" if share < 1 else f"every {unit}"
    return f"{100 * share:.0f} of 100 {unit}s" if share >= 0.0095 else f"1 of {round(1 / share):,} {unit}s"


def listed(names: Any, limit: int = 12) -> str:
    """Names in a row, the end of a long row left out.

    >>> listed(["a", "b", "c"]), listed("abcd", 2)
    ('a, b and c', 'a, b and 2 more')
    """
    every = [str(name) for name in names]
    if len(every) > limit:
        return f"{', '.join(every[:limit])} and {len(every) - limit} more"
    return " and ".join(filter(None, [", ".join(every[:-1]), *every[-1:]]))
