"""A component as a table of a TOML document: its name and its parameters, read and written.

```toml
method = "rank-swapping"     # or measure = "distance-linkage"
window = 0.05
```
"""

import types
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, get_args, get_origin

from sdckit.catalogue import Entry, find, names
from sdckit.errors import ParameterError, SdcError, UnknownNameError
from sdckit.parameters import Component, checked, in_words, unknown_parameter
from sdckit.user_function import NO_CODE, TYPED_BY_USER, AllowedCode, FunctionInFile, with_functions_from


def measure_entry(name: str) -> Entry:
    """The risk or loss of that name."""
    try:
        entry = find(None, name)
    except UnknownNameError:
        entry = None
    if entry is None or entry.kind == "masking":
        raise UnknownNameError("risk or loss", name, [*names("risk"), *names("loss")])
    return entry


def build_from_table(
    entry: Entry, values: Mapping[str, Any], folder: Path | None = None, allowed: AllowedCode = NO_CODE
) -> Any:
    """The component with these parameters; a file that one of them names is sought from the folder.

    A function is read only from a file that is allowed.
    """
    return entry.build(**with_functions_from(folder, entry.parameters, values, allowed))


def parameters_to_table(component: Component) -> dict[str, Any]:
    """The parameters in force, as TOML holds them; None has no entry."""
    return {
        name: plain_value(value, f"{component.name}: {name}")
        for name, value in component.parameters().items()
        if value is not None
    }


def plain_value(value: Any, where: str) -> Any:
    """A value as TOML holds it; an object is written as the text that its type can read."""
    if isinstance(value, tuple):
        return [plain_value(each, where) for each in value]
    if isinstance(value, bool | int | float | str):
        return value
    texts = ("from_text", "from_arguments")
    if not isinstance(value, FunctionInFile) and not any(hasattr(type(value), each) for each in texts):
        raise ParameterError(f"{where} is a Python object, which no file can contain; name a function as FILE.py:NAME")
    return str(value)


def parameter_errors(
    entry: Entry, values: Mapping[str, Any], folder: Path | None = None
) -> Iterator[tuple[str, SdcError]]:
    """All mistakes in the parameters of one table, each with its key; "" for a mistake in their combination.

    Unlike a command line, a document has types: a number is written as a number, not as text. A function that a
    parameter names is looked up in its file, which is not run.
    """
    declared = {name: each for each in entry.parameters for name in (each.formerly, each.name) if name}
    wrong = False
    for key, value in values.items():
        error: SdcError | None = None
        if key not in declared:
            error = unknown_parameter(entry.name, key, entry.parameters)
        elif not has_type(value, declared[key].type):
            error = ParameterError(f"{key} = {value!r} is not {in_words(declared[key].type)} ({declared[key].help})")
        else:
            try:
                checked(
                    declared[key], with_functions_from(folder, entry.parameters, {key: value}, TYPED_BY_USER)[key], ""
                )
            except SdcError as problem:
                error = problem
        if error is not None:
            wrong = True
            yield key, error
    if not wrong:
        try:
            build_from_table(entry, values, folder, TYPED_BY_USER)
        except SdcError as problem:
            yield "", problem


def has_type(value: Any, expected: Any) -> bool:
    """Whether a value of a TOML document can be a parameter of that type.

    >>> has_type(3, float), has_type("3", float), has_type(["a"], tuple[str, ...])
    (True, False, True)
    """
    if isinstance(expected, types.UnionType) or get_origin(expected) is typing.Union:
        return any(has_type(value, each) for each in get_args(expected) if each is not type(None))
    if get_origin(expected) is tuple:
        return isinstance(value, list) and all(has_type(each, get_args(expected)[0]) for each in value)
    if expected is bool or isinstance(value, bool):
        return expected is bool and isinstance(value, bool)
    if expected is int:
        return isinstance(value, int) or (isinstance(value, float) and value.is_integer())
    if expected is float:
        return isinstance(value, int | float)
    if hasattr(expected, "from_number") and isinstance(value, int | float):
        return True
    return get_origin(expected) is not Callable and isinstance(value, str)
