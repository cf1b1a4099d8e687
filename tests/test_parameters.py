from dataclasses import dataclass
from decimal import Decimal
from enum import Enum

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.catalogue import build
from sdckit.component_text import parsed
from sdckit.errors import ParameterError
from sdckit.parameters import Component, build_with, param, parameters_of


@dataclass(frozen=True, kw_only=True)
class Example(Component):
    name = "example"

    size: int = param(3, "records in a group", low=1, high=9, grid=(3, 5))
    share: float = param(0.5, "share of them", low=0)
    limit: float = param(np.inf, "most there may be")
    strict: bool = param(False, "whether to be strict")
    names: tuple[str, ...] = param((), "some names")
    weights: tuple[float, ...] = param((1.0,), "some weights", low=0, high=2)
    seed: int | None = param(None, "a number or nothing")


def test_what_is_declared_can_be_read():
    size = parameters_of(Example)[0]
    assert (size.name, size.type, size.default, size.help) == ("size", int, 3, "records in a group")
    assert (size.range, parameters_of(Example)[1].range, parameters_of(Example)[2].range) == (
        "1 to 9",
        "at least 0",
        "",
    )


@pytest.mark.parametrize(
    ("values", "value"),
    [
        ({"size": "5"}, 5),
        ({"size": 5.0}, 5),
        ({"size": np.int64(5)}, 5),
        ({"share": "0.25"}, 0.25),
        ({"share": 1}, 1.0),
        ({"strict": "yes"}, True),
        ({"strict": "False"}, False),
        ({"names": "age+income"}, ("age", "income")),
        ({"names": ["age"]}, ("age",)),
        ({"weights": "1+0.5"}, (1.0, 0.5)),
        ({"seed": "none"}, None),
        ({"seed": "4"}, 4),
        ({"limit": float("inf")}, np.inf),
    ],
)
def test_values_are_taken_in_their_type(values, value):
    made = build_with(Example, values)
    converted = getattr(made, next(iter(values)))
    assert converted == value and type(converted) is type(value)


@pytest.mark.parametrize(
    "values",
    [
        {"size": 0},
        {"size": 10},
        {"size": 2.5},
        {"size": np.float32(2.5)},
        {"size": Decimal("2.5")},
        {"size": True},
        {"size": "many"},
        {"size": None},
        {"size": float("inf")},
        {"share": float("nan")},
        {"share": "nan"},
        {"share": float("inf")},
        {"share": "-inf"},
        {"share": True},
        {"strict": "maybe"},
        {"strict": 1},
        {"weights": (1.0, 3.0)},
        {"weights": "1+x"},
        {"seed": "x"},
    ],
)
def test_what_does_not_fit_is_refused_by_name(values):
    with pytest.raises(ParameterError, match=f"example: {next(iter(values))}"):
        build_with(Example, values)


def test_an_error_gives_the_range_and_the_meaning():
    with pytest.raises(ParameterError) as refusal:
        Example(size=10)
    assert str(refusal.value) == "example: size = 10 is out of range; use 1 to 9 (records in a group)"


def test_an_unknown_parameter_is_refused_with_the_near_miss():
    with pytest.raises(ParameterError, match="did you mean 'share'"):
        build_with(Example, {"shar": 1})


def test_the_letter_of_the_literature_leads_to_the_name():
    with pytest.raises(ParameterError, match="local-suppression has no parameter 'k'; it is called group_size here: "):
        build("masking", "local-suppression", k=3)


@given(st.integers(1, 9))
def test_every_value_in_the_range_is_kept(size):
    assert Example(size=size).size == size


def test_the_values_in_force_are_listed_in_order():
    assert list(Example(size=4).parameters()) == ["size", "share", "limit", "strict", "names", "weights", "seed"]


def test_a_component_is_written_as_on_a_command_line():
    written = parsed(" mdav : group_size = 3, block_size=2")
    assert (written.name, written.values) == ("mdav", {"group_size": "3", "block_size": "2"})
    with pytest.raises(ParameterError, match="name=value"):
        parsed("mdav:3")


@dataclass(frozen=True, kw_only=True)
class Renamed(Component):
    name = "renamed"

    max_records: int = param(5, "most records", formerly="most")


def test_the_earlier_name_of_a_parameter_is_accepted():
    assert build_with(Renamed, {"most": 3}) == Renamed(max_records=3)


def test_both_names_of_a_parameter_are_too_many():
    with pytest.raises(ParameterError, match="'most' is the earlier name of 'max_records'; give one of them"):
        build_with(Renamed, {"most": 3, "max_records": 4})


class Order(Enum):
    FIRST = "first"
    LAST = "last"


@dataclass(frozen=True)
class Ordered(Component):
    name = "ordered"

    order: Order = param(Order.FIRST, "which comes first")


def test_a_choice_that_does_not_exist_is_refused_with_those_that_do():
    with pytest.raises(ParameterError, match="order = 'middle' is not one of first, last"):
        build_with(Ordered, {"order": "middle"})
