import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.draws import Draws
from sdckit.errors import SchemaError, UnknownNameError
from sdckit.kernels import residual_qr as regression
from sdckit.kernels.residual_qr import orthonormal, residual_qr
from sdckit.methods.synthesis.fitted_values import FittedValues
from sdckit.methods.synthesis.ipso_a import IpsoA
from sdckit.methods.synthesis.ipso_b import IpsoB
from sdckit.methods.synthesis.ipso_c import IpsoC
from sdckit.methods.synthesis.microhybrid import Microhybrid
from sdckit.methods.synthesis.romm import Romm
from sdckit.methods.synthesis.sufficiency_hybrid import SufficiencyHybrid
from sdckit.microdata import Microdata
from sdckit.release import protect

EXACT = [IpsoC(), Romm(perturbation=0.5), SufficiencyHybrid(), Microhybrid(given=("x", "region"), group_size=20)]
OTHERS = [IpsoA(), IpsoB(), FittedValues()]
EVERY = pytest.mark.parametrize("method", [*EXACT, *OTHERS], ids=lambda each: each.name)


def survey(records=120, seed=0, scale=1.0, offset=0.0):
    """Two replaced numbers that depend on a given number and a given category, and a weight."""
    rng = np.random.default_rng([seed, 2003])
    x, region = rng.normal(size=records), rng.integers(0, 3, records)
    y = x + region + rng.normal(size=records)
    z = y - 0.5 * x + rng.exponential(size=records)
    frame = pl.DataFrame(
        {
            "income": offset + scale * y,
            "debt": z,
            "x": x,
            "region": [f"r{each}" for each in region],
            "weight": rng.uniform(1, 3, records),
        }
    )
    roles = {"income": "key", "debt": "key", "x": "confidential", "region": "key", "weight": "weight"}
    return Microdata.from_frame(frame, roles=roles)


def matrices(method, data, seed=1):
    """The outcomes before and after, and the whole design with an intercept."""
    names = ["income", "debt"]
    masked = method.protect(data, names, draws=Draws.of(seed))
    design = np.column_stack([np.ones(len(data)), IpsoC().design(data, names)])
    return data.matrix(names), masked.matrix(names), design


def relative(one, other):
    return np.abs(one - other).max() / np.abs(one).max()


@pytest.mark.parametrize("method", EXACT, ids=lambda each: each.name)
@pytest.mark.parametrize(("seed", "units"), [(0, (1.0, 0.0)), (1, (1e-6, 0.0)), (2, (1e6, 1e7)), (3, (1.0, 100.0))])
def test_means_covariances_and_regression_estimates_are_exact(method, seed, units):
    data = survey(seed=seed, scale=units[0], offset=units[1])
    before, after, design = matrices(method, data, seed)
    design = design if method.name != "microhybrid" else design[:, :-1]  # the weight is not among its given ones
    assert relative(before.mean(axis=0), after.mean(axis=0)) < 1e-12
    unit = before.std(axis=0)
    joint = [np.cov(np.column_stack([values / unit, design[:, 1:]]).T) for values in (before, after)]
    assert relative(*joint) < 1e-12 * (1 + units[1] / units[0])  # the offset takes digits
    fits = [np.linalg.lstsq(design, values / unit, rcond=None) for values in (before, after)]
    assert relative(fits[0][0][1:], fits[1][0][1:]) < 1e-11 * (1 + units[1] / units[0])
    assert relative(fits[0][1], fits[1][1]) < 1e-11 * (1 + units[1] / units[0])
    assert not np.allclose(before, after)


def test_a_file_of_many_blocks_is_as_exact():
    data = survey(20_000, seed=5, scale=1e3, offset=2e3)
    for method in EXACT[:-1]:
        before, after, design = matrices(method, data)
        unit = before.std(axis=0)
        joint = [np.cov(np.column_stack([values / unit, design[:, 1:]]).T) for values in (before, after)]
        assert relative(before.mean(axis=0), after.mean(axis=0)) < 1e-12
        assert relative(*joint) < 1e-12


def test_weighted_totals_are_exact():
    data = survey()
    before, after, _ = matrices(IpsoC(), data)
    weights = data.columns["weight"]
    assert relative(weights @ before, weights @ after) < 1e-12


def test_ipso_b_keeps_coefficients_and_not_residual_variances():
    before, after, design = matrices(IpsoB(), survey())
    fits = [np.linalg.lstsq(design, values, rcond=None) for values in (before, after)]
    assert relative(fits[0][0], fits[1][0]) < 1e-11
    assert relative(fits[0][1], fits[1][1]) > 1e-3


def test_ipso_a_keeps_estimates_in_expectation():
    data = survey()
    fits = []
    for seed in range(100):
        before, after, design = matrices(IpsoA(), data, seed)
        fits.append(np.linalg.lstsq(design, after, rcond=None)[0])
    truth = np.linalg.lstsq(design, before, rcond=None)[0]
    error = np.std(fits, axis=0) / np.sqrt(len(fits))
    assert (np.abs(np.mean(fits, axis=0) - truth) < 4 * error).all()
    assert (error > 0).all()


def test_fitted_values_are_those_of_least_squares():
    before, after, design = matrices(FittedValues(), survey())
    assert after == pytest.approx(design @ np.linalg.lstsq(design, before, rcond=None)[0])


def test_the_limits_are_the_original_and_ipso():
    data = survey()
    before, ipso, _ = matrices(IpsoC(), data)
    for method in (Romm(perturbation=0), SufficiencyHybrid(similarity=1), Microhybrid(group_size=1)):
        assert matrices(method, data)[1] == pytest.approx(before, abs=1e-12)
    assert matrices(Romm(perturbation=1e-9), data)[1] == pytest.approx(before, abs=1e-7)
    assert matrices(Romm(perturbation=float("inf")), data)[1] == pytest.approx(ipso, abs=1e-12)
    whole = Microhybrid(group_size=len(data)), IpsoC(given=())
    assert matrices(whole[0], data)[1] == pytest.approx(matrices(whole[1], data)[1], abs=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.7, 1.0])
def test_a_hybrid_residual_has_the_declared_correlation_with_its_own(share):
    before, after, design = matrices(SufficiencyHybrid(similarity=share), survey())
    residuals = [values - design @ np.linalg.lstsq(design, values, rcond=None)[0] for values in (before, after)]
    for column in (0, 1):
        own, released = residuals[0][:, column], residuals[1][:, column]
        assert own @ released / (own @ own) == pytest.approx(share, abs=1e-12)


def test_microhybrid_preserves_moments_inside_each_cluster():
    from sdckit.kernels.mdav import mdav
    from sdckit.kernels.standardisation import standardise

    before, after, _ = matrices(Microhybrid(group_size=15), survey())
    labels = mdav(standardise(before), 15)
    assert labels.max() > 3
    for cluster in range(labels.max() + 1):
        own = labels == cluster
        assert relative(before[own].mean(axis=0), after[own].mean(axis=0)) < 1e-12
        assert relative(np.cov(before[own].T), np.cov(after[own].T)) < 1e-12


@EVERY
def test_what_is_dependent_or_constant_stays_so(method):
    data = survey(seed=4)
    total = data.columns["income"] + data.columns["debt"]
    frame = data.to_frame().with_columns(total=pl.Series(total), same=pl.lit(7.5), copy=pl.col("x") * 2)
    names = ["income", "debt", "total", "same"]
    own = type(method)(**method.parameters() | ({"group_size": 30} if method.name == "microhybrid" else {}))
    masked = protect(frame, own, names, seed=2, allow_undeclared=True).masked
    values = masked.matrix(names)
    assert values[:, 2] == pytest.approx(values[:, 0] + values[:, 1])
    assert values[:, 3] == pytest.approx(np.full(len(data), 7.5))


def test_an_attribute_that_the_others_determine_is_noted():
    frame = survey().to_frame().with_columns(double=pl.col("x") * 2)
    release = protect(frame, IpsoC(given=("x",)), ["income", "double"], seed=1, allow_undeclared=True)
    assert np.allclose(release.masked.columns["double"], release.original.columns["double"])
    assert any("'double' is determined by the given attributes" in note for note in release.notes())


def test_rounding_is_noted():
    data = survey()
    frame = data.to_frame().with_columns(pl.col("income").round(0).cast(pl.Int64))
    release = protect(frame, IpsoC(given=()), ["income", "debt"], seed=1, allow_undeclared=True)
    assert any("rounding and declared ranges changed means" in note for note in release.notes())


def test_what_rounding_changes_in_the_relation_to_given_attributes_is_noted():
    """One replaced attribute: the correlations that are preserved are those with the given ones."""
    data = survey()
    frame = data.to_frame().with_columns(pl.col("income").round(0).cast(pl.Int64))
    release = protect(frame, IpsoC(given=("x",)), ["income"], seed=1, allow_undeclared=True)
    gap = abs(
        np.subtract(*(np.corrcoef(file["income"], file["x"])[0, 1] for file in (frame, release.masked.to_frame())))
    )
    assert gap > 1e-6
    assert any(f"correlations by up to {gap:.2g}" in note for note in release.notes())


@pytest.mark.parametrize("method", [IpsoB(), FittedValues()], ids=lambda each: each.name)
def test_rounding_is_not_blamed_for_covariances_that_the_method_changes(method):
    data = survey()
    frame = data.to_frame().with_columns(pl.col("income").round(0).cast(pl.Int64))
    release = protect(frame, method, ["income", "debt"], seed=1, allow_undeclared=True)
    assert not any("correlations" in note for note in release.notes())


@EVERY
def test_too_few_records_are_refused_in_one_line(method):
    data = survey(6)
    with pytest.raises(SchemaError) as refusal:
        method.protect(data, ["income", "debt"], draws=Draws.of(1))
    assert "needs at least" in str(refusal.value) and "\n" not in str(refusal.value)


def test_given_attributes_are_checked():
    data = survey()
    for given_names, message in (
        (("income",), "'income' is replaced"),
        (("x", "x"), "names 'x' twice"),
    ):
        with pytest.raises(SchemaError, match=message):
            IpsoC(given=given_names).protect(data, ["income"], draws=Draws.of(1))
    with pytest.raises(UnknownNameError):
        IpsoC(given=("regoin",)).protect(data, ["income"], draws=Draws.of(1))


def test_a_missing_value_of_a_replaced_attribute_is_refused_with_the_cure():
    frame = survey().to_frame().with_columns(x=pl.when(pl.col("x") > 1).then(None).otherwise(pl.col("x")))
    with pytest.raises(SchemaError, match=r"cannot mask 'x'.*leave it out, or fill or drop them first"):
        protect(frame, IpsoC(given=()), ["x"], seed=1, allow_undeclared=True)


def test_covariances_with_the_observed_values_of_a_given_attribute_are_exact():
    data = survey()
    hole = np.random.default_rng(3).random(len(data)) < 0.2
    data = data.with_columns(
        {"x": np.where(hole, np.nan, data.columns["x"]), "region": np.where(hole, -1, data.columns["region"])}
    )
    before, after, _ = matrices(IpsoC(), data)
    seen = data.columns["x"][~hole]
    joint = [np.cov(np.column_stack([values[~hole], seen]).T)[:2, 2] for values in (before, after)]
    assert relative(*joint) < 1e-12
    assert relative(before[hole].mean(axis=0), after[hole].mean(axis=0)) < 1e-12


def test_linkage_falls_with_the_perturbation_of_romm():
    rng = np.random.default_rng(11)
    values = rng.normal(size=(1000, 5)) + rng.normal(size=(1000, 1))
    frame = pl.DataFrame({f"v{index}": column for index, column in enumerate(values.T)})
    found = []
    for perturbation in (0.1, 0.5, 1.0, float("inf")):
        masked = protect(frame, Romm(perturbation=perturbation, given=()), seed=3).masked.matrix(frame.columns)
        distances = ((values[:, None] - masked[None]) ** 2).sum(axis=2)
        found.append(float((distances.argmin(axis=1) == np.arange(1000)).mean()))
    assert found == sorted(found, reverse=True)
    assert found[0] > 0.8 and found[1] < 0.5 and found[2] < 0.2 and found[3] < 0.02


@given(st.integers(1, 30), st.integers(0, 6), st.integers(0, 6), st.integers(0, 1000))
def test_a_basis_is_orthonormal_and_gives_the_columns_back(records, independent, dependent, seed):
    rng = np.random.default_rng(seed)
    columns = rng.normal(size=(records, independent))
    columns = np.column_stack([columns, columns @ rng.integers(-2, 3, (independent, dependent))])
    basis, triangular = orthonormal(columns)
    assert basis.T @ basis == pytest.approx(np.eye(basis.shape[1]), abs=1e-12)
    assert basis @ triangular == pytest.approx(columns, abs=1e-9)
    assert basis.shape[1] == np.linalg.matrix_rank(columns) if columns.size else basis.shape[1] == 0


@pytest.mark.parametrize("beside_residuals", [False, True])
def test_both_ways_to_a_basis_of_draws_find_the_same(beside_residuals, monkeypatch):
    """Of two bases the one that goes along with each draw, whose part beside the earlier ones is positive."""
    rng = np.random.default_rng(6)
    found, drawn = residual_qr(rng.normal(size=(40, 2)), rng.normal(size=(40, 3))), rng.normal(size=(40, 4))
    quick = found.basis_of(drawn, beside_residuals=beside_residuals)
    monkeypatch.setattr(regression, "_divided_by_cholesky", lambda columns: None)
    exact = found.basis_of(drawn, beside_residuals=beside_residuals)
    assert exact == pytest.approx(quick, abs=1e-12)
    products = exact.T @ found.residualised(drawn, beside_residuals=beside_residuals)
    assert np.tril(products, -1) == pytest.approx(np.zeros((4, 4)), abs=1e-12)
    assert (np.diag(products) > 0).all()


def test_residuals_are_orthogonal_to_the_predictors_however_large_their_offset():
    rng = np.random.default_rng(5)
    predictors = 1e6 + rng.normal(size=(200, 3)) * [1e-3, 1, 1e3]
    outcomes = predictors @ rng.normal(size=(3, 2)) + rng.normal(size=(200, 2))
    found = residual_qr(outcomes, predictors)
    centred = predictors - predictors.mean(axis=0)
    assert np.abs((centred / centred.std(axis=0)).T @ found.residuals).max() < 1e-8
    assert found.fitted + found.residuals == pytest.approx(outcomes)


@pytest.mark.parametrize(("error", "noted"), [(0.5, False), (0.03, True), (1e-6, True)])
def test_an_attribute_that_the_given_ones_nearly_determine_is_named(error, noted):
    rng = np.random.default_rng(1)
    values = rng.normal(size=(200, 2)) * [1.0, 50.0]
    near = values[:, 0] + error * rng.normal(size=200)
    data = Microdata.from_frame(pl.DataFrame({"a": values[:, 0], "b": values[:, 1], "near": near}))
    notes = protect(data, "ipso-c:given=near", ["a", "b"], seed=1).notes()
    assert any("'a' is nearly determined" in note for note in notes) == noted
    assert not any("'b'" in note for note in notes)
