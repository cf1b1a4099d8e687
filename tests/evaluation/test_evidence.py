"""What tells a claimed row from the next one, by hand."""

import math

import numpy as np
import polars
import pytest

from sdckit.catalogue import build
from sdckit.evaluation.evidence import OTHER_RECORDS, explanations, weights_of
from sdckit.microdata import Microdata
from sdckit.release import Release, protect

INFORMED = build("risk", "informed-intruder")


def claims_on(columns, recipe, attributes):
    file = Microdata.from_frame(polars.DataFrame(columns), roles=dict.fromkeys(columns, "key"))
    return INFORMED.claims(protect(file, recipe, attributes, seed=1))


def test_an_unchanged_attribute_that_differs_makes_the_next_row_impossible():
    towns = {"town": ["a", "b", "c", "d"], "sex": ["f", "f", "f", "f"], "age": [1.0, 2.0, 3.0, 4.0]}
    claims = claims_on(towns, "additive-noise:variance_share=0.5", ["age"])
    for each in explanations(claims):
        decisive = [weight.label for weight in each.weights if weight.decisive]
        assert decisive == ["town"] and each.confidence == 1.0 and each.rows_open == 1.0
        assert "sex" not in [weight.label for weight in each.weights]


def test_the_weights_add_up_to_the_logarithm_of_the_odds():
    numbers = {"x": [0.0, 1.0, 2.0, 3.0, 4.0], "y": [0.0, 2.0, 1.0, 4.0, 3.0]}
    claims = claims_on(numbers, "additive-noise:variance_share=0.3", ["x", "y"])
    inference = claims.inference
    graph, probability = inference.posterior.graph, inference.posterior.probability
    for known in range(5):
        mine = probability[graph.starts[known] : graph.starts[known + 1]]
        first, second = sorted(mine, reverse=True)[:2]
        weights = weights_of(inference, known)
        assert weights[-1].label == OTHER_RECORDS
        assert sum(each.log_ratio for each in weights) == pytest.approx(math.log(first / second))


def test_noise_weighs_by_squared_distance():
    """The law of x is normal, so the ratio of two rows is the difference of squared distances over two variances."""
    numbers = {"x": [0.05, 1.15, 2.2, 3.37, 4.41, 8.53]}
    claims = claims_on(numbers, "additive-noise:variance_share=0.05", ["x"])
    inference, view = claims.inference, claims.view
    released = view.released.columns["x"]
    variance = view.published_recipe.steps[0].masking.law(view.released, view.known).noise[0, 0]
    for known, value in enumerate(numbers["x"]):
        own = released[inference.law.rows.first[inference.claimed[known]]]
        ratios = ((released - value) ** 2 - (own - value) ** 2) / (2 * variance)
        weight = weights_of(inference, known)[0]
        assert weight.label == "x" and np.isclose(ratios, weight.log_ratio).any()


def test_where_all_rows_are_equal_there_is_nothing_to_tell_them_by():
    file = Microdata.from_frame(polars.DataFrame({"x": [1.0, 2.0, 3.0]}), roles={"x": "key"})
    masked = Microdata.from_frame(polars.DataFrame({"x": [2.0, 2.0, 2.0]}), roles={"x": "key"})
    recipe = protect(file, "mdav:group_size=3", seed=1).recipe
    claims = INFORMED.claims(Release.in_order(file, masked, recipe))
    assert all(each.weights == () and each.confidence == pytest.approx(1 / 3) for each in explanations(claims))
