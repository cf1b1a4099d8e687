"""TOML text in the form a person would write: one value per line, long lists one item per line, few quotes."""

import json
import re
from collections.abc import Mapping
from datetime import date, time
from typing import Any

WIDTH = 100  # a shorter list is written on one line


def key(name: str) -> str:
    """A name as a TOML key.

    >>> key("age"), key("post code")
    ('age', '"post code"')
    """
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else value(name)


def value(entry: Any) -> str:
    """A scalar, a list or a table as TOML on one line; a long list has one item per line.

    >>> value({"prefix": [1, 2], "note": 'say "hi"'})
    '{ prefix = [1, 2], note = "say \\\\"hi\\\\"" }'
    """
    if isinstance(entry, bool):
        return str(entry).lower()
    if isinstance(entry, int | float):
        return repr(int(entry)) if isinstance(entry, int) else repr(float(entry))
    if isinstance(entry, date | time):
        return entry.isoformat()
    if isinstance(entry, Mapping):
        return "{ " + ", ".join(f"{key(str(name))} = {value(each)}" for name, each in entry.items()) + " }"
    if isinstance(entry, list | tuple):
        items = [value(each) for each in entry]
        line = f"[{', '.join(items)}]"
        return line if len(line) <= WIDTH else "[\n" + "".join(f"  {item},\n" for item in items) + "]"
    return json.dumps(str(entry), ensure_ascii=False).replace("\x7f", "\\u007f")


def comment(text: str) -> str:
    """A TOML comment of one line; characters that cannot be printed become spaces."""
    return "# " + "".join(character if character.isprintable() else " " for character in text)
