import numpy as np
import polars as pl
import pytest
from tests.risk.synthesis.stand_ins import population

from sdckit import Microdata, Release, build
from sdckit.errors import NotApplicableError
from sdckit.kernels.predicates import Predicates, matches, probability_of_one
from sdckit.rows import Unrelated


def numbers(*values: float) -> Microdata:
    return Microdata.from_frame(pl.DataFrame({"a": list(values)}))


def test_matches_by_hand():
    values = np.array([[1.0, 0], [2.0, 1], [3.0, 1], [np.nan, 1]])
    predicates = Predicates(
        np.array([[0, 1], [0, 1], [0, 1]]),
        np.array([[2.0, 1], [np.nan, 1], [5.0, 1]]),
        np.array([[np.inf, 1], [np.nan, 1], [np.inf, 1]]),
    )
    counts, first = matches(predicates, values)
    assert counts.tolist() == [2, 1, 0]
    assert first.tolist() == [1, 3, -1]


def test_the_same_description_is_kept_once():
    one = Predicates(np.array([[0], [1]]), np.array([[np.nan], [-0.0]]), np.array([[np.nan], [np.inf]]))
    other = Predicates(np.array([[0], [1]]), np.array([[np.nan], [0.0]]), np.array([[np.nan], [np.inf]]))
    assert len(one.with_more(other)) == 2


def test_extremes_and_single_values_by_hand():
    """Released 1, 2, 2, 5: ≤ 1, ≥ 5, = 1 and = 5 fit one row; of the original 0, 1, 2, 5 two fit ≤ 1."""
    release = Release(numbers(0, 1, 2, 5), numbers(1, 2, 2, 5), rows=Unrelated())
    score = build("risk", "singling-out", conditions=1).measure(release)
    assert score.details["descriptions"] == 4
    assert score.value == 3 / 4
    assert score.by_record.tolist() == [0, 1, 0, 1]


def test_two_equal_people_are_not_singled_out():
    release = Release(numbers(1, 5, 5), numbers(1, 5, 6), rows=Unrelated())
    score = build("risk", "singling-out", conditions=1).measure(release)
    assert score.by_record.tolist() == [1, 0, 0]


def test_a_release_without_a_single_row_describes_nobody():
    with pytest.raises(NotApplicableError, match="alone"):
        build("risk", "singling-out", conditions=1).measure(Release(numbers(1, 2), numbers(3, 3), rows=Unrelated()))


@pytest.mark.parametrize("records", [100, 400, 1600])
def test_a_control_of_another_length_is_compared_at_the_shorter_one(records):
    """Of people who were not copied as many are singled out as of the control, whatever the length of the control."""
    figures = []
    for seed in range(12):
        original, released, control = (
            population(400, 3 * seed),
            population(400, 3 * seed + 1),
            population(records, 10_000 + seed),
        )
        release = Release(original, released, rows=Unrelated(), control=control)
        details = build("risk", "singling-out", attacks=300).measure(release, seed=seed).details
        figures.append(details["compared"] - details["control"])
    assert abs(np.mean(figures)) < 3 * np.std(figures) / np.sqrt(len(figures)) + 0.01


def test_the_probability_of_one_agrees_with_drawing():
    rng = np.random.default_rng(1)
    fits = np.arange(12) < 4
    drawn = np.array([fits[rng.choice(12, 5, replace=False)].sum() == 1 for _ in range(20_000)])
    assert probability_of_one(np.array([4]), 12, 5)[0] == pytest.approx(drawn.mean(), abs=0.015)
