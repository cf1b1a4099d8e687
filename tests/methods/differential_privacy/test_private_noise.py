"""Laplace and Gaussian noise and the noisy groups: the sizes of the noise, and a statistical test of their ε."""

from math import exp, log, sqrt

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit import Microdata, build, protect
from sdckit.draws import Draws
from sdckit.errors import ParameterError, SchemaError
from sdckit.kernels.fixed_groups import group_means, groups_in_order, order_from_corner
from sdckit.methods.differential_privacy.dp_microaggregation import DpMicroaggregation
from sdckit.methods.differential_privacy.gaussian_noise import GaussianNoise
from sdckit.methods.differential_privacy.laplace_noise import LaplaceNoise
from sdckit.methods.differential_privacy.opendp_noise import gaussian_scale, with_laplace_noise
from sdckit.schema import Declared, Schema

pytestmark = pytest.mark.slow  # many draws of each method

pytest.importorskip("opendp")
RUNS = 20_000


def file(**columns: object) -> Microdata:
    return Microdata.from_frame(pl.DataFrame(columns))


def released(masking: object, value: float) -> np.ndarray:
    """What the noise makes of one value, many times."""
    return protect(file(a=np.full(RUNS, value)), masking).masked.columns["a"]


def largest_loss(one: np.ndarray, other: np.ndarray) -> float:
    """The greatest log-ratio of the shares of half-lines, as far as their errors at 4 standard deviations allow."""
    losses = []
    for point in np.quantile(np.concatenate([one, other]), np.linspace(0.02, 0.98, 25)):
        for p, q in (((one <= point).mean(), (other <= point).mean()), ((one > point).mean(), (other > point).mean())):
            low = p - 4 * sqrt(p * (1 - p) / len(one))
            high = q + 4 * sqrt(q * (1 - q) / len(other))
            losses.append(log(low / high) if low > 0 else -np.inf)
    return max(losses)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_laplace_noise_passes_a_test_of_its_epsilon(epsilon):
    masking = LaplaceNoise(epsilon=epsilon, lower=(0,), upper=(10,))
    found = largest_loss(released(masking, 0), released(masking, 10))
    assert 0.6 * epsilon < found <= epsilon


def test_the_test_of_epsilon_sees_noise_that_is_too_small():
    one, other = (released(LaplaceNoise(epsilon=2.0, lower=(0,), upper=(10,)), value) for value in (0, 10))
    assert largest_loss(one, other) > 1.5


def test_gaussian_noise_passes_a_test_of_its_epsilon_and_delta():
    masking = GaussianNoise(epsilon=1.0, delta=1e-3, lower=(0,), upper=(10,))
    one, other = released(masking, 0), released(masking, 10)
    for point in np.quantile(one, np.linspace(0.05, 0.95, 10)):
        p, q = (one <= point).mean(), (other <= point).mean()
        assert p <= exp(1.0) * q + 1e-3 + 4 * (sqrt(p * (1 - p) / RUNS) + exp(1.0) * sqrt(q * (1 - q) / RUNS))


@pytest.mark.parametrize(
    ("masking", "deviation"),
    [
        (LaplaceNoise(epsilon=2.0, lower=(0,), upper=(10,)), sqrt(2) * 10 / 2),
        (GaussianNoise(epsilon=2.0, lower=(0,), upper=(10,)), 10 * 2.36),
    ],
)
def test_the_noise_has_the_size_that_bounds_and_epsilon_give(masking, deviation):
    assert released(masking, 5).std() == pytest.approx(deviation, rel=0.05)


def test_the_gaussian_scale_is_below_the_classical_one():
    for epsilon in (0.1, 0.5, 0.9):
        assert gaussian_scale(epsilon, 1e-5) < sqrt(2 * log(1.25 / 1e-5)) / epsilon


def test_values_beyond_the_bounds_are_moved_to_them_and_noted():
    release = protect(file(a=[1.0] * 50 + [1000.0] * 50), LaplaceNoise(epsilon=50.0, lower=(0,), upper=(10,)))
    assert release.masked.columns["a"][50:].mean() == pytest.approx(10, abs=1)
    assert any("50.0% of the values of 'a'" in note for note in release.notes())


def test_bounds_are_asked_for_and_never_read_off_the_data():
    with pytest.raises(SchemaError, match=r"needs public bounds of 'a'.*0 <= a <= 100"):
        protect(file(a=[1.0, 2.0]), "laplace-noise")
    declared = Microdata.from_frame(pl.DataFrame({"a": [1.0, 2.0]}), edits=["0 <= a <= 10"])
    loss = LaplaceNoise(epsilon=1).privacy(declared, ("a",))
    assert loss.bounds == {"a": (0, 10)}
    with pytest.raises(ParameterError, match="lower must be below upper"):
        protect(file(a=[1.0]), LaplaceNoise(lower=(3,), upper=(3,)))
    with pytest.raises(ParameterError, match="2 values for 3"):
        protect(file(a=[1.0], b=[1.0], c=[1.0]), LaplaceNoise(lower=(0, 1), upper=(9,)))


@pytest.mark.parametrize("method", [LaplaceNoise, GaussianNoise, DpMicroaggregation])
def test_whether_all_values_are_whole_does_not_show(method):
    """Neighbouring files 1, 2, 3, 4 and 1, 2, 3, 4.5: what is released has the same type and decimals."""
    masking = method(
        epsilon=1.0, lower=(0,), upper=(10,), **({"group_size": 2} if method is DpMicroaggregation else {})
    )
    frames = [protect(file(a=values), masking).masked.to_frame() for values in ([1, 2, 3, 4], [1.0, 2, 3, 4.5])]
    assert frames[0].dtypes == frames[1].dtypes == [pl.Float64]
    assert (frames[0]["a"] % 1 != 0).any()
    declared = Schema({"a": Declared(decimals=0)})
    rounded = protect(Microdata.from_frame(pl.DataFrame({"a": [1.0, 2, 3, 4.5]}), schema=declared), masking)
    assert (rounded.masked.columns["a"] % 1 == 0).all()


def test_missing_values_are_refused():
    with pytest.raises(SchemaError, match=r"'a'.*missing"):
        protect(file(a=[1.0, None]), LaplaceNoise(lower=(0,), upper=(1,)))


values_of_groups = st.lists(st.integers(0, 20), min_size=4, max_size=14)


@given(values_of_groups, st.integers(0, 20), st.integers(0, 13), st.integers(1, 5))
def test_one_record_changes_the_means_of_one_attribute_by_the_sensitivity_at_most(values, other, position, size):
    def means(column):
        matrix = np.array(column, dtype=float)[:, None]
        return group_means(matrix, groups_in_order(np.argsort(matrix[:, 0], kind="stable"), size))

    changed = list(values)
    changed[position % len(values)] = other
    masking = DpMicroaggregation(group_size=size)
    limit = masking.sensitivity(len(values), np.array([20.0]))
    assert np.abs(means(values) - means(changed)).sum() <= limit + 1e-9


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=4, max_size=14),
    st.tuples(st.integers(0, 5), st.integers(0, 5)),
    st.integers(0, 13),
    st.integers(1, 5),
)
def test_one_record_changes_the_means_of_several_attributes_by_the_sensitivity_at_most(rows, other, position, size):
    bounds = np.zeros(2), np.full(2, 5.0)

    def means(pairs):
        matrix = np.array(pairs, dtype=float)
        return group_means(matrix, groups_in_order(order_from_corner(matrix, *bounds), size))

    changed = list(rows)
    changed[position % len(rows)] = other
    limit = DpMicroaggregation(group_size=size).sensitivity(len(rows), np.array([5.0, 5.0]))
    assert np.abs(means(rows) - means(changed)).sum() <= limit + 1e-9


def test_noisy_means_pass_a_test_of_their_epsilon():
    """Neighbouring files {0, 0, 0, 0} and {0, 0, 0, 10}: the mean of the upper pair is 0 or 5."""
    runs = 4000
    masking = DpMicroaggregation(group_size=2, epsilon=1.0, lower=(0,), upper=(10,))
    limit = masking.sensitivity(4, np.array([10.0]))

    def upper(means):
        noisy = with_laplace_noise(np.tile(means, runs), limit, 1.0)
        return noisy.reshape(runs, 2)[:, 1]

    found = largest_loss(upper([0.0, 0.0]), upper([0.0, 5.0]))
    assert 0.3 < found <= 1.0


@pytest.mark.parametrize("names", ["a", "ab"], ids=["one attribute", "two attributes"])
@pytest.mark.parametrize(("one", "other"), [((5, 5, 5, 5), (5, 5, 5, 10)), ((0, 0, 10, 10), (0, 0, 0, 10))])
def test_neighbouring_files_with_ties_are_released_alike_whatever_is_looked_at(names, one, other):
    """The whole method on files that differ in one record: no statistic of the rows is more than e^ε as likely."""
    masking = DpMicroaggregation(group_size=2, epsilon=1.0, lower=(0,), upper=(10,))

    def rows(values):
        data = file(**{name: np.array(values, dtype=float) for name in names})
        made = [masking.protect(data, tuple(names), draws=Draws.of(run)).matrix(tuple(names)) for run in range(1500)]
        return np.array(made)

    files = rows(one), rows(other)
    for statistic in (
        lambda each: each.max(axis=(1, 2)),
        lambda each: each.sum(axis=(1, 2)),
        lambda each: each[:, 0, 0],
    ):
        assert largest_loss(*map(statistic, files)) <= 1.0
        assert largest_loss(*map(statistic, files[::-1])) <= 1.0


def test_large_groups_and_epsilon_give_the_means_of_the_groups():
    data = file(a=np.arange(100.0))
    masked = protect(data, DpMicroaggregation(group_size=50, epsilon=1e5, lower=(0,), upper=(99,))).masked.columns["a"]
    assert sorted(set(masked.round(1))) == [24.5, 74.5]
    assert np.bincount(masked > 50).tolist() == [50, 50]


def test_rows_of_one_group_have_the_same_joint_values_and_show_no_link():
    rng = np.random.default_rng(1)
    data = Microdata.from_frame(
        pl.DataFrame({"a": np.sort(rng.random(300)), "b": rng.random(300), "id": np.arange(300.0)}),
        roles={"a": "key", "b": "key", "id": "other"},
    )
    masked = protect(data, DpMicroaggregation(group_size=30, epsilon=1e9, lower=(0,), upper=(1,)), ["a", "b"]).masked
    assert len(np.unique(masked.matrix(("a", "b")), axis=0)) == 10
    assert abs(np.corrcoef(masked.columns["a"], masked.columns["id"])[0, 1]) < 0.25


def test_joined_individual_rankings_are_refused_with_the_reason():
    data = file(a=[1.0, 2, 3, 4], b=[1.0, 2, 3, 4])
    with pytest.raises(ParameterError, match="not differentially private, whatever the noise"):
        protect(data, DpMicroaggregation(group_size=2, ranking="individual", lower=(0,), upper=(5,)))
    assert protect(data, DpMicroaggregation(group_size=2, ranking="individual", lower=(0,), upper=(5,)), ["a"])


def test_why_joined_individual_rankings_are_refused():
    """The example: two different rows become four, so that no noise on the means can hide which file it was."""

    def different_rows(pairs):
        values = np.array(pairs, dtype=float)
        groups = [groups_in_order(np.argsort(column, kind="stable"), 2) for column in values.T]
        return len(np.unique(np.column_stack(groups), axis=0))

    assert different_rows([(1, 1), (2, 2), (3, 3), (4, 4)]) == 2
    assert different_rows([(1, 4.5), (2, 2), (3, 3), (4, 4)]) == 4


@settings(max_examples=5)
@given(st.integers(0, 100))
def test_no_seed_repeats_the_noise(seed):
    masking = LaplaceNoise(lower=(0,), upper=(1,))
    one, other = (protect(file(a=[0.5, 0.5]), masking, seed=seed).masked.columns["a"] for _ in range(2))
    assert not np.array_equal(one, other)


@pytest.mark.slow
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
@pytest.mark.parametrize("method", [LaplaceNoise, DpMicroaggregation])
def test_the_membership_game_does_not_beat_the_bound(method, epsilon):
    data = file(a=np.random.default_rng(1).random(80))
    release = protect(data, method(epsilon=epsilon, lower=(0,), upper=(1,)))
    score = build("risk", "membership", files=32).measure(release, seed=1)
    assert score.interval[0] <= (exp(epsilon) - 1) / (exp(epsilon) + 1)
