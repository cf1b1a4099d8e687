"""Normal noise that is rounded: every published value has the probability of what is rounded to it."""

from types import SimpleNamespace

import numpy as np
import pytest

from sdckit.laws.normal_blocks import _log_cell, _step, rounded_table
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.recipe import Recipe


def chances(**attribute) -> np.ndarray:
    """The probabilities of published values for three means, with noise of three units of rounding."""
    file = Microdata((Attribute("x", Kind.CONTINUOUS, Role.KEY, **attribute),), {"x": np.arange(5.0)})
    unit = 10.0 ** -attribute.get("decimals", 0)
    values = np.round(np.arange(-40, 41) * unit, 6)
    masking = Recipe.of("additive-noise").steps[0].masking
    table = rounded_table(masking, file, "x", unit * np.array([-0.3, 0.0, 2.5]), values, 3.0 * unit)
    return np.exp([table.of_pairs(np.full(81, record), np.arange(81)) for record in range(3)])


@pytest.mark.parametrize("attribute", [{"integral": True}, {"decimals": 1}])
def test_some_rounded_value_is_published(attribute):
    assert chances(**attribute).sum(axis=1) == pytest.approx(1.0)


def test_a_rounded_value_is_as_likely_as_draws_are_rounded_to_it():
    draws = np.rint(2.5 + 3.0 * np.random.default_rng(1).standard_normal(40_000))
    seen = [(draws == value).mean() for value in range(-40, 41)]
    assert chances(integral=True)[2] == pytest.approx(seen, abs=0.01)


@pytest.mark.parametrize(("decimals", "width"), [(None, 1.0), (0, 1.0), (2, 0.01), (-1, 10.0)])
def test_a_published_value_has_the_density_times_its_width(decimals, width):
    """A continuous one has the density of the standard normal distribution itself, 1 / √(2π) at 0."""
    masking, released = SimpleNamespace(decimals=lambda each: decimals), SimpleNamespace(attribute=lambda name: None)
    assert np.exp(_log_cell(masking, released, "x")) == pytest.approx(width / np.sqrt(2 * np.pi))


def test_steps_have_about_equally_many_values_by_hand():
    values = np.array([5.0, 0, 7, 2, 3, np.nan, 1, 4, 6])
    assert _step(values, 2).tolist() == [1, 0, 1, 0, 1, 2, 0, 1, 1]
    assert _step(np.array([np.nan, np.nan]), 3).tolist() == [3, 3]
    assert _step(np.full(4, 8.0), 3).tolist() == [0] * 4
