"""TOML text as a person would write it: one value a line, long lists one item a line, names quoted where needed."""

import json
import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

WIDTH = 100  # a list that fits is written on one line


def key(name: str) -> str:
    """A name as a TOML key.

    >>> key("age"), key("post code")
    ('age', '"post code"')
    """
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else value(name)


def value(thing: Any) -> str:
    """A plain value, a list or a table as TOML on one line, or a long list one item a line.

    >>> value({"prefix": [1, 2], "note": 'say "hi"'})
    '{ prefix = [1, 2], note = "say \\\\"hi\\\\"" }'
    """
    if isinstance(thing, bool):
        return str(thing).lower()
    if isinstance(thing, int | float):
        return repr(int(thing)) if isinstance(thing, int) else repr(float(thing))
    if isinstance(thing, date | time):
        return thing.isoformat()
    if isinstance(thing, Mapping):
        return "{ " + ", ".join(f"{key(str(name))} = {value(each)}" for name, each in thing.items()) + " }"
    if isinstance(thing, list | tuple):
        items = [value(each) for each in thing]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= WIDTH else "[\n" + "".join(f"  {item},\n" for item in items) + "]"
    return json.dumps(str(thing), ensure_ascii=False).replace("\x7f", "\\u007f")


def comment(text: str) -> str:
    """A remark on one line, whatever it holds."""
    return "# " + "".join(letter if letter.isprintable() else " " for letter in text)
