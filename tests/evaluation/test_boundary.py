"""The boundary: exact where risk and loss are powers of the parameter, never outside what was bracketed or allowed."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sdckit.catalogue import find
from sdckit.evaluation.boundary import CLOSE, guesses, meeting
from sdckit.evaluation.search_space import Range, SearchSpace
from sdckit.recipe import Recipe

SHARE = Range("share", low=0.001, high=1000.0)


@given(st.floats(0.3, 3), st.floats(0.3, 3), st.floats(0.02, 0.5), st.lists(st.floats(0.1, 10), min_size=2, max_size=6))
def test_powers_of_the_parameter_are_met_exactly_between_and_beyond_what_was_tried(fall, rise, bound, values):
    """risk = x^−fall and loss = x^rise meet the bound at x = bound^(−1/fall)."""
    assume(max(values) / min(values) > 1.2)
    met = bound ** (-1 / fall)
    assume(all(abs(math.log(met / value)) > 0.5 for value in values))
    tried = [(value, value**-fall, value**rise) for value in values]
    inside, outside = [x for x in values if x > met], [x for x in values if x < met]
    found = meeting(tried, bound, SHARE)
    if inside and outside:
        assert found is not None and max(outside) < found[0] < min(inside)
        way = math.log(met / max(outside)) / math.log(min(inside) / max(outside))
        if 0.1 < way < 0.9:
            assert found[0] == pytest.approx(met)
    elif found is not None:
        assert found[1] == pytest.approx(met**rise, rel=1e-6)
        if min(values) / 3.9 < met < max(values) * 3.9:
            assert found[0] == pytest.approx(met, rel=1e-6)


@given(
    st.lists(st.tuples(st.integers(2, 60), st.floats(0, 1), st.floats(0, 5)), min_size=2, max_size=8),
    st.floats(0, 1),
)
def test_a_guess_is_a_new_value_in_the_range(tried, bound):
    assume(len({value for value, _, _ in tried}) == len(tried))
    size = Range("group_size", whole=True, low=2, high=60)
    found = meeting(tried, bound, size)
    if found is not None:
        value, loss = found
        assert value == round(value) and 2 <= value <= 60
        assert all(abs(math.log(value / other)) >= CLOSE for other, _, _ in tried)
        assert loss >= 0


def test_nothing_is_guessed_of_one_setting_or_where_risk_and_loss_do_not_trade():
    assert meeting([(1.0, 0.4, 0.1)], 0.2, SHARE) is None
    assert meeting([(1.0, 0.4, 0.1), (2.0, 0.5, 0.2)], 0.2, SHARE) is None
    assert meeting([(1.0, 0.4, 0.1), (2.0, 0.4, 0.2)], 0.2, SHARE) is None


def test_two_settings_of_nearly_the_same_risk_lead_a_little_further_and_promise_little():
    found = meeting([(1.0, 0.4, 0.1), (2.0, 0.4 - 1e-12, 0.2)], 0.1, SHARE)
    assert found is not None
    assert found[0] == pytest.approx(8.0) and found[1] > 1e6


def test_group_sizes_next_to_each_other_leave_nothing_between():
    size = Range("group_size", whole=True, low=2, high=60)
    assert meeting([(3, 0.3, 0.1), (4, 0.1, 0.2)], 0.2, size) is None
    between = meeting([(3, 0.3, 0.1), (5, 0.1, 0.2)], 0.2, size)
    assert between is not None and between[0] == 4


def test_the_family_that_should_lose_least_comes_first_and_keeps_its_other_parameters():
    space = SearchSpace((find("masking", "mdav"), find("masking", "v-mdav")))
    tried = [
        (Recipe.of("mdav:group_size=3"), 0.4, 0.2),
        (Recipe.of("mdav:group_size=12"), 0.1, 0.4),
        (Recipe.of("v-mdav:group_size=3,gain=1.1"), 0.4, 0.1),
        (Recipe.of("v-mdav:group_size=12,gain=1.1"), 0.1, 0.2),
        (Recipe.of("v-mdav:group_size=10,gain=0.2"), 0.1, 0.1),
    ]
    first, second = guesses(space, tried, 0.2)
    assert [first.recipe.steps[0].masking.name, second.recipe.steps[0].masking.name] == ["v-mdav", "mdav"]
    assert first.recipe.steps[0].masking.gain == 1.1
    assert first.recipe.steps[0].masking.group_size == 6
    assert first.loss < second.loss
