"""Parameters that are kept secret are found again, and a bound is respected."""

import pytest

from sdckit.datasets import simulate_business
from sdckit.intruder import Intruder
from sdckit.laws.fitted import fitted_law
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


def test_published_parameters_are_not_used_but_as_bounds():
    data = simulate_business(200, seed=4)
    release = protect(data, "rank-swapping:window=0.2", seed=9)
    view = Intruder().view(release)
    _, recipe = fitted_law(view, generator(1), at_most=True)
    assert recipe.steps[0].masking.parameters()["window"] <= 0.2
