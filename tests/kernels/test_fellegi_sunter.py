from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from sdckit.kernels.fellegi_sunter import (
    FellegiSunter,
    agree_when_equal,
    agree_when_meeting,
    best_matches,
    fit,
    one_to_one_matches,
    pattern_counts,
    thresholds,
)
from sdckit.kernels.mdav import mdav
from sdckit.kernels.standardisation import standardise


def patterns(agreement):
    """The pattern of every pair."""
    agree = (agreement.lower[:, None] <= agreement.codes) & (agreement.codes <= agreement.upper[:, None])
    return agree @ (1 << np.arange(agree.shape[2]))


@st.composite
def coded_files(draw):
    d = draw(st.integers(1, 4))
    return tuple(draw(arrays(np.int64, (draw(st.integers(1, 25)), d), elements=st.integers(-1, 2))) for _ in range(2))


def model_of(match, nonmatch):
    return FellegiSunter(np.array(match), np.array(nonmatch), 0.1, np.empty(0))


@given(coded_files())
def test_the_counts_are_those_of_all_pairs(files):
    known, released = files
    keys = known.shape[1]
    counts = pattern_counts(agree_when_equal(known, released))
    agree = (known[:, None] == released) & (known[:, None] >= 0) & (released >= 0)
    assert np.array_equal(counts, np.bincount((agree @ (1 << np.arange(keys))).ravel(), minlength=1 << keys))


def test_windows_agree_by_hand():
    released = np.array([[2.0, 5.0], [2.5, np.nan]])
    lower, upper = np.array([[1.0, 5.0], [np.nan, 0.0]]), np.array([[2.0, 5.0], [9.0, 9.0]])
    agreement = agree_when_meeting(lower, upper, released, released)
    assert patterns(agreement).tolist() == [[3, 0], [2, 0]]


@given(arrays(np.float64, (12, 2), elements=st.integers(0, 5).map(float)), st.floats(0, 3))
def test_windows_count_the_values_inside(values, reach):
    agreement = agree_when_meeting(values - reach, values + reach, values[::-1], values[::-1])
    inside = np.abs(values[:, None] - values[::-1]) <= reach
    close = np.abs(np.abs(values[:, None] - values[::-1]) - reach) < 1e-9  # the bound itself is rounded
    found = np.stack([patterns(agreement) >> j & 1 for j in range(2)], axis=2) == 1
    assert ((found == inside) | close).all()


def test_the_likelihood_never_falls():
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 1000, size=16)
    path = fit(counts, 0.01, learn_prior=True).log_likelihood
    assert (np.diff(path) >= -1e-9 * np.abs(path[:-1])).all()


def test_the_probabilities_behind_a_table_are_recovered():
    match, nonmatch, prior = np.array([0.9, 0.8, 0.95, 0.7]), np.array([0.1, 0.3, 0.05, 0.2]), 0.05
    bits = (np.arange(16)[:, None] >> np.arange(4)) & 1 == 1
    probability = prior * np.where(bits, match, 1 - match).prod(axis=1)
    probability += (1 - prior) * np.where(bits, nonmatch, 1 - nonmatch).prod(axis=1)
    model = fit(np.round(probability * 1e12).astype(np.int64), 0.2, learn_prior=True, steps=20_000)
    assert model.match == pytest.approx(match, abs=1e-3)
    assert model.nonmatch == pytest.approx(nonmatch, abs=1e-3)
    assert model.prior == pytest.approx(prior, abs=1e-3)


def test_a_fixed_prior_stays():
    assert fit(np.array([90, 5, 5, 10]), 0.1).prior == 0.1


def test_one_step_by_hand():
    # One key: of 10 pairs 2 agree. Of an agreeing pair 0.1 * 0.9 / (0.1 * 0.9 + 0.9 * 0.1) = 1/2 is a match,
    # of a differing one 0.1 * 0.1 / (0.1 * 0.1 + 0.9 * 0.9) = 1/82.
    model = fit(np.array([8, 2]), 0.1, steps=1)
    assert model.match == pytest.approx([1 / (1 + 8 / 82)])
    assert model.nonmatch == pytest.approx([1 / (1 + 8 * 81 / 82)])


@pytest.mark.parametrize("counts", [[0, 10], [10, 0], [0, 0, 0, 10], [0, 5, 5, 0], [0, 5, 0, 5]])
def test_no_key_is_ever_certain(counts):
    """Also where all pairs agree, or none: a weight would be infinite."""
    model = fit(np.array(counts), 0.1)
    for probability in (model.match, model.nonmatch):
        assert ((probability > 0) & (probability < 1)).all()
    assert np.isfinite(model.pattern_weights()).all()
    assert np.isfinite(model.log_likelihood).all()
    assert 0 < fit(np.array(counts), 0.9, learn_prior=True).prior < 1


def test_the_weights_by_hand():
    weights = model_of([0.8, 0.5], [0.2, 0.25]).pattern_weights()
    assert weights == pytest.approx([-2 + np.log2(2 / 3), 2 + np.log2(2 / 3), -2 + 1, 2 + 1])


@given(coded_files(), st.integers(0, 1000))
def test_the_best_match_is_that_of_all_pairs(files, seed):
    known, released = files
    rng = np.random.default_rng(seed)
    keys = known.shape[1]
    truth = rng.integers(-1, len(released), size=len(known))
    model = model_of(np.full(keys, 0.9), np.full(keys, 0.2))  # equal weights: patterns tie by their number of bits
    agreement = agree_when_equal(known, released)
    agree = (patterns(agreement)[..., None] >> np.arange(keys)) & 1 == 1
    missing = (known[:, None] < 0) | (released < 0)
    weights = np.where(missing, 0.0, np.where(agree, np.log2(4.5), -3.0)).sum(axis=2)  # a missing key weighs nothing
    best = np.isclose(weights, weights.max(axis=1, keepdims=True), atol=1e-6)
    matches = best_matches(agreement, model, truth)
    assert np.array_equal(matches.ties, best.sum(axis=1))
    assert np.array_equal(matches.nearest, best.argmax(axis=1))
    assert np.array_equal(matches.truth_tied, (truth >= 0) & best[np.arange(len(known)), truth])
    assert matches.weight == pytest.approx(weights.max(axis=1), abs=1e-6)


def test_a_missing_key_is_neither_an_agreement_nor_a_disagreement():
    known, released = np.array([[1, 1]]), np.array([[1, 0], [1, -1], [-1, -1]])
    agreement, model = agree_when_equal(known, released), model_of([0.9, 0.9], [0.2, 0.2])
    assert best_matches(agreement, model, np.array([1])).nearest.tolist() == [1]
    assert best_matches(agreement, model, np.array([1])).weight == pytest.approx([np.log2(4.5)])


def test_holes_at_random_do_not_change_the_probabilities_among_observed_values():
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 30, (300, 4))
    masked = np.where(rng.random(codes.shape) < 0.1, rng.integers(0, 30, codes.shape), codes)
    whole = agree_when_equal(codes, masked)
    holed = agree_when_equal(codes, np.where(rng.random(codes.shape) < 0.2, -1, masked))
    one, other = (fit(pattern_counts(each), 1 / 300).among_observed(each.observed()) for each in (whole, holed))
    assert other.match == pytest.approx(one.match, abs=0.05)
    assert other.nonmatch == pytest.approx(one.nonmatch, abs=0.01)


def test_keys_that_never_agree_at_random_link_every_record():
    codes = np.arange(40)[:, None] * np.ones((1, 3), dtype=np.int64)
    agreement = agree_when_equal(codes, codes)
    model = fit(pattern_counts(agreement), 1 / 40)
    matches = best_matches(agreement, model, np.arange(40))
    assert matches.truth_tied.all() and (matches.ties == 1).all()
    assert np.array_equal(one_to_one_matches(agreement, model), np.arange(40))


def test_one_to_one_resolves_what_the_best_match_leaves_tied():
    known, released = np.array([[0, 0], [0, 1]]), np.array([[0, 0], [0, 0]])
    link = one_to_one_matches(agree_when_equal(known, released), model_of([0.9, 0.9], [0.2, 0.2]))
    assert sorted(link.tolist()) == [0, 1]


def test_too_many_keys_are_refused():
    with pytest.raises(ValueError, match="at most"):
        pattern_counts(agree_when_equal(np.zeros((1, 25), int), np.zeros((1, 25), int)))


@pytest.mark.parametrize(("records", "rows"), [(3, 4300), (150, 9)])
def test_files_longer_than_a_block_are_counted_whole(records, rows):
    rng = np.random.default_rng(1)
    known, released = rng.integers(0, 9, size=(records, 6)), rng.integers(0, 9, size=(rows, 6))
    agreement, model = agree_when_equal(known, released), model_of([0.9] * 6, [0.2] * 6)
    found = patterns(agreement)
    assert np.array_equal(pattern_counts(agreement), np.bincount(found.ravel(), minlength=64))
    matches, weights = best_matches(agreement, model, np.full(records, -1)), model.pattern_weights()[found]
    assert np.array_equal(matches.weight, weights.max(axis=1))
    assert np.array_equal(matches.nearest, weights.argmax(axis=1))


def test_the_share_of_pairs_observed_is_counted_by_pairs():
    known, released = (
        np.array([[1, -1], [2, 0], [-1, 0], [0, -1]]),
        np.array([[0, 1], [-1, 2], [3, 1], [2, -1], [-1, 0]]),
    )
    both = (known[:, None] >= 0) & (released >= 0)
    assert agree_when_equal(known, released).observed() == pytest.approx(both.mean(axis=(0, 1)))


def windows(rng, count, keys):
    """Intervals of small whole numbers, some without one end."""
    low = rng.integers(0, 5, (count, keys)).astype(float)
    high = low + rng.integers(0, 3, (count, keys))
    for ends in (low, high):
        ends[rng.random(ends.shape) < 0.1] = np.nan
    return low, high


@pytest.mark.parametrize("seed", range(40))
def test_matches_of_windows_are_those_of_all_pairs(seed):
    """Weights are whole numbers, so that they tie."""
    rng = np.random.default_rng(seed)
    keys = int(rng.integers(1, 4))
    (lower, upper), (first, last) = windows(rng, rng.integers(1, 5), keys), windows(rng, rng.integers(1, 5), keys)
    agreement = agree_when_meeting(lower, upper, first, last)
    probabilities = [(0.8, 0.4), (0.5, 0.25), (0.75, 0.5)]
    model = model_of(*np.array([probabilities[rng.integers(3)] for _ in range(keys)]).T)
    agree = (lower[:, None] <= last) & (first <= upper[:, None])
    missing = (np.isnan(lower) | np.isnan(upper))[:, None] | np.isnan(first) | np.isnan(last)
    gain = np.round(np.log2(model.match / model.nonmatch) * 2**32) / 2**32
    loss = np.round(np.log2((1 - model.match) / (1 - model.nonmatch)) * 2**32) / 2**32
    weights = np.where(missing, 0.0, np.where(agree, gain, loss)).sum(axis=2)
    truth = rng.integers(-1, len(first), len(lower))
    found = best_matches(agreement, model, truth)
    best = weights == weights.max(axis=1, keepdims=True)
    assert found.weight.tolist() == weights.max(axis=1).tolist()
    assert found.ties.tolist() == best.sum(axis=1).tolist()
    assert found.nearest.tolist() == best.argmax(axis=1).tolist()
    assert found.truth_tied.tolist() == ((truth >= 0) & best[np.arange(len(truth)), truth]).tolist()
    counts = np.bincount(((agree & ~missing) @ (1 << np.arange(keys))).ravel(), minlength=1 << keys)
    assert pattern_counts(agreement).tolist() == counts.tolist()
    assert agreement.observed() == pytest.approx((~missing).mean(axis=(0, 1)))
    links = one_to_one_matches(agreement, model)
    few, many = sorted(weights.shape)
    table = weights if len(lower) <= len(first) else weights.T
    totals = [table[np.arange(few), list(chosen)].sum() for chosen in permutations(range(many), few)]
    linked = np.flatnonzero(links >= 0)
    assert len(linked) == few == len(set(links[linked]))
    assert weights[linked, links[linked]].sum() == pytest.approx(max(totals))


def estimated(counts, prior, learn_prior, steps):
    """Expectation-maximisation, pattern by pattern."""
    keys = len(counts).bit_length() - 1
    match, nonmatch, path = [0.9] * keys, [0.1] * keys, []
    for _ in range(steps):
        likelihood, together, own = 0.0, np.zeros(2), np.zeros((2, keys))
        for pattern, count in enumerate(counts):
            of_match, of_nonmatch = prior, 1 - prior
            for key in range(keys):
                agrees = pattern >> key & 1
                of_match *= match[key] if agrees else 1 - match[key]
                of_nonmatch *= nonmatch[key] if agrees else 1 - nonmatch[key]
            if count:
                likelihood += count * np.log(of_match + of_nonmatch)
            shares = count * np.array([of_match, of_nonmatch]) / (of_match + of_nonmatch)
            together += shares
            own += shares[:, None] * np.array([pattern >> key & 1 for key in range(keys)])
        path.append(likelihood)
        if len(path) > 1 and path[-1] - path[-2] <= 1e-12 * abs(path[-1]):
            break
        match, nonmatch = (np.clip(own[side] / together[side], 1e-6, 1 - 1e-6) for side in range(2))
        if learn_prior:
            prior = min(together[0] / sum(counts), 1 - 1e-6)
    return match, nonmatch, prior, path


@pytest.mark.parametrize("learn_prior", [False, True])
@pytest.mark.parametrize("steps", [1, 2, 5, 30])
@pytest.mark.parametrize("seed", range(4))
def test_probabilities_are_those_of_a_plain_estimation(seed, steps, learn_prior):
    rng = np.random.default_rng(seed)
    counts = rng.integers(0, 9, 2 ** (1 + seed % 3)) + (np.arange(2 ** (1 + seed % 3)) == 1)
    model = fit(counts, 0.2, learn_prior=learn_prior, steps=steps)
    match, nonmatch, prior, path = estimated(counts.tolist(), 0.2, learn_prior, steps)
    assert model.match == pytest.approx(match) and model.nonmatch == pytest.approx(nonmatch)
    assert model.prior == pytest.approx(prior)
    assert model.log_likelihood == pytest.approx(path)


@pytest.mark.parametrize("seed", range(20))
def test_thresholds_limit_both_errors_under_the_model(seed):
    rng = np.random.default_rng(seed)
    keys = int(rng.integers(1, 4))
    model = model_of(rng.choice([0.6, 0.8, 0.9], keys), rng.choice([0.1, 0.3], keys))
    patterns_of_model = [[pattern >> key & 1 for key in range(keys)] for pattern in range(1 << keys)]
    weights = model.pattern_weights()

    def probability(pattern, agree):
        return np.prod([agree[key] if bit else 1 - agree[key] for key, bit in enumerate(pattern)])

    of_match, of_nonmatch = ([probability(each, side) for each in patterns_of_model] for side in model[:2])
    for limit in (0.0, 0.05, 0.2, 0.5, 1.0):
        upper, lower = thresholds(model, limit, limit)
        down = np.argsort(weights, kind="stable")[::-1]
        called = [order for order in range(len(down)) if sum(np.array(of_nonmatch)[down[: order + 1]]) <= limit]
        assert upper == (weights[down[called[-1]]] if called else np.inf)
        up = np.argsort(weights, kind="stable")
        missed = [order for order in range(len(up)) if sum(np.array(of_match)[up[: order + 1]]) <= limit]
        assert lower == (weights[up[missed[-1]]] if missed else -np.inf)


def test_probabilities_among_observed_pairs_by_hand():
    model = model_of([0.4, 0.5, 0.2], [0.1, 0.05, 0.1])
    among = model.among_observed(np.array([0.5, 0.25, 0.0]))
    assert among.match == pytest.approx([0.8, 1 - 1e-6, 1 - 1e-6])
    assert among.nonmatch == pytest.approx([0.2, 0.2, 1 - 1e-6])


def test_a_pair_of_codes_counts_only_where_both_are_there():
    agreement = agree_when_equal(np.array([[-5, 3]]), np.array([[-7, -1], [0, 3]]))
    assert patterns(agreement).tolist() == [[0, 2]]
    assert (agreement.codes[0] == -1).all() and agreement.upper.tolist() == [[-1, 3]]


@pytest.mark.parametrize(("bins", "share"), [(10, 7.1), (20, 4.9)])
def test_linkage_of_microaggregated_census_by_quantile_bins(census, bins, share):
    labels = np.asarray(mdav(standardise(census), 3))
    sizes = np.bincount(labels)
    masked = np.column_stack([np.bincount(labels, column) / sizes for column in census.T])[labels]
    known, released = np.empty(census.shape, dtype=np.int64), np.empty(census.shape, dtype=np.int64)
    for j, column in enumerate(census.T):
        edges = np.unique(np.quantile(column, np.arange(1, bins) / bins))
        known[:, j] = np.searchsorted(edges, column, side="right")
        released[:, j] = np.searchsorted(edges, masked[:, j], side="right")
    agreement = agree_when_equal(known, released)
    matches = best_matches(agreement, fit(pattern_counts(agreement), 1 / len(census)), np.arange(len(census)))
    assert 100 * np.mean(matches.truth_tied / matches.ties) == pytest.approx(share, abs=0.05)
