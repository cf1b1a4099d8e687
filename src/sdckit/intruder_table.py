"""The intruder as the table `[intruder]` of a TOML document, read and written.

```toml
[intruder]
attributes = ["age", "region"]      # known attributes; left out: every key
records = 0.1                       # known records, as a share or as a list of numbers; left out: all
noise = 0.05                        # error on known numbers, as a share of their standard deviation
missing = 0.1                       # share of known values that are missing after all
knows_method = true
knowledge = "first-subsets(7)"      # sets of known attributes over which a linkage is averaged
```
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sdckit.errors import ParameterError, SdcError, near_miss
from sdckit.intruder import Intruder
from sdckit.knowledge import Knowledge


def is_number(value: Any) -> bool:
    """Whether a value is a number and not a Boolean."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_list_of(kind: type) -> Callable[[Any], bool]:
    return lambda value: (
        isinstance(value, list | tuple) and all(isinstance(each, kind) and not isinstance(each, bool) for each in value)
    )


FORMS: dict[str, tuple[Callable[[Any], bool], str]] = {  # what each entry may be, and that in words
    "attributes": (lambda value: isinstance(value, str) or _is_list_of(str)(value), "a list of column names"),
    "records": (lambda value: is_number(value) or _is_list_of(int)(value), "a share or a list of record numbers"),
    "noise": (is_number, "a number"),
    "missing": (is_number, "a number"),
    "knows_method": (lambda value: isinstance(value, bool), "true or false"),
    "knowledge": (lambda value: isinstance(value, str), "a rule of knowledge, such as first-subsets(7)"),
}


def intruder_from_table(table: Any, where: str = "intruder") -> Intruder:
    """The intruder in a parsed document; the first mistake is an error, `where` names the document in it."""
    for _, error in intruder_errors(table):
        raise ParameterError(f"{where}: {error}")
    return _intruder(table)


def intruder_errors(table: Any) -> Iterator[tuple[str, SdcError]]:
    """All mistakes in the table, each with its key."""
    if not isinstance(table, Mapping):
        yield "", ParameterError("the intruder is not a table; write [intruder] with attributes = ['age', 'income']")
        return
    for key, value in table.items():
        if key not in FORMS:
            yield key, ParameterError(f"the intruder has no {key!r}{near_miss(key, FORMS)}")
        elif not FORMS[key][0](value):
            yield key, ParameterError(f"the intruder's {key} = {value!r} is of a wrong type; give {FORMS[key][1]}")
        else:
            try:
                _intruder({key: value})
            except SdcError as problem:
                yield key, problem


def intruder_to_table(intruder: Intruder) -> dict[str, Any]:
    """The entries that differ from the defaults; a file of the intruder's own cannot be written."""
    if intruder.file is not None:
        raise ParameterError("the intruder's own file cannot be written into a document; pass it in Python")
    entries = {
        "attributes": None if intruder.attributes is None else list(intruder.attributes),
        "records": list(intruder.records) if isinstance(intruder.records, tuple) else intruder.records,
        "noise": intruder.noise or None,
        "missing": intruder.missing or None,
        "knows_method": None if intruder.knows_method else False,
        "knowledge": None if intruder.knowledge == Knowledge() else str(intruder.knowledge),
    }
    return {key: value for key, value in entries.items() if value is not None}


def _intruder(table: Mapping[str, Any]) -> Intruder:
    values = dict(table)
    if "knowledge" in values:
        values["knowledge"] = Knowledge.from_text(values["knowledge"])
    return Intruder(**values)
