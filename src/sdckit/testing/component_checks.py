"""What every component owes: a definition, a source, and parameters that are declared and respected."""

import math
import pickle
import re
from collections.abc import Callable, Iterator
from typing import Any

from sdckit.catalogue import Entry
from sdckit.errors import ParameterError, SdcError
from sdckit.parameters import Parameter
from sdckit.references import bibliography

RECIPE_WORDS = ("method", "attributes", "level")  # keys of a step in a recipe, so no parameter may be called so


def values_to_check(declared: Parameter) -> Iterator[Any]:
    """The default, the bounds and the values a sweep tries."""
    many = isinstance(declared.default, tuple)
    bounds = [bound for bound in (declared.low, declared.high) if bound is not None and not many]
    seen: list[Any] = []
    for value in (declared.default, *bounds, *declared.grid):
        if value not in seen:
            seen.append(value)
            yield value


def settings(entry: Entry) -> Iterator[dict[str, Any]]:
    """The defaults, then each value to check of each parameter, the others at their defaults."""
    yield {}
    for declared in entry.parameters:
        for value in values_to_check(declared):
            yield {declared.name: value}


def as_text(value: Any) -> str:
    """A value as it is written on a command line."""
    if isinstance(value, tuple):
        return "+".join(map(as_text, value))
    return "none" if value is None else str(value)


def the_name_is_of_lower_case_words_and_hyphens(entry: Entry) -> None:
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.name), f"{entry.name!r} is not; rename it"


def the_first_line_of_its_docstring_is_a_sentence(entry: Entry) -> None:
    line = entry.summary
    assert line, "it has no docstring; write its definition in one sentence"
    assert line[0].isupper() and line.endswith("."), f"{line!r} is none: start with a capital, end with a full stop"


def its_reference_leads_to_a_source(entry: Entry) -> None:
    known_key = entry.reference in bibliography()
    full_citation = bool(re.search(r"\b(1[89]|20)\d\d\b", entry.reference)) and " " in entry.reference
    assert known_key or full_citation, (
        f"{entry.reference!r} is neither a key of the bibliography nor a citation with a year; add one"
    )


def every_parameter_says_what_it_means(entry: Entry) -> None:
    for declared in entry.parameters:
        assert declared.help.strip(), f"{declared.name} has no help text"
        assert declared.name not in RECIPE_WORDS, f"{declared.name!r} means something else in a recipe; rename it"


def every_grid_value_is_accepted_and_kept(entry: Entry) -> None:
    for values in settings(entry):
        component = entry.build(**values)
        for name, value in values.items():
            set_value = getattr(component, name)
            assert set_value == value, f"{name} = {value!r} became {set_value!r}"


def values_out_of_range_are_refused(entry: Entry) -> None:
    for declared in entry.parameters:
        many = isinstance(declared.default, tuple)
        outside: list[Any] = [] if declared.low is None else [declared.low - 1]
        outside += [] if declared.high is None or math.isinf(declared.high) else [declared.high + 1]
        numeric = any(
            isinstance(value, int | float) for value in values_to_check(declared) if not isinstance(value, bool)
        )
        outside += [float("nan"), "so so"] if numeric else []
        for value in outside:
            _assert_refused(entry, declared.name, (value,) if many else value)


def an_unknown_parameter_is_refused(entry: Entry) -> None:
    _assert_refused(entry, "no_such_parameter", 1)


def text_builds_the_same_as_values(entry: Entry) -> None:
    for values in settings(entry):
        texts = {name: as_text(value) for name, value in values.items()}
        assert entry.build(**texts) == entry.build(**values), f"{texts} gives another component than {values}"


def it_survives_pickling_and_shows_its_parameters(entry: Entry) -> None:
    for values in settings(entry):
        component = entry.build(**values)
        assert pickle.loads(pickle.dumps(component)) == component, f"{component!r} comes back different"
        for name in values:
            assert f"{name}=" in repr(component), f"{component!r} does not show {name}"


def refusal_of(attempt: Callable[[], object], error: type[SdcError]) -> str:
    """The message with which an attempt is refused; empty where it is not."""
    try:
        attempt()
    except error as refusal:
        return str(refusal)
    return ""


def _assert_refused(entry: Entry, name: str, value: Any) -> None:
    message = refusal_of(lambda: entry.build(**{name: value}), ParameterError)
    assert message, f"{name} = {value!r} is accepted; raise a ParameterError"
    assert name in message, f"the error does not name the parameter {name}: {message}"


CHECKS = (
    the_name_is_of_lower_case_words_and_hyphens,
    the_first_line_of_its_docstring_is_a_sentence,
    its_reference_leads_to_a_source,
    every_parameter_says_what_it_means,
    every_grid_value_is_accepted_and_kept,
    values_out_of_range_are_refused,
    an_unknown_parameter_is_refused,
    text_builds_the_same_as_values,
    it_survives_pickling_and_shows_its_parameters,
)
