"""A parameter is declared once, by `param`; errors, the command line, the docs, the sweep and the tests read it."""

import dataclasses
import math
import re
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

from sdckit.component_text import parsed
from sdckit.errors import ParameterError, near_miss


@dataclass(frozen=True)
class Parameter:
    """The declaration of one parameter."""

    name: str
    type: Any
    default: Any
    help: str
    low: float | None
    high: float | None
    grid: tuple[Any, ...]
    written: str
    formerly: str
    every: Any = None

    @property
    def range(self) -> str:
        """The admissible range in words, empty where there is none."""
        if self.high == math.inf:
            return f"at least {self.low:g}, or inf"
        if self.low is not None and self.high is not None:
            return f"{self.low:g} to {self.high:g}"
        if self.low is not None:
            return f"at least {self.low:g}"
        return f"at most {self.high:g}" if self.high is not None else ""

    @property
    def letter(self) -> str:
        """The letter of the literature at the end of the help, as in "(the papers' k)"; empty where there is none."""
        found = re.search(r"\((?:the papers' )?(\w)%?\)$", self.help)
        return found[1] if found else ""

    @property
    def type_name(self) -> str:
        """The type as a person reads it."""
        return _title(self.type)


def param(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    grid: tuple[Any, ...] = (),
    written: str = "",
    formerly: str = "",
    every: Any = None,
) -> Any:
    """Declare a parameter: its default, its meaning, its bounds and the values that a sweep tries.

    Parameters
    ----------
    low, high: inclusive bounds of the value, or of each value of a list; infinity is a value only where it is a bound
    grid: the values that a sweep tries
    written: an example of a value, for a parameter that must be given because its default is None
    formerly: the name in an earlier version, which recipes and policies may still use
    every: the value with which a measure looks at all records, where the default takes some of them; `--all` uses it

    Example
    -------
    >>> param(0.05, "widest rank gap, as a share of the records", low=0, high=1, grid=(0.05, 0.1)).default
    0.05
    """
    metadata = {"help": help, "low": low, "high": high, "grid": grid, "written": written, "formerly": formerly}
    return dataclasses.field(default=default, metadata=metadata | {"every": every})


class Component:
    """Something with declared parameters: checked when made, shown in full by `repr`."""

    name: ClassVar[str] = ""
    reference: ClassVar[str] = ""

    def __post_init__(self) -> None:
        for declared in parameters_of(type(self)):
            value = checked(declared, getattr(self, declared.name), self.name)
            object.__setattr__(self, declared.name, value)

    def parameters(self) -> dict[str, Any]:
        """The values in force, by name."""
        return {declared.name: getattr(self, declared.name) for declared in parameters_of(type(self))}


def parameters_of(component: type) -> tuple[Parameter, ...]:
    """The parameters a component declares, in order."""
    return _declared(component)


@cache
def _declared(component: Any) -> tuple[Parameter, ...]:
    if not dataclasses.is_dataclass(component):
        return ()
    hints = get_type_hints(component)
    return tuple(
        Parameter(field.name, hints[field.name], field.default, **field.metadata)
        for field in dataclasses.fields(component)
        if "help" in field.metadata
    )


def build_with(component: type, values: Mapping[str, Any]) -> Any:
    """Make a component; an unknown parameter is an error with the nearest name."""
    declared = parameters_of(component)
    known = [each.name for each in declared]
    renamed = {each.formerly: each.name for each in declared if each.formerly}
    title = getattr(component, "name", component.__name__)
    for old, new in renamed.items():
        if old in values and new in values:
            raise ParameterError(f"{title}: {old!r} is the earlier name of {new!r}; give one of them")
    values = {renamed.get(name, name): value for name, value in values.items()}
    for name in values:
        if name not in known:
            raise unknown_parameter(title, name, declared)
    return component(**values)


def unknown_parameter(title: str, name: str, declared: Sequence[Parameter]) -> ParameterError:
    """The error for a parameter that a component does not have: it names the one that was probably meant."""
    meant = next((each for each in declared if each.letter == name), None)
    if meant is not None:
        hint = f"; it is called {meant.name} here: {meant.help}"
    else:
        names = [known for each in declared for known in (each.formerly, each.name) if known]
        hint = near_miss(name, names) if names else "; it has none"
    return ParameterError(f"{title} has no parameter {name!r}{hint}")


def checked(declared: Parameter, value: Any, owner: str) -> Any:
    """The value in the declared type and range, or an error that names what is accepted."""
    where = f"{owner}: {declared.name}" if owner else declared.name
    try:
        value = converted(value, declared.type)
    except (TypeError, ValueError, OverflowError) as problem:
        wrong = f"is not {in_words(declared.type)}"
        if hasattr(declared.type, "in_words") and isinstance(problem, ValueError) and str(problem):
            wrong = f"is refused: {problem}"  # the type reads text itself and says why it cannot
        raise ParameterError(f"{where} = {value!r} {wrong} ({declared.help})") from None
    values = value if isinstance(value, tuple) else (value,)
    for number in (each for each in values if isinstance(each, int | float) and not isinstance(each, bool)):
        if math.isnan(number):
            raise ParameterError(f"{where} is not a number; use {declared.range or 'a number'}")
        if math.isinf(number) and number not in (declared.default, declared.high):
            raise ParameterError(f"{where} is infinite; use {declared.range or 'a finite number'}")
        if (declared.low is not None and number < declared.low) or (
            declared.high is not None and number > declared.high
        ):
            raise ParameterError(f"{where} = {number:g} is out of range; use {declared.range} ({declared.help})")
    return value


def in_words(expected: Any) -> str:
    """The type in words for an error."""
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    if isinstance(expected, types.UnionType) or get_origin(expected) is typing.Union:
        return " or ".join("nothing" if each is type(None) else in_words(each) for each in get_args(expected))
    if get_origin(expected) is tuple:
        return f"a list, each {in_words(get_args(expected)[0])}"
    if get_origin(expected) is Callable:
        return "a function"
    if hasattr(expected, "in_words"):
        return str(expected.in_words)
    if isinstance(expected, type) and issubclass(expected, Enum):
        return f"one of {', '.join(str(each.value) for each in expected)}"
    return words.get(expected, str(expected))


def _title(expected: Any) -> str:
    if isinstance(expected, types.UnionType) or get_origin(expected) is typing.Union:
        return " | ".join(map(_title, get_args(expected)))
    if expected is type(None) or get_origin(expected) is Callable:
        return "None" if expected is type(None) else "function"
    return getattr(expected, "__name__", str(expected)) if get_origin(expected) is None else str(expected)


def converted(value: Any, expected: Any) -> Any:
    """The value as the expected type; text is read, by the type's own `from_text` or `from_arguments` if it has one.

    A number becomes an object by the type's `from_number`, if it has one.

    >>> converted("0.05", float), converted("yes", bool), converted("age+income", tuple[str, ...])
    (0.05, True, ('age', 'income'))
    """
    if isinstance(expected, types.UnionType) or get_origin(expected) is typing.Union:
        return _first_that_fits(value, get_args(expected))
    if get_origin(expected) is tuple:
        items = value.split("+") if isinstance(value, str) else list(value)
        return tuple(converted(item, get_args(expected)[0]) for item in items if item != "")
    if expected is bool:
        return _truth(value)
    if expected is int:
        return _whole(value)
    if expected is float:
        if isinstance(value, bool):
            raise TypeError(value)
        return float(value)
    if expected is str:
        if not isinstance(value, str):
            raise TypeError(value)
        return value
    if get_origin(expected) is Callable and not callable(value):
        raise TypeError(value)
    if isinstance(value, str) and expected is not Any:
        if hasattr(expected, "from_text"):
            return expected.from_text(value)
        if hasattr(expected, "from_arguments"):
            written = parsed(value)
            return expected.from_arguments(written.name, written.arguments)
        raise TypeError(value)
    if hasattr(expected, "from_number") and isinstance(value, int | float) and not isinstance(value, bool):
        return expected.from_number(value)
    if isinstance(expected, type) and not isinstance(value, expected):
        raise TypeError(value)
    return value


def _first_that_fits(value: Any, choices: tuple[Any, ...]) -> Any:
    if value is None or (value == "none" and type(None) in choices):
        if type(None) in choices:
            return None
        raise TypeError(value)
    for choice in choices:
        if choice is not type(None):
            try:
                return converted(value, choice)
            except (TypeError, ValueError):
                continue
    raise TypeError(value)


def _truth(value: Any) -> bool:
    if isinstance(value, str):
        words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
        if value.casefold() not in words:
            raise ValueError(value)
        return words[value.casefold()]
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _whole(value: Any) -> int:
    if isinstance(value, bool) or (not isinstance(value, str) and int(value) != value):
        raise ValueError(value)
    return int(value)
