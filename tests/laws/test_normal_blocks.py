"""Normal noise that is rounded: every published value has the probability of what is rounded to it."""

import numpy as np
import pytest

from sdckit.laws.normal_blocks import rounded_table
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
