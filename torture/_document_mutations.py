"""Mutations of documents: values of another type, entries renamed, removed or repeated, text that a terminal obeys."""

import hashlib
import json
import tomllib
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import numpy as np
import tomli_w

VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        3,
        2**31,
        2**63,
        -(2**63),
        10**30,
        0.0,
        0.5,
        -0.5,
        1e308,
        float("inf"),
        float("nan"),
    ),
    *(
        "",
        " ",
        "a",
        "key",
        "mdav",
        "il1",
        "income",
        "nobody",
        "3",
        "inf",
        "../../etc",
        "\x1b[31mred\x1b[0m",
        "a\nb",
        "\x07",
    ),
    *("a\x00b", "\u202eabc", "x" * 5000, [], {}, [[]], [{}], [1, "a"], {"a": {}}, {"": 1}, [[["deep"]]], ["income"]),
    *(
        {"income": "a"},
        [3, 5],
        {"prefix": [1]},
        {"file": "nowhere.csv"},
        {"levels": [["a"], ["b", "c"]]},
        [float("nan")],
    ),
)
Path = tuple[str | int, ...]


def mutated_document(content: bytes, kind: str, rng: np.random.Generator) -> bytes:
    """A TOML or JSON text with one to three of its entries changed; a checksum in it is made to agree, or not."""
    document = tomllib.loads(content.decode()) if kind == "toml" else json.loads(content)  # our own: changed in place
    for _ in range(int(rng.integers(1, 4))):
        document = _changed(document, rng)
    if isinstance(document, dict) and "checksum" in document and rng.random() < 0.8:
        document["checksum"] = _checksum(document)
    if kind == "toml":
        return _toml(document)
    return json.dumps(document, default=str).encode("utf-8", "surrogatepass")


def _changed(document: Any, rng: np.random.Generator) -> Any:
    paths = list(_paths(document))
    path = paths[int(rng.integers(len(paths)))]
    value = deepcopy(VALUES[int(rng.integers(len(VALUES)))])
    if not path:
        return value if rng.random() < 0.3 else document
    parent = document
    for step in path[:-1]:
        parent = parent[step]
    last = path[-1]
    way = int(rng.integers(6))
    if way == 0:
        del parent[last]
    elif way == 1 and isinstance(parent, dict):
        parent[_other_name(str(last), rng)] = parent.pop(last)
    elif way == 2 and isinstance(parent, dict):
        parent[_other_name(str(last), rng)] = value
    elif way == 3:
        parent[last] = [parent[last], value] if rng.integers(2) else {"a": parent[last]}
    elif way == 4 and paths:
        parent[last] = deepcopy(_at(document, paths[int(rng.integers(len(paths)))]))
    else:
        parent[last] = value
    return document


def _paths(value: Any, path: Path = ()) -> Iterator[Path]:
    yield path
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from _paths(entry, (*path, key))
    elif isinstance(value, list):
        for index, entry in enumerate(value):
            yield from _paths(entry, (*path, index))


def _at(document: Any, path: Path) -> Any:
    for step in path:
        document = document[step]
    return document


def _other_name(name: str, rng: np.random.Generator) -> str:
    names = (name + "s", name[:-1], name.upper(), "", "\x1b[2Jx", "income", "method", "a.b", "a\nb", "x" * 300)
    return names[int(rng.integers(len(names)))]


def _toml(document: Any) -> bytes:
    if not isinstance(document, dict):
        document = {"document": document}
    return tomli_w.dumps(_without_none(document)).encode("utf-8", "surrogatepass")


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _without_none(entry) for key, entry in value.items() if entry is not None}
    if isinstance(value, list):
        return [_without_none(entry) for entry in value if entry is not None]
    return value


def _checksum(document: dict[str, Any]) -> str:
    """The checksum of a key or a receipt, as somebody who forges one would make it."""
    content = {name: value for name, value in document.items() if name != "checksum"}
    return hashlib.blake2b(json.dumps(content, sort_keys=True, default=str).encode(), digest_size=16).hexdigest()
