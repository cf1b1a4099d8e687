"""Every clustering: golden values, twins by formula, limits, and what must be true of all of them."""

from collections.abc import Callable
from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.catalogue import build
from sdckit.errors import ParameterError
from sdckit.fuzzy.c_means import c_means
from sdckit.fuzzy.closeness import raise_to
from sdckit.fuzzy.clusterings import Clustering, EntropyCMeans, FuzzyCMeans, NoiseClustering
from sdckit.fuzzy.clusters import Clusters
from sdckit.fuzzy.entropy_c_means import entropy_c_means
from sdckit.fuzzy.exponential_possibilistic_c_means import exponential_possibilistic_c_means
from sdckit.fuzzy.fuzzy_possibilistic_c_means import FuzzyPossibilisticRule, fuzzy_possibilistic_c_means
from sdckit.fuzzy.noise_clustering import noise_clustering
from sdckit.fuzzy.possibilistic_c_means import possibilistic_c_means
from sdckit.fuzzy.possibilistic_fuzzy_c_means import PossibilisticFuzzyRule, possibilistic_fuzzy_c_means
from sdckit.parameters import converted

FOUR = np.array([[0.0], [1], [9], [10]])
ENDS = np.array([[0.0], [10.0]])
EXACT = {"tolerance": 1e-13, "max_rounds": 20_000}
Method = Callable[..., Clusters]
METHODS: dict[str, Method] = {
    "noise": lambda x, v, **more: noise_clustering(x, v, 1.5, 2.0, **more),
    "noise, crisp": lambda x, v, **more: noise_clustering(x, v, 1.0, 1.0, **more),
    "possibilistic": lambda x, v, **more: possibilistic_c_means(x, v, 1.5, np.full(len(v), 0.7), **more),
    "possibilistic, m = 2": lambda x, v, **more: possibilistic_c_means(x, v, 2.0, np.full(len(v), 0.7), **more),
    "exponential": lambda x, v, **more: exponential_possibilistic_c_means(x, v, 1.5, np.full(len(v), 0.7), **more),
    "fuzzy possibilistic": lambda x, v, **more: fuzzy_possibilistic_c_means(x, v, 1.5, 3.0, **more),
    "possibilistic-fuzzy": lambda x, v, **more: possibilistic_fuzzy_c_means(x, v, 2.0, 1.5, np.ones(len(v)), **more),
    "entropy": lambda x, v, **more: entropy_c_means(x, v, 3.0, **more),
}
methods = st.sampled_from(sorted(METHODS))


def squared(points: np.ndarray, centres: np.ndarray) -> np.ndarray:
    return ((points[:, None] - centres[None]) ** 2).sum(axis=2)


def test_noise_clustering_converges_to_the_golden_values():
    points = np.array([[0.0], [1], [9], [10], [100]])
    found = noise_clustering(points, ENDS, 2, 3.0, **EXACT)
    assert found.centres.ravel() == pytest.approx([0.499768434, 9.500346757], abs=1e-8)
    noise = 1 - found.memberships(points).sum(axis=1)
    assert noise == pytest.approx([0.026930, 0.026961, 0.026973, 0.026918, 0.997996], abs=1e-6)


def test_possibilistic_c_means_converges_to_the_golden_values():
    found = possibilistic_c_means(FOUR, np.array([[0.5], [9.5]]), 2, np.ones(2), **EXACT)
    assert found.centres.ravel() == pytest.approx([0.510675327, 9.489324673], abs=1e-8)
    assert found.memberships(FOUR)[:2] == pytest.approx(
        np.array([[0.793153946, 0.010983304], [0.806816869, 0.013685763]]), abs=1e-8
    )


def test_fuzzy_possibilistic_c_means_converges_to_the_golden_values():
    found = fuzzy_possibilistic_c_means(FOUR, np.array([[0.4], [9.6]]), 2, 2, **EXACT)
    assert found.centres.ravel() == pytest.approx([0.499012394, 9.500987606], abs=1e-8)
    typical = FuzzyPossibilisticRule(2, 2).typicalities(FOUR, found.centres)
    assert typical[:, 0] == pytest.approx([0.500416698, 0.496478553, 0.001724311, 0.001380438], abs=1e-8)


def test_entropy_c_means_converges_to_the_golden_values():
    found = entropy_c_means(FOUR, ENDS, 0.05, **EXACT)
    assert found.centres.ravel() == pytest.approx([0.689513298, 9.310486702], abs=1e-8)
    golden = [0.986750883, 0.969183072, 0.030816928, 0.013249117]
    assert found.memberships(FOUR)[:, 0] == pytest.approx(golden, abs=1e-8)


@pytest.mark.parametrize("m", [1.2, 2.0, 3.0])
def test_typicalities_follow_their_formula(m):
    rng = np.random.default_rng(1)
    points, centres, widths = rng.standard_normal((50, 3)), rng.standard_normal((9, 3)), rng.uniform(0.1, 3, 9)
    distance = squared(points, centres)
    step = possibilistic_c_means(points, centres, m, widths, max_rounds=1)
    expected = 1 / (1 + (distance / widths) ** (1 / (m - 1)))
    assert step.rule.memberships(points, centres) == pytest.approx(expected, rel=1e-10)
    weights = expected**m
    assert step.centres == pytest.approx((weights.T @ points) / weights.sum(axis=0)[:, None], rel=1e-10)
    objective = (weights * distance).sum() + (widths * (1 - expected) ** m).sum()
    assert step.objective[0] == pytest.approx(objective, rel=1e-10)


@pytest.mark.parametrize(("m", "eta"), [(2.0, 2.0), (1.3, 1.7)])
def test_a_step_of_the_mixed_methods_follows_their_formulas(m, eta):
    rng = np.random.default_rng(2)
    points, centres, widths = rng.standard_normal((3000, 2)), rng.standard_normal((5, 2)), rng.uniform(0.1, 3, 5)
    distance = squared(points, centres)
    u = distance ** (-1 / (m - 1))
    u /= u.sum(axis=1, keepdims=True)
    t = distance ** (-1 / (eta - 1))
    t /= t.sum(axis=0)
    weights = u**m + t**eta
    step = fuzzy_possibilistic_c_means(points, centres, m, eta, max_rounds=1)
    assert step.centres == pytest.approx((weights.T @ points) / weights.sum(axis=0)[:, None], rel=1e-9)
    assert step.objective[0] == pytest.approx((weights * distance).sum(), rel=1e-9)
    t = 1 / (1 + (0.5 * distance / widths) ** (1 / (eta - 1)))
    weights = 2 * u**m + 0.5 * t**eta
    step = possibilistic_fuzzy_c_means(points, centres, m, eta, widths, shares=(2, 0.5), max_rounds=1)
    assert step.centres == pytest.approx((weights.T @ points) / weights.sum(axis=0)[:, None], rel=1e-9)
    objective = (weights * distance).sum() + (widths * (1 - t) ** eta).sum()
    assert step.objective[0] == pytest.approx(objective, rel=1e-9)
    rule = step.rule
    assert isinstance(rule, PossibilisticFuzzyRule)
    assert rule.typicalities(points, centres) == pytest.approx(t, rel=1e-9)


@settings(max_examples=60)
@given(methods, st.integers(0, 10**6), st.booleans())
def test_no_objective_ever_rises(name, seed, holes):
    rng = np.random.default_rng(seed)
    points = rng.standard_normal((40, 3))
    if holes:
        points[rng.random(points.shape) < 0.2] = np.nan
    weights = rng.uniform(0, 2, 40)
    found = METHODS[name](points, rng.standard_normal((4, 3)), weights=weights, max_rounds=30)
    scale = max(abs(found.objective[0]), 1.0)
    assert (np.diff(found.objective) <= 1e-9 * scale).all()
    assert np.isfinite(found.centres).all()


@settings(max_examples=40)
@given(methods, st.integers(0, 10**6))
def test_a_record_of_weight_two_is_the_record_twice(name, seed):
    rng = np.random.default_rng(seed)
    points, start = rng.standard_normal((30, 2)), rng.standard_normal((3, 2))
    weights = rng.integers(0, 3, 30)
    weighted = METHODS[name](points, start, weights=weights.astype(float), max_rounds=10)
    repeated = METHODS[name](np.repeat(points, weights, axis=0), start, max_rounds=10)
    assert weighted.centres == pytest.approx(repeated.centres, rel=1e-7, abs=1e-9)


@settings(max_examples=40)
@given(methods, st.integers(0, 10**6))
def test_the_order_of_records_and_the_origin_do_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    points, start = rng.standard_normal((30, 2)), rng.standard_normal((3, 2))
    found = METHODS[name](points, start, max_rounds=10).centres
    moved = METHODS[name](points[rng.permutation(30)] + 4, start + 4, max_rounds=10).centres
    assert moved == pytest.approx(found + 4, abs=1e-6)


@pytest.mark.parametrize("name", sorted(METHODS))
def test_a_record_without_any_value_harms_no_other(name):
    rng = np.random.default_rng(3)
    points, start = rng.standard_normal((20, 2)), rng.standard_normal((3, 2))
    with_blank = np.vstack([points, [[np.nan, np.nan]]])
    one, other = (METHODS[name](each, start, max_rounds=10) for each in (points, with_blank))
    assert one.centres == pytest.approx(other.centres, rel=1e-12)
    assert np.isnan(other.memberships(with_blank)[-1]).all()


def test_without_noise_or_typicality_each_method_is_fuzzy_c_means():
    rng = np.random.default_rng(4)
    points, start = rng.standard_normal((60, 2)), rng.standard_normal((4, 2))
    plain = c_means(points, start, 1.5).centres
    assert noise_clustering(points, start, 1.5, np.inf).centres == pytest.approx(plain)
    mixed = possibilistic_fuzzy_c_means(points, start, 1.5, widths=np.ones(4), shares=(1, 0))
    assert mixed.centres == pytest.approx(plain, rel=1e-9)


def test_crisp_limits_are_k_means_and_equal_memberships_give_the_mean():
    rng = np.random.default_rng(5)
    points, start = rng.standard_normal((60, 2)), rng.standard_normal((4, 2))
    crisp = c_means(points, start, 1).centres
    assert entropy_c_means(points, start, np.inf).centres == pytest.approx(crisp)
    assert noise_clustering(points, start, 1, 1e6).centres == pytest.approx(crisp)
    mean = np.tile(points.mean(axis=0), (4, 1))
    assert entropy_c_means(points, start, 0).centres == pytest.approx(mean)
    assert noise_clustering(points, start, np.inf, 1.0).centres == pytest.approx(mean)
    assert possibilistic_c_means(points, start, np.inf, np.ones(4)).centres == pytest.approx(mean)
    assert fuzzy_possibilistic_c_means(points, start, np.inf, np.inf).centres == pytest.approx(mean)


@pytest.mark.parametrize("m", [200.0, 1000.0])
def test_with_a_large_fuzziness_no_cluster_is_empty_and_centres_are_among_the_records(m):
    rng = np.random.default_rng(6)
    points, start = rng.standard_normal((80, 2)), rng.standard_normal((5, 2))
    for found in (
        noise_clustering(points, start, m, 1.0),
        possibilistic_c_means(points, start, m, np.ones(5)),
        possibilistic_c_means(points, start, m),
    ):
        assert not len(found.empty)
        assert (found.centres >= points.min(axis=0)).all() and (found.centres <= points.max(axis=0)).all()
        assert not np.array_equal(found.centres, start)


def test_an_outlier_moves_the_centres_of_noise_clustering_less():
    points = np.vstack([FOUR, [[60.0]]])
    plain, robust = c_means(points, ENDS, 2), noise_clustering(points, ENDS, 2, 3.0)
    clean = c_means(FOUR, ENDS, 2).centres
    assert np.abs(robust.centres - clean).max() < 0.01 < np.abs(plain.centres - clean).max()


def test_possibilistic_clusters_that_find_the_same_group_are_reported():
    rng = np.random.default_rng(7)
    one_cloud = rng.standard_normal((200, 2))
    found = possibilistic_c_means(one_cloud, one_cloud[:3], 2.0)
    assert [group.tolist() for group in found.coincident(0.05)] == [[0, 1, 2]]


@pytest.mark.parametrize("text", ["fuzzy-c-means(1.3)", "noise-clustering(1.5+2)", "possibilistic-c-means(2)"])
def test_a_clustering_is_written_as_it_is_read(text):
    assert str(converted(text, Clustering)) == text


def test_a_clustering_refuses_what_it_does_not_take():
    with pytest.raises(ValueError, match="there are fuzzy-c-means"):
        converted("k-medians(2)", Clustering)
    with pytest.raises(ValueError, match="at most 1 numbers"):
        converted("fuzzy-c-means(1+2)", Clustering)
    with pytest.raises(ValueError, match="at least 1"):
        converted("fuzzy-c-means(0.5)", Clustering)
    with pytest.raises(ValueError, match="takes numbers, not 'two'"):
        converted("fuzzy-c-means(two)", Clustering)
    with pytest.raises(ValueError, match="not negative"):
        EntropyCMeans(-1)


def test_a_recipe_says_why_a_clustering_is_refused():
    with pytest.raises(ParameterError, match="the fuzziness is at most 300"):
        build("masking", "fuzzy-microaggregation", clustering="fuzzy-possibilistic-c-means(1000)")
    with pytest.raises(ParameterError, match="'noise-clusterin'; there are fuzzy-c-means, noise-clustering"):
        build("loss", "fuzzy-clustering-loss", clustering="noise-clusterin(2)")


@pytest.mark.parametrize("each", Clustering.variants().values(), ids=lambda each: each.title)
def test_every_clustering_ends_better_than_its_start_on_records_with_weights_and_missing_values(each):
    rng = np.random.default_rng(8)
    points = np.concatenate([rng.standard_normal((60, 3)), 4 + rng.standard_normal((60, 3))])
    start = points[[0, 1, 60]]
    points[rng.random(points.shape) < 0.1] = np.nan
    found = each().fit(points, start, weights=rng.uniform(0.5, 3, 120))
    assert found.objective[-1] <= found.objective[0]
    assert np.isfinite(found.centres).all()
    c_means_first = FuzzyCMeans().fit(points, start).centres
    assert each is not NoiseClustering or np.abs(found.centres - c_means_first).max() < 1


@pytest.mark.parametrize("each", Clustering.variants().values(), ids=lambda each: each.title)
def test_every_clustering_is_read_as_it_is_written(each):
    values = [1.25 if field.name != "cut" else 0.5 for field in fields(each)]
    for clustering in (each(), each(*values), each(values[0])):
        assert converted(str(clustering), Clustering) == clustering


def test_exponential_typicalities_follow_their_formula():
    rng = np.random.default_rng(9)
    points, centres, widths = rng.standard_normal((50, 3)), rng.standard_normal((9, 3)), rng.uniform(0.1, 3, 9)
    distance = squared(points, centres)
    step = exponential_possibilistic_c_means(points, centres, widths=widths, max_rounds=1)
    t = np.exp(-distance / widths)
    assert step.rule.memberships(points, centres) == pytest.approx(t, rel=1e-12)
    assert step.centres == pytest.approx((t.T @ points) / t.sum(axis=0)[:, None], rel=1e-12)
    objective = (t * distance + widths * (t * np.log(t) - t + 1)).sum()  # Krishnapuram and Keller (1996), and η each
    assert step.objective[0] == pytest.approx(objective, rel=1e-12)


@pytest.mark.parametrize("method", [possibilistic_c_means, exponential_possibilistic_c_means])
def test_a_second_pass_has_the_widths_of_the_records_above_the_cut(method):
    rng = np.random.default_rng(10)
    points, start = rng.standard_normal((60, 2)), rng.standard_normal((3, 2))
    weights, widths = rng.uniform(0.5, 2, 60), np.ones(3)
    first = method(points, start, 1.5, widths, weights=weights)
    assert method(points, start, 1.5, widths, weights=weights, cut=1.0).centres == pytest.approx(first.centres)
    inside = (first.memberships(points) > 0.4) * weights[:, None]
    expected = (inside * squared(points, first.centres)).sum(axis=0) / inside.sum(axis=0)
    second = method(points, start, 1.5, widths, weights=weights, cut=0.4)
    again = method(points, first.centres, 1.5, expected, weights=weights)
    assert second.centres == pytest.approx(again.centres, rel=1e-9)
    assert not np.allclose(second.centres, first.centres)


def test_a_cluster_without_a_typical_record_keeps_its_width():
    points = np.array([[0.0], [0.0], [0.0], [9.0]])
    found = possibilistic_c_means(points, np.array([[0.0], [5.0]]), 2, np.array([1.0, 1e-4]), cut=0.99)
    assert found.rule.widths == pytest.approx([1.0, 1e-4])
    with pytest.raises(ValueError, match="between 0 and 1"):
        possibilistic_c_means(points, np.array([[0.0], [5.0]]), 2, np.ones(2), cut=1.5)


FILES = {
    "one record": (np.ones((1, 2)), np.ones((1, 2))),
    "as many clusters as records": (FOUR, FOUR),
    "a constant file": (np.ones((6, 2)), np.ones((3, 2))),
    "a constant column": (np.column_stack([FOUR, np.ones(4)]), np.column_stack([ENDS, np.ones(2)])),
    "an empty column": (np.column_stack([FOUR, np.full(4, np.nan)]), np.column_stack([ENDS, np.zeros(2)])),
    "no value at all": (np.full((5, 2), np.nan), np.zeros((2, 2))),
    "a start far away": (FOUR, ENDS + 1e6),
}


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("title", sorted(Clustering.variants()))
@pytest.mark.parametrize("weighted", [False, True])
def test_odd_files_have_finite_centres_and_no_objective_rises(file, title, weighted):
    points, start = FILES[file]
    weights = np.zeros(len(points))
    weights[-1] = 1.0
    for m in (1.0, 1 + 1e-7, 1.001, 2.0, 200.0, np.inf):
        clustering = Clustering.variants()[title](m)
        found = clustering.fit(points, start, weights=weights if weighted else None, max_rounds=30)
        assert np.isfinite(found.centres).all()
        assert (np.diff(found.objective) <= 1e-9 * max(abs(found.objective[0]), 1.0)).all()
        degrees = found.memberships(points)
        assert np.isnan(degrees).all() if file == "no value at all" else ((degrees >= 0) & (degrees <= 1 + 1e-9)).all()


@settings(max_examples=40)
@given(st.floats(0.4, 80), st.integers(0, 10**6))
def test_powers_by_products_are_powers(power, seed):
    ratios = np.random.default_rng(seed).uniform(0, 1, 100)
    for each in (power, float(round(power) or 1), 1 / (1 + 1 / (round(power) or 1) - 1)):
        raised = np.empty(100)
        raise_to(ratios, each, raised)
        assert raised == pytest.approx(ratios**each, rel=1e-10, abs=1e-300)
