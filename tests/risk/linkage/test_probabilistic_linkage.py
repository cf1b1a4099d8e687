from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from tests.methods.files import correlated, numeric

from sdckit import Intruder, Release, build, protect
from sdckit.errors import NotApplicableError, ParameterError
from sdckit.hierarchy import Hierarchy
from sdckit.kernels.fellegi_sunter import fit, one_to_one_matches, pattern_counts
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.risk.linkage.agreement import Bins, Criterion, Exact, Hierarchical, RankTolerance, Tolerance

LINKAGE = build("risk", "probabilistic-linkage")
ZIPS = ("48201", "48202", "48301", "88202")


def agrees(criterion, original, released, name="a"):
    """Which released rows (across) agree with which original ones (down)."""
    windows = criterion.windows(name, original, released, original)
    return ((windows.lower[:, None] <= windows.last) & (windows.first <= windows.upper[:, None])).tolist()


def column(*values):
    return numeric(np.array(values, dtype=float)[:, None])


def zips(*values):
    categories = tuple(dict.fromkeys((*ZIPS, *values)))
    attribute = Attribute("a", Kind.PARTIALLY_ORDERED, Role.KEY, categories, Hierarchy.by_prefix(ZIPS, steps=(2,)))
    return Microdata((attribute,), {"a": np.array([categories.index(value) for value in values])})


def test_bins_by_hand():
    """Quartile edges of 0 to 8 are 2, 4 and 6, and an edge belongs above."""
    assert agrees(Bins(4), column(*range(9)), column(1.9, 2, 100))[1:3] == [[True, False, False], [False, True, False]]
    assert agrees(Bins(4), column(*range(9)), column(1.9, 2, 100))[8] == [False, False, True]


def test_equal_quantiles_are_one_edge():
    assert agrees(Bins(10), column(0, 0, 0, 0, 0, 0, 0, 0, 0, 9), column(0, 9))[0] == [True, False]


def test_tolerance_by_hand():
    """0 and 2 deviate by √2."""
    assert agrees(Tolerance(1), column(0, 2), column(1.4, 1.5)) == [[True, False], [True, True]]


def test_rank_tolerance_asks_each_file_for_its_own_ranks():
    assert agrees(RankTolerance(0.1), column(1, 2, 3), column(10, 20, 30)) == np.eye(3, dtype=bool).tolist()
    assert agrees(RankTolerance(0.4), column(1, 2, 3), column(10, 20, 30))[0] == [True, True, False]


def test_exact_by_hand():
    assert agrees(Exact(), column(1, 2), column(2, np.nan)) == [[False, False], [True, False]]


def test_a_district_agrees_with_its_post_codes():
    assert agrees(Hierarchical(0), zips("48201", "48301"), zips("482**", "48301", "48202", "*")) == [
        [True, False, False, True],
        [False, True, False, True],
    ]
    assert agrees(Hierarchical(1), zips("48201", "88202"), zips("48202", "88202")) == [[True, False], [False, True]]


@pytest.mark.parametrize("criterion", [Bins(20), Tolerance(0.25), RankTolerance(0.1), Exact(), Hierarchical(2)])
def test_a_criterion_is_read_as_it_is_written(criterion):
    assert Criterion.from_text(str(criterion)) == criterion


@pytest.mark.parametrize("text", ["bins(1)", "bins(2.5)", "tolerance(-1)", "rank-tolerance(2)", "deciles", "exact(3)"])
def test_a_criterion_that_is_none_is_refused(text):
    with pytest.raises(ParameterError):
        build("risk", "probabilistic-linkage", agreement=text)


def test_a_criterion_of_another_kind_is_refused():
    with pytest.raises(ParameterError, match="hierarchical"):
        build("risk", "probabilistic-linkage", agreement="hierarchical(0)")
    with pytest.raises(ParameterError, match="bins"):
        build("risk", "probabilistic-linkage", categories="bins(10)")


@pytest.mark.parametrize(
    ("agreement", "share"), [("bins(10)", 7.1), ("bins(20)", 4.9), ("tolerance(0.1)", 6.3), ("tolerance(0.25)", 14.6)]
)
def test_microaggregated_census_gives_the_golden_figures(census, agreement, share):
    """MDAV in threes, all thirteen attributes known, best match (ALGORITHMS 8.2)."""
    release = protect(numeric(census), "mdav:group_size=3", seed=1)
    assert 100 * build("risk", "probabilistic-linkage", agreement=agreement).measure(release).value == pytest.approx(
        share, abs=0.06
    )


@pytest.mark.slow
def test_one_to_one_the_golden_figure_is_one_of_many_that_ties_allow(census):
    """The printed 10.7 % is a matter of which of very many best assignments a program finds.

    Weights add up over attributes, so that assignments with the same number of agreements by attribute have the same
    total. Among those of the greatest total the share of correct links goes from nothing to a quarter, and the printed
    one was found by the order of a file and the rounding of one machine: no definition singles it out.
    """
    release = protect(numeric(census), "mdav:group_size=3", seed=1)
    agreement = LINKAGE.agreements(Intruder().view(release))
    model = fit(pattern_counts(agreement), 1 / len(census))
    agree = (agreement.lower[:, None] <= agreement.last) & (agreement.codes <= agreement.upper[:, None])
    weights = np.round(model.pattern_weights() * 2**20)[agree @ (1 << np.arange(census.shape[1]))]
    records, shares = np.arange(len(census)), []
    best = weights[linear_sum_assignment(weights, maximize=True)].sum()
    for preference in (-1, 1):  # among the best assignments, the one with fewest and the one with most correct links
        table = weights * (len(census) + 1) + preference * np.eye(len(census))
        link = linear_sum_assignment(table, maximize=True)[1]
        assert weights[records, link].sum() == best
        shares.append(100 * np.mean(link == records))
    fair = 100 * build("risk", "probabilistic-linkage", one_to_one=True).measure(release, seed=1).value
    assert shares[0] <= 10.7 <= shares[1]
    assert shares[0] <= fair <= shares[1]


def test_the_total_weight_of_an_assignment_is_exact():
    """Sums of weights do not depend on their order, so that a tie is a tie on every machine."""
    release = protect(numeric(correlated(200, 5, seed=4)), "mdav", seed=1)
    agreement = LINKAGE.agreements(Intruder().view(release))
    weights = fit(pattern_counts(agreement), 1 / 200).pattern_weights()
    rng = np.random.default_rng(1)
    drawn = rng.choice(weights, 1000)
    assert len({float(np.cumsum(rng.permutation(drawn))[-1]) for _ in range(50)}) == 1


@pytest.mark.parametrize(("window", "low", "high"), [(0.02, 50, 75), (0.1, 2, 12)])
def test_rank_swapped_census_is_of_the_golden_size(census, window, low, high):
    """One swap of the table gave 58.9 and 6.1 % with all attributes known; another swap gives others."""
    release = protect(numeric(census), f"rank-swapping:window={window}", seed=1)
    assert low < 100 * LINKAGE.measure(release).value < high


def test_a_tolerance_above_the_window_finds_nearly_everybody(census):
    release = protect(numeric(census[:, :7]), "rank-swapping:window=0.02", seed=1)
    assert build("risk", "probabilistic-linkage", agreement="rank-tolerance(0.03)").measure(release).value > 0.95


def test_the_details_tell_what_was_learnt():
    data = numeric(correlated(300, 3, seed=1))
    release = protect(data, "additive-noise:variance_share=0.01", seed=1)
    details = LINKAGE.measure(release).details
    for name in "abc":
        assert details["m"][name] > details["u"][name]
        assert details["weight_of_agreement"][name] > 0 > details["weight_of_disagreement"][name]
    assert details["u"]["a"] == pytest.approx(0.1, abs=0.05)  # one in ten lies in the same decile by chance


def test_distinct_records_that_agree_exactly_are_all_found():
    data = numeric(correlated(50, 2, seed=1))
    exact = build("risk", "probabilistic-linkage", agreement="exact")
    assert exact.measure(Release.in_order(data, data)).value == 1


def test_one_to_one_is_the_best_of_all_assignments():
    rng = np.random.default_rng(3)
    original, masked = rng.integers(0, 3, (6, 3)).astype(float), rng.integers(0, 3, (6, 3)).astype(float)
    release = Release.in_order(numeric(original), numeric(masked))
    linkage = build("risk", "probabilistic-linkage", agreement="exact", one_to_one=True)
    agreement = linkage.agreements(Intruder().view(release))
    model = fit(pattern_counts(agreement), 1 / 6)
    weights = model.pattern_weights()[(original[:, None] == masked) @ (1 << np.arange(3))]
    best = max(sum(weights[i, j] for i, j in enumerate(order)) for order in permutations(range(6)))
    link = one_to_one_matches(agreement, model)
    assert weights[np.arange(6), link].sum() == pytest.approx(best)


def test_equal_records_draw_lots_one_to_one():
    data = numeric(np.array([[1.0], [1.0], [5.0], [9.0]]))
    score = build("risk", "probabilistic-linkage", agreement="exact", one_to_one=True).measure(
        Release.in_order(data, data)
    )
    assert score.by_record.tolist() == [0.5, 0.5, 1, 1]


def test_too_many_records_are_not_linked_one_to_one():
    data = numeric(np.arange(6000.0)[:, None])
    with pytest.raises(NotApplicableError, match="global-linkage"):
        build("risk", "probabilistic-linkage", one_to_one=True).measure(Release.in_order(data, data))


def test_too_many_attributes_do_not_apply():
    data = numeric(np.random.default_rng(1).normal(size=(5, 25)))
    with pytest.raises(NotApplicableError, match="25 attributes"):
        LINKAGE.measure(Release.in_order(data, data))
