"""The law of fuzzy regression synthesis: by hand, against draws of the method, and as the intruder uses it."""

import numpy as np
import polars
import pytest
from scipy.stats import norm

import sdckit
from sdckit.catalogue import build
from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import Source
from sdckit.methods import FuzzyRegressionSynthesis
from sdckit.mixture_law import MixtureRowLaw, Published


def release(seed: int = 0, records: int = 200, **parameters: object) -> sdckit.Release:
    """Three regressions of y on x; the masking is to find them."""
    rng = np.random.default_rng(seed)
    group, x = rng.integers(0, 3, records), rng.normal(size=records)
    y = np.array([1.0, -1.0, 3.0])[group] * x + 2 * group + 0.3 * rng.normal(size=records)
    method = FuzzyRegressionSynthesis(models=3, given=("x",), **parameters)
    return sdckit.protect(polars.DataFrame({"x": x, "y": y}), method, ["y"], seed=seed, allow_undeclared=True)


def test_the_likelihood_by_hand_of_one_record_and_one_row():
    """Predictions 0 and 2, the row has the first: p(y) = ½ N(y; 0, 1) + ½ N(y; 2, 1), and P(first | y) = u."""
    law = MixtureRowLaw(
        predictions=np.array([[[0.0], [2.0]]]),
        released=np.array([[0.0]]),
        shares=np.array([0.5, 0.5]),
        noise=np.ones((2, 1, 1)),
        disturbance=np.full((2, 1, 1), 1e-6),
        centre=np.zeros(1),
        scale=np.ones(1),
        fuzziness=2.0,
        published=Published.DRAWN,
    )
    y = 0.5
    degree = (1 / y**2) / (1 / y**2 + 1 / (2 - y) ** 2)
    density = 0.5 * norm.pdf(y) + 0.5 * norm.pdf(y - 2)
    other = 1.5
    expected = np.log(density * degree) - np.log(density * (1 - degree))  # the record at 1.5 mirrors that at 0.5
    found = law.log_likelihood(np.array([[y], [other]]))
    assert found[0, 0] - found[1, 0] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("known", [("y",), ("x", "y")])
def test_the_intruder_has_a_closed_law_whether_or_not_the_predictors_are_known(known):
    law = informed_law(Intruder(attributes=known).view(release()), np.random.default_rng(1))
    assert law.sources["y"] is Source.EXACT


def test_knowing_only_the_replaced_values_the_intruder_finds_more_than_at_random_and_is_calibrated():
    found, expected = [], []
    for seed in range(4):
        score = build("risk", "informed-intruder").measure(release(seed), Intruder(attributes=("y",)), seed=1)
        found.append(score.value)
        expected.append(score.details["expected_found"])
    assert np.mean(found) > 3 / 200  # at random one of 200
    assert np.mean(expected) == pytest.approx(np.mean(found), abs=0.05)


def test_the_models_are_read_off_a_release_whose_original_is_not_known():
    """Without residuals every row lies on one of the regressions."""
    made = release(3)
    method = made.recipe.steps[0].masking
    law = method.mixture_law(made.masked, ("y",), made.original.take(np.arange(50)))
    nearest = np.abs(law.predictions[:, :, 0] - law.released).min(axis=1)
    assert np.quantile(nearest, 0.9) < 0.05


def test_one_model_says_nothing_but_how_far_a_record_lies_from_its_prediction():
    made = release(1)
    data, method = made.original, FuzzyRegressionSynthesis(models=1, given=("x",))
    plain = sdckit.protect(data, method, ["y"], seed=1)
    law = method.mixture_law(plain.masked, ("y",), plain.original, plain.original)
    table = law.log_likelihood(plain.original.matrix(("y",)))
    gaps = (plain.original.matrix(("y",)) - plain.masked.columns["y"][None, :]) ** 2
    one = table[0] - table[0, 0]
    spread = ((plain.original.columns["y"] - plain.masked.columns["y"]) ** 2).mean()
    assert one == pytest.approx(-0.5 * (gaps[0] - gaps[0, 0]) / spread, abs=1e-3)
