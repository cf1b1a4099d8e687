"""Parameters that are kept secret are found again, and a bound is respected."""

from dataclasses import replace
from itertools import permutations

import numpy as np
import pytest

from sdckit.datasets import simulate_business
from sdckit.intruder import Intruder
from sdckit.laws.blocks import Table
from sdckit.laws.fitted import _alternatives, _first, _values, fitted_law, log_likelihood
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from sdckit.methods import AdditiveNoise, Pram
from sdckit.parameters import parameters_of
from sdckit.randomness import generator
from sdckit.release import protect


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "parameter", "low", "high"),
    [
        ("additive-noise:variance_share=0.5", "variance_share", 0.3, 0.9),
        ("mdav:group_size=5", "group_size", 5, 5),
        ("rank-swapping:window=0.1", "window", 0.05, 0.2),
    ],
)
def test_the_parameter_is_recovered(method, parameter, low, high):
    release = protect(simulate_business(300, seed=4), method, seed=9)
    _, recipe = fitted_law(Intruder().view(release), generator(1))
    assert low <= recipe.steps[0].masking.parameters()[parameter] <= high


@pytest.mark.slow
def test_published_parameters_are_not_used_but_as_bounds():
    data = simulate_business(200, seed=4)
    release = protect(data, "rank-swapping:window=0.2", seed=9)
    view = Intruder().view(release)
    _, recipe = fitted_law(view, generator(1), at_most=True)
    assert recipe.steps[0].masking.parameters()["window"] <= 0.2


@pytest.mark.parametrize("scale", [0.0, 0.5, 2.0])
@pytest.mark.parametrize("shift", [-4.0, 0.0, 4.0])
def test_the_likelihood_of_a_release_is_that_of_all_matchings_within_the_bounds_of_the_approximation(scale, shift):
    """At balanced shares the Bethe free energy is at most the log of the permanent, and at least that less 1 a record.

    The first is Gurvits' inequality. The second: without its term (1 − p) log(1 − p) it is at least that log, and this
    term sums to −1 or more over the rows of a record.
    """
    logs = shift + scale * np.random.default_rng(1).standard_normal((5, 5))
    rows = RowClasses(np.arange(5), np.ones(5, np.int64), np.arange(5))
    law = ReleaseLaw(5, rows, (Table(("x",), logs, np.arange(5), np.arange(5)),), {})
    permanent = sum(np.exp(logs[np.arange(5), order].sum()) for order in map(list, permutations(range(5))))
    found = log_likelihood(law)
    assert np.log(permanent) / 5 - 1 <= found <= np.log(permanent) / 5 + 1e-4


def test_an_intruder_first_guesses_the_defaults_or_the_bounds():
    published = AdditiveNoise(variance_share=0.77)
    assert _first(published, at_most=False).parameters() == AdditiveNoise().parameters()
    assert _first(published, at_most=True) == published


def test_values_between_and_beyond_the_grid_are_tried_too():
    """Half the least, geometric means, and up to four times the largest, as far as the limits allow."""
    share = next(each for each in parameters_of(Pram) if each.type is float)
    parameter = replace(share, grid=(0.1, 0.4), low=0.0, high=1.0)
    assert _values(parameter) == pytest.approx([0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0])
    assert _values(replace(parameter, type=int, grid=(4, 16), low=3, high=None)) == [3, 4, 8, 16, 24, 32, 48, 64]
    for fixed in (replace(parameter, grid=(0.0, 0.4)), replace(parameter, type=str, grid=("a", "b"))):
        assert _values(fixed) == list(fixed.grid)
    assert _values(replace(parameter, grid=())) == []


def test_a_bound_that_is_a_value_of_the_grid_is_tried():
    share = next(each for each in parameters_of(AdditiveNoise) if each.name == "variance_share")
    low, bound = sorted(_values(share))[:2]
    guess, published = AdditiveNoise(variance_share=low), AdditiveNoise(variance_share=bound)
    assert [each.variance_share for each in _alternatives(guess, published, at_most=True)] == [low, bound]
