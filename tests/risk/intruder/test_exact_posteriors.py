"""With a closed law and everything known, posteriors are shares of a permanent and stated probabilities hold."""

from itertools import permutations

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.laws.informed import informed_law
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder

NORMAL = 3.89  # two-sided quantile at 1e-4


def numbers(records: int, columns: int, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    values = rng.gamma(2.0, size=(records, columns)) + rng.normal(size=(records, 1))
    return Microdata(
        tuple(Attribute(f"x{index}", Kind.CONTINUOUS, Role.KEY) for index in range(columns)),
        {f"x{index}": values[:, index] for index in range(columns)},
    )


def categories(records: int, columns: int, seed: int) -> Microdata:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(3, 7, columns)
    return Microdata(
        tuple(
            Attribute(f"c{index}", Kind.UNORDERED, Role.KEY, categories=tuple("abcdefg"[:size]))
            for index, size in enumerate(sizes)
        ),
        {f"c{index}": rng.integers(0, size, records) for index, size in enumerate(sizes)},
    )


def permanent_shares(weights: np.ndarray) -> np.ndarray:
    """The posterior of each pair, by listing every permutation."""
    posterior = np.zeros_like(weights)
    lines = np.arange(len(weights))
    for order in permutations(range(len(weights))):
        posterior[lines, order] += weights[lines, order].prod()
    return posterior / posterior[0].sum()


def posterior_table(release) -> np.ndarray:
    inference = InformedIntruder().claims(release).inference
    graph, rows = inference.posterior.graph, inference.law.rows
    of_class = np.zeros((graph.records, len(rows.sizes)))
    record_of = np.repeat(np.arange(graph.records), np.diff(graph.starts))
    of_class[record_of, graph.classes] = inference.posterior.probability / rows.sizes[graph.classes]
    return of_class[:, rows.of]


def likelihoods(release) -> np.ndarray:
    """The likelihood of every row for every record, as the law gives it."""
    law = informed_law(Intruder().view(release), np.random.default_rng(1))
    records, rows = np.divmod(np.arange(law.records * len(law.rows.of)), len(law.rows.of))
    total = np.asarray(sum(law.of_pairs(records, law.rows.of[rows]).values())).reshape(law.records, -1)
    return np.exp(total - total.max(axis=1, keepdims=True))


@pytest.mark.parametrize("recipe", ["random-rounding:base=0.7", "bounded-noise:half_width=1", "rounding:base=1"])
def test_posteriors_by_other_closed_laws_are_shares_of_a_permanent(recipe):
    release = protect(numbers(7, 2, 3), recipe, seed=4)
    assert posterior_table(release) == pytest.approx(permanent_shares(likelihoods(release)), abs=1e-6)


@pytest.mark.parametrize("records", [1, 2, 3, 6, 8])
@pytest.mark.parametrize("share", [0.1, 2.0])
def test_posteriors_under_noise_are_shares_of_a_permanent(records, share):
    release = protect(numbers(records, 2, records), f"additive-noise:variance_share={share}", seed=records)
    assert posterior_table(release) == pytest.approx(permanent_shares(likelihoods(release)), abs=1e-6)


def test_posteriors_beside_an_unchanged_category_are_shares_of_a_permanent():
    data = numbers(7, 1, 3)
    town = Attribute("town", Kind.UNORDERED, Role.KEY, categories=("Ely", "Rye"))
    data = Microdata((*data.attributes, town), {**data.columns, "town": np.array([0, 1, 0, 1, 0, 0, 1])})
    release = protect(data, "additive-noise:variance_share=1", ["x0"], seed=2)
    weights = likelihoods(release)
    assert np.array_equal(weights > 0, data.columns["town"][:, None] == data.columns["town"][None])
    assert posterior_table(release) == pytest.approx(permanent_shares(weights), abs=1e-6)


def test_the_law_of_noise_is_normal_with_a_share_of_the_variance():
    """On a large file, where the variance is known within a percent or two however it is estimated."""
    data = numbers(4000, 1, 1)
    release = protect(data, "additive-noise:variance_share=0.5", seed=1)
    law = informed_law(Intruder().view(release), np.random.default_rng(1))
    before, after = data.columns["x0"], release.masked.columns["x0"]
    records, rows = np.zeros(4000, np.int64), np.arange(4000)
    found = sum(law.of_pairs(records, law.rows.of[rows]).values())
    expected = -0.5 * (after - before[0]) ** 2 / (0.5 * before.var())
    assert found - found[0] == pytest.approx(expected - expected[0], rel=0.1)


def test_the_posteriors_of_a_record_and_of_a_row_sum_to_one():
    table = posterior_table(protect(numbers(60, 3, 5), "additive-noise", seed=1))
    assert table.sum(axis=1) == pytest.approx(np.ones(60), abs=1e-3)
    assert table.sum(axis=0) == pytest.approx(np.ones(60), abs=1e-3)


@pytest.fixture(scope="module", params=["additive-noise:variance_share=0.5", "pram:stay=0.7"])
def many(request):
    """Claims on many files: the mean confidence and share correct of each, and all claims."""
    make = numbers if "noise" in request.param else categories
    releases = [protect(make(100, 3, 50 + seed), request.param, seed=seed) for seed in range(12)]
    return [InformedIntruder().claims(each, Intruder()) for each in releases]


@pytest.mark.slow
def test_expected_found_is_found_on_average(many):
    """In expectation the two are equal; the largest of estimated posteriors is too high, within its bracket."""
    gaps = np.array([(each.confidence - each.correct).mean() for each in many])
    bracket = np.mean([each.inference.posterior.bracket[1] - each.inference.posterior.bracket[0] for each in many])
    error = NORMAL * gaps.std(ddof=1) / np.sqrt(len(gaps))
    assert -error <= gaps.mean() <= error + bracket


def test_claims_are_right_as_often_as_is_stated(many):
    """Every bin of stated probabilities holds as many correct claims as a binomial draw would."""
    confidence = np.concatenate([each.confidence for each in many])
    correct = np.concatenate([each.correct for each in many])
    for low in np.arange(0, 1, 0.1):
        mine = (confidence > low) & (confidence <= low + 0.1 + 1e-9)
        if mine.sum() >= 30:
            least, most = wilson(float(correct[mine].sum()), int(mine.sum()), 0.9999)
            assert least <= confidence[mine].mean() <= most + 0.005


def test_sure_claims_are_right(many):
    confidence = np.concatenate([each.confidence for each in many])
    correct = np.concatenate([each.correct for each in many])
    sure = confidence >= 0.95
    if sure.sum():
        assert wilson(float(correct[sure].sum()), int(sure.sum()), 0.9999)[1] >= confidence[sure].mean() - 0.005
