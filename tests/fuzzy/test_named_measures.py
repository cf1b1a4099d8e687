"""Measures by attribute: as they are written, by hand, and in the projection of a recipe."""

import tomllib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.files import correlated, numeric

from sdckit.errors import ParameterError, SchemaError, UnknownNameError
from sdckit.fuzzy.choquet import choquet_integral
from sdckit.fuzzy.measures import check_measure, lambda_measure
from sdckit.fuzzy.named_measures import LambdaMeasure, SetMeasure
from sdckit.fuzzy.operators import Operator, WeightedMean
from sdckit.methods.microaggregation.aggregation_projection import AggregationProjection
from sdckit.parameters import converted
from sdckit.recipe import Recipe
from sdckit.release import protect


@pytest.mark.parametrize("operator", ["choquet", "sugeno"])
@pytest.mark.parametrize("measure", ["lambda+net income=0.5+age=0.25", "sets+1=0.4+2=0.3+1&2=0.9", "lambda+1=0.3"])
def test_an_operator_over_a_measure_is_written_as_it_is_read(operator, measure):
    read = converted(f"{operator}({measure})", Operator)
    assert str(read) == f"{operator}({measure})"
    assert converted(str(read), Operator) == read


def test_densities_are_of_the_attributes_with_these_names_whatever_their_order():
    measure = LambdaMeasure((("a", 0.2), ("b", 0.7), ("c", 0.3)))
    for names in (("a", "b", "c"), ("c", "a", "b")):
        densities = np.array([dict(measure.weights)[name] for name in names])
        assert measure.bound(names)(3) == pytest.approx(lambda_measure(densities))


def test_a_table_of_sets_by_hand():
    """b and c weigh as much together as alone; a adds to each; what is not listed has its largest subset's weight."""
    measure = SetMeasure((("a", 0.3), ("b", 0.4), ("c", 0.4), ("a&b", 0.8))).bound(["a", "b", "c"])(3)
    assert measure == pytest.approx([0, 0.3, 0.4, 0.8, 0.4, 0.4, 0.4, 1])


@given(st.dictionaries(st.sampled_from(["1", "2", "3", "1&2", "2&3", "1&3"]), st.floats(0, 1), min_size=1))
def test_a_table_of_sets_is_a_measure_or_refused(table):
    pairs = [(one, other) for one in table for other in table if set(one.split("&")) < set(other.split("&"))]
    fall = max((table[one] - table[other] for one, other in pairs), default=0.0)
    measure = SetMeasure(tuple(table.items()))
    if fall > 1e-6:
        with pytest.raises(ValueError, match="less than its subset"):
            measure(3)
    elif fall <= 0:
        check_measure(measure(3))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("choquet(lambda)", "needs weights"),
        ("choquet(lambda+income)", "with its attribute"),
        ("choquet(lambda+a=1.5)", "between 0 and 1"),
        ("choquet(sets+a&b=0.5+b&a=0.4)", "two weights"),
        ("owa(lambda+a=0.5)", "weighs ranks"),
    ],
)
def test_what_is_no_measure_is_refused(text, problem):
    with pytest.raises(ValueError, match=problem):
        converted(text, Operator)


def test_an_additive_measure_makes_the_groups_of_the_weighted_mean():
    data = numeric(correlated(40, 2, seed=1))
    mean = protect(data, AggregationProjection(operator=WeightedMean(0.25, 0.75)), seed=1).masked
    for operator in ("choquet(lambda+a=0.25+b=0.75)", "choquet(sets+a=0.25+b=0.75)", "choquet(lambda+1=0.25+2=0.75)"):
        recipe = Recipe.from_dict(
            tomllib.loads(f'''
            [[steps]]
            method = "aggregation-projection"
            operator = "{operator}"
        ''')
        )
        found = protect(data, recipe, seed=1).masked
        assert found.matrix(("a", "b")) == pytest.approx(mean.matrix(("a", "b")))


def test_records_are_grouped_along_the_integral_in_blocks_and_the_groups_are_found_again():
    data = numeric(correlated(30, 4, seed=2))
    operator = converted("choquet(lambda+a=0.9+b=0.1+c=0.4+d=0.2)", Operator)
    masking = AggregationProjection(operator=operator, group_size=3, block_size=2)
    release = protect(data, masking, seed=1)
    for names in (("a", "b"), ("c", "d")):
        values = data.matrix(names)
        scaled = (values - values.min(axis=0)) / np.ptp(values, axis=0)
        densities = np.array([dict(operator.measure.weights)[name] for name in names])
        order = np.argsort(choquet_integral(scaled, lambda_measure(densities)))
        rows = release.masked.matrix(names)[order]
        changes = (np.abs(np.diff(rows, axis=0)) > 1e-12).any(axis=1).sum()
        assert changes == len(np.unique(rows.round(9), axis=0)) - 1  # each group is one run along the order


def test_a_density_for_no_masked_attribute_or_none_for_one_is_refused():
    data = numeric(correlated(10, 2, seed=3))
    for text, error, problem in (
        ("choquet(lambda+a=0.5+income=0.5)", UnknownNameError, "income"),
        ("choquet(lambda+a=0.5)", SchemaError, "no density for 'b'"),
        ("choquet(lambda+1=0.5+3=0.5)", SchemaError, "attribute 3 of 2"),
    ):
        with pytest.raises(error, match=problem):
            protect(data, AggregationProjection(operator=converted(text, Operator)), seed=1)
    with pytest.raises(ParameterError):
        AggregationProjection(operator="choquet(lambda)")
