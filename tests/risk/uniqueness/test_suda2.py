import numpy as np
import pytest
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
    """The chances are spread by the scores so that the mean of 1/chance − 1, weighed so, is that of DIS."""
    score = build("risk", "suda2", sampling_fraction=0.2).measure(FRANCDAT)
    special = score.by_record[score.by_record > 0]
    assert (1 / special - 1).mean() == pytest.approx(1 / score.details["dis"] - 1)
