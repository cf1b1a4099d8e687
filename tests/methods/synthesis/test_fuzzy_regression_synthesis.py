import numpy as np
import pytest
from tests.methods.synthesis.test_regression_synthesis import matrices, survey

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.methods.synthesis.fitted_values import FittedValues
from sdckit.methods.synthesis.fuzzy_regression_synthesis import FuzzyRegressionSynthesis
from sdckit.methods.synthesis.ipso_a import IpsoA
from sdckit.microdata import Attribute, Kind, Microdata, Role


@pytest.mark.parametrize("choice", ["drawn", "best", "weighted"])
def test_one_model_is_plain_regression(choice):
    data = survey()
    one = matrices(FuzzyRegressionSynthesis(models=1, choice=choice), data)[1]
    assert one == pytest.approx(matrices(FittedValues(), data)[1], abs=1e-7)


def test_one_model_with_residuals_has_those_of_the_regression():
    data = survey(2000)
    before, after, design = matrices(FuzzyRegressionSynthesis(models=1, residuals=True), data)
    rest = [values - design @ np.linalg.lstsq(design, values, rcond=None)[0] for values in (before, after)]
    assert np.cov(rest[1].T) == pytest.approx(np.cov(rest[0].T), rel=0.15)
    assert np.cov(matrices(IpsoA(), data)[1].T) == pytest.approx(np.cov(after.T), rel=0.15)


def curves(records=600, seed=3):
    """An outcome that falls and rises with a given number, and another that has two regimes."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(-2, 2, records)
    regime = rng.integers(0, 2, records)
    columns = {
        "x": x,
        "y": x**2 + 0.1 * rng.normal(size=records),
        "z": (2 * regime - 1) * x + 0.1 * rng.normal(size=records),
    }
    roles = {"x": Role.CONFIDENTIAL, "y": Role.KEY, "z": Role.KEY}
    return Microdata(tuple(Attribute(name, Kind.CONTINUOUS, roles[name]) for name in columns), columns)


@pytest.mark.parametrize("choice", ["drawn", "best"])
def test_loss_falls_and_risk_rises_with_the_number_of_models(choice):
    data = curves()
    before = data.matrix(["y", "z"])
    errors, found = [], []
    for models in (1, 2, 4, 8):
        method = FuzzyRegressionSynthesis(models=models, choice=choice, fuzziness=1.2)
        after = method.protect(data, ["y", "z"], draws=Draws.of(1)).matrix(["y", "z"])
        errors.append(float(((after - before) ** 2).mean()))
        nearest = ((before[:, None] - after[None]) ** 2).sum(axis=2).argmin(axis=1)
        found.append(float((nearest == np.arange(len(data))).mean()))
    assert errors == sorted(errors, reverse=True) and errors[-1] < errors[0] / 4
    assert found[-1] > 2 * found[0] and np.mean(found[2:]) > np.mean(found[:2])


def test_weighted_predictions_lie_between_those_of_the_models():
    data = curves()
    best, weighted = (
        FuzzyRegressionSynthesis(models=2, choice=choice).protect(data, ["z"], draws=Draws.of(1)).columns["z"]
        for choice in ("best", "weighted")
    )
    assert np.std(weighted) < np.std(best)


def test_too_many_models_are_refused_with_the_cure():
    with pytest.raises(SchemaError, match="use fewer models, or list fewer attributes in given"):
        FuzzyRegressionSynthesis(models=60).protect(survey(), ["income"], draws=Draws.of(1))
