"""Edits written as text: what they mean, what they refuse, and that they agree with Python on what both can read."""

import tomllib

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.edit_checks import broken_edits, violations
from sdckit.edit_conditions import Rule
from sdckit.edit_problems import edit_problems
from sdckit.edit_text import parse_edit
from sdckit.edits import CategoryColumn, Edit, Edits
from sdckit.errors import SchemaError
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.schema import Schema

NAN = float("nan")


def broken(text: str, **columns: object) -> list[bool]:
    arrays = {name: each if isinstance(each, CategoryColumn) else np.array(each) for name, each in columns.items()}
    return parse_edit(text).violations(arrays).tolist()


def categories(*values: object, ordered: bool = False) -> CategoryColumn:
    """A column of these values, None for a missing one, its categories in the order of their first appearance."""
    known = tuple(dict.fromkeys(value for value in values if value is not None))
    codes = np.array([-1 if value is None else known.index(value) for value in values], dtype=np.int32)
    return CategoryColumn(codes, known, ordered)


# Meaning


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("total == net + tax", Edit({"total": 1, "net": -1, "tax": -1}, 0, 0)),
        ("total = net + tax", Edit({"total": 1, "net": -1, "tax": -1}, 0, 0)),
        ("0 <= age <= 130", Edit({"age": 1}, 0, 130)),
        ("age >= 0 and age <= 130", Edit({"age": 1}, 0, 130)),
        ("130 ≥ age", Edit({"age": 1}, high=130)),
        ("net <= gross", Edit({"net": 1, "gross": -1}, high=0)),
        ("tax <= 0.4 * income", Edit({"tax": 1, "income": -0.4}, high=0)),
        ("(a + b) / 2 <= 3 - a", Edit({"a": 1.5, "b": 0.5}, high=3)),
        ("-a <= -3", Edit({"a": 1}, low=3)),
        ("total == net + tax within 0.5", Edit({"total": 1, "net": -1, "tax": -1}, -0.5, 0.5)),
        ("a == 2 ± 1", Edit({"a": 1}, 1, 3)),
        ("a <= 2 within 1", Edit({"a": 1}, high=3)),
        ("`gross income` >= 1e3", Edit({"gross income": 1}, low=1000)),
        ('"gross income" >= 0', Edit({"gross income": 1}, low=0)),
        ("total == 'net income' + tax", Edit({"total": 1, "net income": -1, "tax": -1}, 0, 0)),
        ("`a``b` >= 0", Edit({"a`b": 1}, low=0)),
        ("año >= 0", Edit({"año": 1}, low=0)),
    ],
)
def test_a_linear_condition_is_a_linear_edit(text, edit):
    assert parse_edit(text) == edit
    assert str(parse_edit(text)) == text


def test_a_product_by_hand():
    prices = {"price": [6.0, 7, NAN, 0], "units": [2.0, 2, 2, 0], "unit_price": [3.0, 3, 3, 5]}
    assert broken("price == units * unit_price", **prices) == [False, True, False, False]
    assert broken("price / units == unit_price", **prices) == [False, True, False, False]  # nothing is divided by zero
    assert broken("price == units * unit_price within 1", **prices) == [False, False, False, False]
    assert broken("price == units * unit_price within 10 %", **prices) == [False, True, False, False]
    assert broken("price == units * unit_price within 20%", **prices) == [False, False, False, False]


def test_a_product_of_rounded_amounts_has_their_tolerance():
    edit = parse_edit("price == units * unit_price")
    columns = {"price": np.array([33.3, 33.9]), "units": np.array([10.0, 10]), "unit_price": np.array([3.33, 3.33])}
    assert edit.violations(columns, units={"price": 0.1, "unit_price": 0.01}).tolist() == [False, True]
    columns["price"] = np.array([33.3, 33.31])
    assert edit.violations(columns).tolist() == [False, True]


def test_one_attribute_governs_another():
    columns = {"married": categories(True, True, False, None, True), "age": [40.0, 12, 12, 12, NAN]}
    assert broken("if married then age >= 16", **columns) == [False, True, False, False, False]
    assert broken("married == false or age >= 16", **columns) == [False, True, False, False, False]
    words = {"married": categories("yes", "yes", "no", None, "yes"), "age": columns["age"]}
    assert broken("if married then age >= 16", **words) == [False, True, False, False, False]
    numbers = {"married": [1.0, 1, 0, NAN, 1], "age": columns["age"]}
    assert broken("if married then age >= 16", **numbers) == [False, True, False, False, False]


def test_categories_by_name_in_sets_and_by_order():
    sex = categories("female", "male", None, "female")
    assert broken('sex == "female"', sex=sex) == [False, True, False, False]
    assert broken("sex != 'female'", sex=sex) == [True, False, False, True]
    assert broken("sex in {male, 'other'}", sex=sex) == [True, False, False, True]
    assert broken("sex not in {male}", sex=sex) == [False, True, False, False]
    grade = categories("low", "middle", "high", ordered=True)
    assert broken('grade >= "middle"', grade=grade) == [True, False, False]
    assert broken('grade < "high"', grade=grade) == [False, False, True]
    code = categories(1, 2, 3)
    assert broken("code in {1, 3}", code=code) == [False, True, False]
    assert broken("code <= 2", code=code) == [False, False, True]
    assert broken("size in {1, -2.5}", size=[1.0, -2.5, 3, NAN]) == [False, False, True, False]


def test_a_strict_comparison_has_no_tolerance():
    assert broken("profit > 0", profit=[0.0, 1e-12, -1, NAN]) == [True, False, True, False]
    assert broken("0 < share < 1", share=[0.0, 0.5, 1.0]) == [True, False, True]
    assert broken("a != 3", a=[3.0, 4, NAN]) == [True, False, False]


def test_a_missing_value_anywhere_in_an_edit_means_that_it_is_not_checked():
    assert broken("a >= 0 or b >= 0", a=[NAN, -1.0], b=[-1.0, -1]) == [False, True]
    assert broken("a >= 0 and b >= 0", a=[NAN, -1.0], b=[-1.0, 1]) == [False, True]
    assert not parse_edit("not a in {1}").violations({"a": np.array([NAN])}).any()


NAMES = ("a", "b", "c")
number = st.integers(-3, 3).map(lambda value: f"({value})" if value < 0 else str(value))
arithmetic = st.recursive(
    st.sampled_from(NAMES) | number,
    lambda part: st.tuples(part, st.sampled_from("+-*"), part).map(lambda each: f"({' '.join(each)})"),
    max_leaves=4,
)
comparison = st.tuples(st.sampled_from(NAMES), st.sampled_from(["==", "!=", "<", "<=", ">", ">="]), arithmetic).map(
    " ".join
) | st.tuples(st.sampled_from(NAMES), st.sampled_from(["in", "not in"])).map(
    lambda each: f"{each[0]} {each[1]} {{1, 2, -3}}"
)
condition = st.recursive(
    comparison,
    lambda part: (
        st.tuples(part, st.sampled_from(["and", "or"]), part).map(lambda each: f"({' '.join(each)})")
        | part.map("not ({})".format)
        | st.tuples(part, st.sampled_from(["and", "or"]), part).map(" ".join)
    ),
    max_leaves=5,
)


def edit_or_refusal(text: str) -> Edit | Rule | str:
    try:
        return parse_edit(text)
    except SchemaError as problem:
        return str(problem)


@settings(max_examples=100, deadline=None)
@given(condition, st.lists(st.tuples(*[st.integers(-4, 4)] * 3), min_size=1, max_size=6))
def test_a_condition_means_what_it_means_in_python(text, records):
    columns = dict(zip(NAMES, np.array(records, dtype=float).T, strict=True))
    expected = [not eval(text, {}, dict(zip(NAMES, record, strict=True))) for record in records]
    edit = edit_or_refusal(text)
    if isinstance(edit, str):
        assert "both sides are the same" in edit or "can never hold" in edit
    else:
        assert edit.violations(columns).tolist() == expected


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet="ab1. <=>!+-*/(){}`\"',%±≤ifthenandornot", max_size=30))
def test_any_text_is_an_edit_or_refused_with_its_position(text):
    edit = edit_or_refusal(text)
    if isinstance(edit, str):
        assert "position" in edit or "can never hold" in edit
    else:
        assert isinstance(edit, Edit | Rule) and edit.attributes


# Refusals


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("total == net +", r"position 15: expected a column or a number, not the end"),
        ("a b", "position 3: expected the end, and, or, or a comparison, not 'b'"),
        ("pay == pay net + tax", "position 12: .* not 'net'; a column whose name has spaces .*: `pay net`"),
        ("3 <= 4", "position 1: two numbers are compared"),
        ("a == a", "nothing is left to compare"),
        ("a in 3", "position 6: expected '{'"),
        ("a + 1 in {3}", "position 1: only a single column"),
        ("if a > 3", "position 9: expected 'then', not the end"),
        ("`x >= 3", "position 1: the quote ` is not closed"),
        ("a ? 3", r"position 3: the character '\?' has no meaning"),
        ("a > 1e400", "position 5: 1e400 is too large"),
        ("3x > 1", "'3x' is neither a number nor a name"),
        ("(a > 3) + 2 > 1", "a condition cannot be computed with"),
        ("a + 3", "compare it with something"),
        ("a < true", "have no order"),
        ("a == 1 within b", "expected a number after within"),
        ("0 >= a >= 5", "can never hold"),
        ("", "expected a column or a number"),
        ("(" * 60 + "a" + ")" * 60 + " > 1", "more than 50 brackets"),
        (" + ".join("a" * 600) + " > 1", "more than 500 words"),
        ("__import__('os').system('true') > 0", "position 17"),
    ],
)
def test_a_text_that_is_no_edit_is_refused_with_its_position(text, words):
    with pytest.raises(SchemaError, match=words):
        parse_edit(text)


# The schema

TOML = """\
[[edits]]
condition = "total == net + tax"

[[edits]]
condition = 'if sex == "f" then `net income` >= 0'

[[edits]]
terms = { a = 1.0 }
low = 0
"""


def test_both_forms_are_read_and_written_back_as_they_were():
    schema = Schema.from_dict(tomllib.loads(TOML))
    again = Schema.from_dict(tomllib.loads(schema.to_toml()))
    assert again == schema
    assert 'condition = "total == net + tax"' in schema.to_toml() and "terms = { a = 1.0 }" in schema.to_toml()


@settings(max_examples=40, deadline=None)
@given(condition)
def test_every_text_survives_toml(text):
    edit = edit_or_refusal(text)
    if not isinstance(edit, str):
        schema = Schema({}, Edits((edit,)))
        again = Schema.from_dict(tomllib.loads(schema.to_toml()))
        assert again == schema and [str(each) for each in again.edits] == [text]


def test_a_list_of_texts_is_read_too():
    schema = Schema.from_dict(tomllib.loads('edits = ["a >= 0", "if b then a >= 1"]'))
    assert [str(edit) for edit in schema.edits] == ["a >= 0", "if b then a >= 1"]


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"edits": ["a >="]}, "edits, item 1: the edit 'a >=', position 5"),
        ({"edits": [{"condition": "a >= 0", "low": 1}]}, "item 1 has a condition and low"),
        ({"edits": [{"condition": "a >= 0", "terms": {"a": 1}}]}, "item 1 needs terms or a condition, and not both"),
        ({"edits": [{"condition": 3}]}, "condition must be text, not 3"),
    ],
)
def test_a_mistake_in_the_schema_is_named_with_its_entry(document, words):
    with pytest.raises(SchemaError, match=f"^schema: .*{words}"):
        Schema.from_dict(document)


def test_an_unknown_column_of_a_text_is_refused_with_the_near_miss():
    with pytest.raises(SchemaError, match=r"the edit incmoe >= 0 names 'incmoe'.*did you mean 'income'"):
        Microdata.from_frame(pl.DataFrame({"income": [1, 2]}), edits=Edits.from_text("incmoe >= 0"))


# On a file


def a_file(*texts: str) -> Microdata:
    frame = pl.DataFrame(
        {
            "married": [True, True, False, None],
            "sex": ["f", "m", "m", "f"],
            "age": [40, 12, 12, 12],
            "gross pay": [10.0, 20.0, 30.0, None],
        }
    )
    return Microdata.from_frame(frame, edits=texts)


def test_a_file_is_checked_by_its_rules():
    data = a_file("if married then age >= 16", 'if sex == "m" then `gross pay` >= 25', "age <= 130")
    assert [(str(each.edit), each.records) for each in broken_edits(data)] == [
        ("if married then age >= 16", 1),
        ('if sex == "m" then `gross pay` >= 25', 1),
    ]
    assert violations(data.edits, data).any(axis=1).tolist() == [False, True, False, False]
    assert data.edits.bound("age") == (-np.inf, 130)
    assert a_file("age > 3 and sex in {f, m}").edits.bound("age") == (3, np.inf)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('sex == "femal"', "'sex' has no category 'femal'"),
        ('sex >= "f"', "have no order"),
        ("sex + age > 3", "which are no numbers, so that it is never checked"),
        ('age == "old"', "a column of numbers and is compared with the text 'old'"),
        ("if sex then age >= 3", "'sex' has the value 'f', which is neither true nor false"),
        ("if age then sex in {f, m}", "neither true nor false"),
    ],
)
def test_a_condition_that_does_not_fit_its_column_is_a_problem(text, words):
    (problem,) = edit_problems(a_file(text))
    assert problem.startswith(f"the edit {text}: ") and words in problem


def test_edits_that_fit_have_no_problem():
    assert edit_problems(a_file("if married then age >= 16", "0 <= age <= 130", 'sex in {"f", m}')) == ()


def test_an_ordered_category_is_compared_by_its_order_in_the_file():
    grade = Attribute("grade", Kind.DISCRETE, categories=("low", "middle", "high"))
    data = Microdata((grade,), {"grade": [0, 1, 2, -1]}, Edits.from_text('grade >= "middle"'))
    assert broken_edits(data)[0].records == 1 and edit_problems(data) == ()
