from collections import Counter
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.risk.uniqueness.francdat import FRANCDAT, file_of, untouched

from sdckit import build


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("suda2", [0.13689132, 0.10096284, 0.06457764, 0.13689132]),
        ("ihsn-suda2", [0.14281974, 0.10971630, 0.05923498, 0.14281974]),
    ],
)
def test_francdat_to_the_printed_digits(name, printed):
    score = build("risk", name, sampling_fraction=0.1).measure(FRANCDAT)
    assert score.by_record[3:7] == pytest.approx(printed, abs=5e-9)
    assert score.by_record[[0, 1, 2, 7]].tolist() == [0, 0, 0, 0]
    assert score.details["dis"] == pytest.approx(0.1)


def test_the_keys_that_tell_people_apart_contribute():
    by_key = build("risk", "suda2").measure(FRANCDAT).by_attribute
    # Scores 8, 6, 4 and 8; key1 is in sets worth 6 + 0 + 2 + 6, key2 in 2 + 0 + 2 + 2, key4 in 2 + 6 + 4 + 2.
    assert by_key == pytest.approx({"key1": 14 / 26, "key2": 6 / 26, "key3": 0, "key4": 14 / 26})


def test_who_is_special_by_fewer_keys_is_more_at_risk():
    rng = np.random.default_rng(2)
    rows = [tuple(row) for row in rng.integers(0, 3, (200, 4))]
    rows[0] = ("rare", *rows[1][1:])
    by_record = build("risk", "suda2").measure(untouched(file_of([tuple(map(str, row)) for row in rows]))).by_record
    assert by_record.argmax() == 0


def test_the_mean_of_the_inverse_odds_is_that_of_the_file():
    """Probabilities follow the scores so that the mean of 1 / probability − 1 is that of DIS."""
    score = build("risk", "suda2", sampling_fraction=0.2).measure(FRANCDAT)
    special = score.by_record[score.by_record > 0]
    assert (1 / special - 1).mean() == pytest.approx(1 / score.details["dis"] - 1)


def agree(one, other, reading):
    """Whether two values agree; by own-value a missing one agrees with no value."""
    if one is None or other is None:
        return reading == "any-value"
    return one == other


def minimal_uniques(rows, record, reading):
    """All minimal sets of keys that a record has and on which it is unique, by enumeration."""
    found = []
    for size in range(1, len(rows[0]) + 1):
        for keys in combinations(range(len(rows[0])), size):
            if any(rows[record][key] is None for key in keys) or any(set(each) <= set(keys) for each in found):
                continue
            others = (row for number, row in enumerate(rows) if number != record)
            if not any(all(agree(rows[record][key], other[key], reading) for key in keys) for other in others):
                found.append(keys)
    return found


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.sampled_from(["a", "b", "c", None])] * 3), min_size=2, max_size=10))
def test_minimal_uniques_with_holes_are_those_of_an_enumeration_by_both_readings(rows):
    release = untouched(file_of(rows))
    for reading in ("any-value", "own-value"):
        by_size = Counter(
            str(len(keys)) for record in range(len(rows)) for keys in minimal_uniques(rows, record, reading)
        )
        score = build("risk", "suda2", holes=reading).measure(release)
        assert score.details["minimal_uniques_by_size"] == dict(by_size)


def test_a_hole_in_another_record_cancels_a_minimal_unique_by_the_wildcard_rule_only():
    release = untouched(file_of([("a", "x"), ("b", "x"), ("b", "y"), (None, None)]))
    score = build("risk", "suda2").measure(release)
    assert score.details["by_holes"]["any-value"] == 0
    assert score.value == score.details["by_holes"]["own-value"] > 0


def test_a_record_that_differs_by_its_hole_only_is_no_sample_unique():
    release = untouched(file_of([("a", "x"), ("a", "x"), ("a", None), ("b", "x")]))
    score = build("risk", "suda2", holes="own-value").measure(release)
    assert (score.details["uniques"], score.details["special_uniques"]) == (1, 1)


def test_ihsn_counts_all_sample_uniques():
    """Of three sample uniques the last is so on both keys at once only: its score is 0, but it counts in U."""
    rows = [("p", "x"), ("q", "x"), ("a", "x"), ("a", "y"), ("a", "y"), ("b", "x"), ("b", "x")]
    score = build("risk", "ihsn-suda2", sampling_fraction=0.1).measure(untouched(file_of(rows)))
    uniques, pairs, share = 3, 4, 0.1
    dis = uniques * share / (uniques * share + pairs * (1 - share))
    scores = np.array([0.5, 0.5])  # (2^(2−1) − 1) / C(2, 1) for key1 = p and key1 = q
    power = scores ** (1 + 6 / 20)
    expected = 1 / (1 + (uniques / dis - uniques) / (power * (1 / power).sum()))
    assert score.details["uniques"] == uniques
    assert score.by_record == pytest.approx([*expected, 0, 0, 0, 0, 0])
