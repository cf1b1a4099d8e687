"""Documents of runs, drawn from the catalogue, and ways to spoil them."""

import math
import types
import typing
from collections.abc import Callable
from copy import deepcopy
from typing import Any, get_origin

from hypothesis import strategies as st

import sdckit
from sdckit.catalogue import Entry
from sdckit.parameters import Parameter

NAMES = st.lists(st.sampled_from(["age", "income", "post code"]), unique=True)
WRONG = {"integer": "three", "number": "much", "boolean": "perhaps", "string": 7, "array": 7}


def json_type(wanted: Any) -> str:
    """The type that a TOML value of a parameter has."""
    if isinstance(wanted, types.UnionType) or get_origin(wanted) is typing.Union:
        return "string"
    plain = {bool: "boolean", int: "integer", float: "number"}
    return "array" if get_origin(wanted) is tuple else plain.get(wanted, "string")


def values_of(declared: Parameter) -> st.SearchStrategy[Any]:
    """Admissible values of a parameter of numbers or truth values, those of a sweep among them."""
    low = 0 if declared.low is None else declared.low
    high = low + 5 if declared.high is None or math.isinf(declared.high) else declared.high
    plain = {
        "boolean": st.booleans(),
        "integer": st.integers(int(low), int(high)),
        "number": st.floats(low, high, allow_nan=False),
    }
    return plain[json_type(declared.type)]


def numeric(entry: Entry) -> list[Parameter]:
    """The parameters whose values can be drawn without knowing more of them."""
    return [each for each in entry.parameters if json_type(each.type) in ("boolean", "integer", "number")]


@st.composite
def component_tables(draw: st.DrawFn, key: str, listed: tuple[Entry, ...]) -> dict[str, Any]:
    """A table that names a component and some of its parameters, sometimes by the old name."""
    entry = draw(st.sampled_from(listed))
    table: dict[str, Any] = {key: entry.name}
    for declared in numeric(entry):
        if draw(st.booleans()):
            name = declared.formerly if declared.formerly and draw(st.booleans()) else declared.name
            table[name] = draw(values_of(declared))
    return table


STEPS = component_tables("method", sdckit.entries("masking"))
MEASURES = component_tables("measure", sdckit.entries("risk") + sdckit.entries("loss"))


@st.composite
def rules(draw: st.DrawFn) -> dict[str, Any]:
    """A rule with one limit, a share, which suits every figure."""
    limit = {draw(st.sampled_from(["max", "min"])): draw(st.floats(0, 1))}
    more = {"optional": draw(st.booleans())} if draw(st.booleans()) else {}
    return draw(MEASURES) | limit | more | ({"note": "why"} if draw(st.booleans()) else {})


@st.composite
def runs(draw: st.DrawFn) -> dict[str, Any]:
    """A whole run: any of its tables."""
    tables = {
        "steps": st.lists(
            st.builds(lambda table, names: table | ({"attributes": names} if names else {}), STEPS, NAMES)
        ),
        "measures": st.lists(MEASURES, max_size=2),
        "rules": st.lists(rules(), max_size=2),
        "intruder": st.fixed_dictionaries(
            {},
            optional={
                "attributes": NAMES.filter(bool),
                "records": st.floats(0.01, 1) | st.lists(st.integers(0, 9), min_size=1, unique=True),
                "noise": st.floats(0.01, 3),
                "missing": st.floats(0.01, 1),
                "knows_method": st.just(False),
                "knowledge": st.sampled_from(["first-subsets(3)", "everything"]),
            },
        ),
        "attributes": st.dictionaries(
            st.sampled_from(["age", "post code"]),
            st.fixed_dictionaries({"role": st.sampled_from(["key", "confidential"])}, optional={"label": st.just("a")}),
        ),
        "edits": st.just([{"terms": {"age": 1}, "low": 0}]),
        "grid": st.just({"mdav": {"group_size": [3, 5]}}),
    }
    drawn = {name: draw(table) for name, table in tables.items() if draw(st.booleans())}
    return {name: table for name, table in drawn.items() if table}


@st.composite
def spoilt(draw: st.DrawFn) -> dict[str, Any]:
    """A run with a mistake that a JSON Schema can see: wrong type, unknown or missing entry, out of bounds."""
    document = deepcopy(draw(runs().filter(lambda each: {"steps", "measures", "rules", "intruder"} & set(each))))
    name = draw(st.sampled_from([each for each in document if each in ("steps", "measures", "rules", "intruder")]))
    if draw(st.integers(0, 9)) == 0:
        document[draw(st.sampled_from([name + "s", "unknown"]))] = [{}]
        return document
    table = document[name] if name == "intruder" else draw(st.sampled_from(document[name]))
    key = {"steps": "method"}.get(name, "measure")
    ways: list[Callable[[], Any]] = [lambda: table.update(unknown=3), lambda: table.update(attributes=3)]
    if name != "intruder":
        entry = sdckit.find(None, table[key])
        ways += [lambda: table.pop(key), lambda: table.update({key: "no-such-thing"}), lambda: table.update({key: 3})]
        for each in numeric(entry):
            ways.append(lambda each=each: table.update({each.name: WRONG[json_type(each.type)]}))
            if each.low is not None:
                ways.append(lambda each=each: table.update({each.name: each.low - 1}))
            if each.high is not None and math.isfinite(each.high):  # nothing is above infinity
                ways.append(lambda each=each: table.update({each.name: each.high + 1}))
    else:
        ways += [lambda: table.update(noise=-1), lambda: table.update(records=2.0), lambda: table.update(noise="much")]
    if name == "rules":
        ways += [lambda: (table.pop("max", 0), table.pop("min", 0)), lambda: table.update(max="5%")]
        ways += [lambda: table.update(optional="yes"), lambda: table.update(note=3)]
    draw(st.sampled_from(ways))()
    return document
