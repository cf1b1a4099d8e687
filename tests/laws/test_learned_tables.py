"""Tables of what became of values in replays, and a record's own replays where they tell more than its value."""

import numpy as np
import pytest

from sdckit.laws.learned_tables import (
    ACROSS,
    ALONG,
    CELLS,
    FINE,
    FINE_ACROSS,
    FINE_ALONG,
    HOLES,
    _raked_lifts,
    _smoothed,
    category_law,
    lifts,
    number_law,
    rank_cells,
)

RNG = np.random.default_rng(1)


def test_what_no_replay_showed_is_unlikely_for_every_line():
    found = lifts(np.array([[3.0, 0.0, 1.0], [1.0, 0.0, 3.0]]))
    assert found[:, 1] == pytest.approx(np.log(HOLES))
    assert found[0, 0] > 0 > found[0, 2]


def test_replays_that_merely_repeat_each_other_teach_no_more_than_one():
    before = RNG.standard_normal(600)
    after = np.round(before, 1)
    once, often = (number_law("x", [before] * times, [(after, after)] * times).entries for times in (1, 6))
    assert often == pytest.approx(once)


@pytest.mark.parametrize(("cells", "along", "across"), [(CELLS, ALONG, ACROSS), (FINE, FINE_ALONG, FINE_ACROSS)])
def test_of_many_pairs_a_table_is_smoothed_least(cells, along, across):
    counts, middle = np.zeros((cells, cells)), cells // 2
    counts[middle, middle] = 1.0
    smooth = _smoothed(counts, 10**9)
    place = np.arange(cells) - middle
    for profile, width in ((smooth[middle], across[0]), (np.diag(smooth), along[0])):
        assert (profile * place**2).sum() / profile.sum() == pytest.approx(width**2, rel=0.05)


def replays_about(places: np.ndarray, times: int) -> list[np.ndarray]:
    return [places + 0.01 * RNG.standard_normal(len(places)) for _ in range(times)]


def test_where_a_number_goes_to_a_place_of_its_own_the_line_of_a_record_is_that_place():
    before, places = np.arange(60.0), RNG.permutation(60).astype(float)
    law = number_law("x", [before] * 10, [(each, each) for each in replays_about(places, 10)], by_record=True)
    assert law.lines.tolist() == rank_cells(places, places, 60).tolist()


def test_where_a_number_goes_as_its_value_says_the_line_of_a_record_is_its_rank():
    before = RNG.standard_normal(60)
    law = number_law("x", [before] * 10, [(each, each) for each in replays_about(before, 10)], by_record=True)
    assert law.lines.tolist() == rank_cells(before, before, 60).tolist()


def test_where_a_category_goes_to_a_place_of_its_own_every_record_has_a_line():
    before, places = RNG.integers(3, size=60), RNG.integers(3, size=60)
    law = category_law("town", [before] * 10, [places] * 10, before, places, by_record=True)
    assert law.lines.tolist() == list(range(60))
    assert law.entries[:, :3].argmax(axis=1).tolist() == places.tolist()
    by_value = category_law("town", [before] * 10, [before] * 10, before, before, by_record=True)
    assert by_value.lines is None


def test_a_table_of_few_records_gives_the_share_of_each_category_in_the_release():
    """Also of holes, and of a group of categories that no replay showed, as replays showed another group."""
    covers = np.vstack([np.eye(3, dtype=bool), [[True, True, False], [False, True, True]]])
    before, known = np.repeat([0, 1, 2], 20), np.repeat([0, 1, 2], [10, 12, 8])
    after = [np.where(np.arange(60) % 5 == 0, end, before) for end in (2, 3, -1)]
    released = np.repeat([0, 1, 2, 3, 4, -1], [10, 12, 8, 6, 5, 4])
    law = category_law("town", [before] * 3, after, known, released, covers=covers)
    assert law.entries.shape == (3, 6)
    assert np.bincount(known) / 30 @ np.exp(law.entries) == pytest.approx(1.0, abs=0.01)
    assert law.entries[:, :3].argmax(axis=0).tolist() == [0, 1, 2]
    assert law.entries[0, 3] > law.entries[2, 3]
    assert law.entries[0, 4] < law.entries[2, 4]


def test_a_category_that_no_replay_shows_excludes_no_row():
    counts = np.array([[5.0, 0.0], [0.0, 0.0]])  # nobody has the second category while the law is learnt
    types = np.array([[0, 3], [2, 3]])
    entries = _raked_lifts(counts, types, np.array([5, 1]), np.array([6, 0]))
    assert np.isfinite(entries).all()
    assert entries[1] == pytest.approx([0.0, 0.0], abs=1e-9)
