"""No traceback, whatever is in a document: every entry of every document, replaced by values of every type."""

import copy
import datetime
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from sdckit.cli import OWN_FAULT

from .conftest import Run

DATA = "name,age,income,region\n" + "".join(f"p{n},{20 + n},{1000 + 37 * n},{'NS'[n % 2]}\n" for n in range(12))
SCHEMA = {
    "attributes": {
        "name": {"role": "identifier"},
        "age": {"kind": "discrete", "role": "key", "decimals": 0, "missing": [99], "hierarchy": {"intervals": [5, 10]}},
        "income": {"kind": "continuous", "role": "key", "label": "net income"},
        "region": {"kind": "ordinal", "role": "confidential", "categories": ["N", "S"], "value_labels": {"N": "north"}},
    },
    "edits": [{"terms": {"income": 1, "age": -1}, "low": 0, "high": 1e6}, {"terms": {"age": 1}, "equals": 3}],
}
RECIPE = {
    "release": {"digest": "0" * 32, "records": 12},
    "steps": [{"method": "rounding", "attributes": ["income"], "unit": 10}, {"method": "top-coding", "share": 0.1}],
}
POLICY = {
    "intruder": {"attributes": ["age"], "records": 0.5, "noise": 0.1, "missing": 0.1, "knows_method": True},
    "rules": [
        {"measure": "il1s", "max": 0.5, "note": "useful", "optional": True},
        {"measure": "interval-disclosure", "figure": "upper", "min": 0, "max": 1, "widest": 0.2},
    ],
}
GRID = {"grid": {"rounding": {"unit": [5, 10]}}}
MAP = {
    "record": "who",
    "columns": {
        "who": "name",
        "years": {"original": "age", "factor": 1, "offset": 0},
        "part": {"original": "region", "categories": {"north": "N"}},
    },
}
WRONG: list[Any] = [
    True,
    0,
    -1,
    2**70,
    1e308,
    float("inf"),
    float("nan"),
    "",
    "text",
    "a\nb\x7f",
    [],
    [[]],
    ["age", "age"],
    [1, "a"],
    {},
    {"a": {"b": 1}},
    [{}],
    datetime.date(2020, 1, 1),
]


def mutations(document: Any) -> Iterator[tuple[str, Any]]:
    """The document with one entry replaced, left out or added, for every entry and every wrong value."""
    for path in _paths(document):
        for wrong in WRONG:
            yield f"{path} = {wrong!r}"[:60], _changed(document, path, wrong)
        if path and isinstance(path[-1], str):
            yield f"{path} left out", _changed(document, path, None)
            yield f"{path} doubled", _changed(document, (*path[:-1], f"{path[-1]}s"), 1)


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in entries:
        yield (*path, key)
        yield from _paths(each, (*path, key))


def _changed(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    changed = copy.deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    if value is None:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return changed


COMMANDS = {
    "schema": (SCHEMA, ("describe", "{data}", "--schema", "{document}", "--json")),
    "schema of a masking": (SCHEMA, ("protect", "{data}", "{out}", "--schema", "{document}", "--method", "rounding")),
    "recipe": (RECIPE, ("protect", "{data}", "{out}", "--recipe", "{document}", "--json")),
    "recipe of a release": (RECIPE, ("correct", "{data}", "--recipe", "{document}", "--seed", "1", "--json")),
    "policy": (POLICY, ("gate", "{data}", "--original", "{data}", "--rows-in-order", "--policy", "{document}")),
    "grid": (GRID, ("sweep", "{data}", "--grid", "{document}", "--seeds", "1", "--workers", "1", "--measure", "il1s",
                    "--measure", "interval-disclosure", "--json")),
    "intruder map": (MAP, ("assess", "{data}", "{data}", "--rows-in-order", "--measure", "interval-disclosure",
                           "--intruder-file", "{own}", "--intruder-map", "{document}", "--json")),
}  # fmt: skip
CHECKED = {"run": SCHEMA | RECIPE | POLICY | GRID | {"measures": [{"measure": "il1s"}]}, "intruder map": MAP}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "data.csv").write_text(DATA, encoding="utf-8")
    own = DATA.replace("name,age,income,region", "who,years,income,part").replace(",N\n", ",north\n")
    (tmp_path / "own.csv").write_text(own, encoding="utf-8")
    names = {"data": "data.csv", "own": "own.csv", "out": "out.csv", "document": "document.toml"}
    return {key: str(tmp_path / name) for key, name in names.items()}


def failures(
    run: Run, files: dict[str, str], documents: Iterator[tuple[str, Any]], command: tuple[str, ...]
) -> list[str]:
    found = []
    for title, document in documents:
        try:
            text = tomli_w.dumps(document)
        except (TypeError, ValueError):
            continue  # TOML cannot express it
        Path(files["document"]).write_text(text, encoding="utf-8")
        Path(files["out"]).unlink(missing_ok=True)
        done = run(*(part.format(**files) for part in command))
        if done.code == OWN_FAULT or not 0 <= done.code <= 3 or "Traceback" in done.err:
            found.append(f"{title}: {done.err[-200:]}{done.out[-200:]}")
        elif "--json" in command:
            json.loads(done.out, parse_constant=pytest.fail)  # Infinity and NaN are not JSON
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", COMMANDS)
def test_no_entry_of_a_document_makes_a_verb_fail(run: Run, files: dict[str, str], kind: str) -> None:
    document, command = COMMANDS[kind]
    assert not failures(run, files, mutations(document), command)


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_sample_of_them_with_every_test(run: Run, files: dict[str, str], kind: str) -> None:
    document, command = COMMANDS[kind]
    some = (each for number, each in enumerate(mutations(document)) if number % 41 == 7)
    assert not failures(run, files, some, command)


@pytest.mark.parametrize("kind", CHECKED)
def test_nor_makes_the_check_fail(run: Run, files: dict[str, str], kind: str) -> None:
    some = (each for number, each in enumerate(mutations(CHECKED[kind])) if number % 37 == 2)
    assert not failures(run, files, some, ("check", "{document}", "--json"))


BROKEN = {
    "empty": b"",
    "not UTF-8": b"\xff\xfe\x00[attributes]",
    "a zero byte": b"a = \x00",
    "nested deeply": b"a = " + b"[" * 5000,
    "a number of 5,000 digits": b"a = " + b"9" * 5000,
    "cut short": b'[attributes.age]\nrole = "ke',
    "JSON": b'{"attributes": {}}',
    "only a list": b"[]",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_document_that_is_none_is_one_line(run: Run, files: dict[str, str], name: str) -> None:
    Path(files["document"]).write_bytes(BROKEN[name])
    for _, command in COMMANDS.values():
        done = run(*(part.format(**files) for part in command if part != "--json"))
        assert done.code == 2 and done.err.count("\n") == 1 and done.err.startswith("error: "), done
