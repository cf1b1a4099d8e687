import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from tests.methods.files import correlated, numeric

from sdckit import Intruder, Release, build, protect
from sdckit.errors import NotApplicableError
from sdckit.knowledge import FirstSubsets

LINKAGE = build("risk", "distance-linkage")
pairs_of_files = st.tuples(st.integers(2, 12), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(*[arrays(np.float64, shape, elements=st.integers(-3, 3))] * 2)
)


def by_all_pairs(original, masked):
    """Each record's chance to be picked among the nearest, from the full table of distances."""

    def standardised(values):
        spread = values.std(axis=0, ddof=1)
        return (values - values.mean(axis=0)) / np.where(spread > 1e-12, spread, np.inf)

    known, released = standardised(original), standardised(masked)
    distance = ((known[:, None, :] - released[None, :, :]) ** 2).sum(axis=2)
    nearest = distance <= distance.min(axis=1, keepdims=True) + 1e-9
    return nearest.diagonal() / nearest.sum(axis=1)


@given(pairs_of_files)
def test_it_is_the_table_of_all_distances(files):
    original, masked = files
    score = LINKAGE.measure(Release.in_order(numeric(original), numeric(masked)))
    assert score.by_record == pytest.approx(by_all_pairs(original, masked))
    assert score.value == pytest.approx(score.by_record.mean())


@pytest.mark.parametrize(("group_size", "split"), [(3, 28.642), (10, 6.556)])
def test_microaggregated_census_gives_the_golden_figures(census, group_size, split):
    """All thirteen attributes known (ALGORITHMS 8.4)."""
    score = LINKAGE.measure(protect(numeric(census), build("masking", "mdav", group_size=group_size), seed=1))
    assert 100 * score.value == pytest.approx(split, abs=0.0006)
    assert score.value <= 1 / group_size


@pytest.mark.parametrize(("group_size", "split"), [(3, 9.9778), (10, 2.3528)])
def test_the_average_over_subsets_of_seven_attributes_is_the_golden_figure(census, group_size, split):
    """The 127 subsets of the first seven attributes, each with the same weight (ALGORITHMS 8.4)."""
    release = protect(numeric(census), build("masking", "mdav", group_size=group_size), seed=1)
    score = LINKAGE.measure(release, Intruder(knowledge=FirstSubsets(7)))
    assert 100 * score.value == pytest.approx(split, abs=0.00006)


def test_nearest_by_hand():
    original = numeric(np.array([[0.0], [1.0], [10.0]]))
    masked = numeric(np.array([[0.0], [10.0], [1.0]]))
    assert LINKAGE.measure(Release.in_order(original, masked)).by_record.tolist() == [1, 0, 0]


def test_ties_share_the_credit():
    score = LINKAGE.measure(Release.in_order(numeric(np.arange(4.0)[:, None]), numeric(np.full((4, 1), 7.0))))
    assert score.by_record.tolist() == [0.25] * 4
    assert (score.details["strict"], score.details["any"]) == (0, 1)
    assert score.value == score.baseline == 0.25


def test_distinct_records_released_as_they_are_are_all_found():
    data = numeric(correlated(50, 2, seed=1))
    score = LINKAGE.measure(Release.in_order(data, data))
    assert score.value == 1
    assert score.interval[1] == 1 > score.interval[0] > 0.9


def test_a_change_of_scale_hides_nobody():
    values = correlated(50, 2, seed=2)
    assert LINKAGE.measure(Release.in_order(numeric(values), numeric(values * [100, 0.5] + [3, -3]))).value == 1


def test_one_record_is_found_by_anybody():
    one = numeric(np.array([[1.0, 2.0]]))
    score = LINKAGE.measure(Release.in_order(one, one))
    assert score.value == score.baseline == 1


def test_records_that_were_left_out_are_not_found():
    data = numeric(correlated(10, 2, seed=3))
    score = LINKAGE.measure(Release(data, data.take(np.arange(5))))
    assert score.by_record[5:].tolist() == [0] * 5


def test_who_knows_more_attributes_finds_more():
    data = numeric(correlated(300, 4, seed=4))
    release = protect(data, build("masking", "additive-noise", variance_share=0.05), seed=5)
    found = [LINKAGE.measure(release, Intruder(attributes=tuple("abcd"[:known]))).value for known in (1, 2, 4)]
    assert found[0] < found[1] < found[2]


def test_only_known_records_are_judged():
    data = numeric(correlated(10, 2, seed=6))
    score = LINKAGE.measure(Release.in_order(data, data), Intruder(records=(7, 2)))
    assert np.flatnonzero(np.isfinite(score.by_record)).tolist() == [2, 7]


def test_without_an_ordered_attribute_it_does_not_apply():
    import polars as pl

    frame = pl.DataFrame({"town": ["Ely", "Rye"]})
    with pytest.raises(NotApplicableError):
        LINKAGE.measure(Release.in_order(frame, frame))


@pytest.mark.parametrize(("group_size", "everything", "subsets"), [(3, 27.963, 9.4838), (10, 5.556, 2.0254)])
def test_the_first_of_the_nearest_gives_the_golden_figures_of_published_code(census, group_size, everything, subsets):
    """Published code takes the first row of those that tie (ALGORITHMS 8.4, argmin)."""
    release = protect(numeric(census), build("masking", "mdav", group_size=group_size), seed=1)

    def found(view):
        return 100 * np.mean(LINKAGE.attempt(view, seed=None).targets() == np.arange(len(census)))

    view = Intruder().view(release)
    assert found(view) == pytest.approx(everything, abs=0.0006)
    scenarios = Intruder(knowledge=FirstSubsets(7)).scenarios(view)
    assert np.mean([found(scenario) for scenario in scenarios]) == pytest.approx(subsets, abs=0.00006)
