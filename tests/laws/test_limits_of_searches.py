"""How far laws search: what is asked for at each limit, where nothing is computed."""

from types import SimpleNamespace

import numpy as np
import pytest

from sdckit.laws import evidence_weights, fitted, inference, learned, release_law, replays, row_density, unknown_values
from sdckit.laws.blocks import Table
from sdckit.laws.evidence_weights import Trial
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from tests.laws.views import numbers


class Records:
    """So many records, of which nothing is known."""

    def __init__(self, count: int) -> None:
        self.count = count

    def __len__(self) -> int:
        return self.count


def rows_of(classes: int) -> RowClasses:
    return RowClasses(np.arange(classes), np.ones(classes, np.int64), np.arange(classes))


def constant(name: str, records: int, classes: int) -> Table:
    """A block that says the same of all pairs."""
    return Table((name,), np.zeros((1, 1)), np.zeros(records, np.int64), np.zeros(classes, np.int64))


# Candidates -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("thorough", "effort"), [(True, (10_000, 200_000)), (False, (0, 2_000))])
def test_more_than_five_thousand_classes_are_searched_by_an_index(thorough, effort, monkeypatch):
    asked = []
    index = SimpleNamespace(
        tree="a tree", likeliest=lambda *arguments, **options: asked.append((arguments[1:], options)) or "found"
    )
    monkeypatch.setattr(release_law, "compressed", lambda found: found)
    law = ReleaseLaw(2, rows_of(5_001), (), {})
    law.__dict__["index"] = index
    assert law.candidates(40, thorough=thorough, least=0.25) == "found" and law.tree == "a tree"
    assert asked == [((40, *effort), {"least": 0.25})]
    monkeypatch.setattr(release_law, "_alike", lambda *_: None)
    few = ReleaseLaw(2, rows_of(5_000), (constant("x", 2, 5_000),), {})
    few.__dict__["index"] = None
    monkeypatch.setattr(release_law, "likeliest_rows", lambda *arguments: arguments[-1])
    assert few.candidates(40) == 40 and few.candidates(9_999) == 5_000 and few.tree is None


def test_a_margin_is_estimated_from_three_hundred_records(monkeypatch):
    asked = []

    def of_pairs(self, records, classes):
        asked.append(int(records[0]))
        return np.zeros(len(classes))

    monkeypatch.setattr(Table, "of_pairs", of_pairs)
    ReleaseLaw(900, rows_of(2), (constant("x", 900, 2),), {}).log_margin()
    assert len(set(asked)) == 300 and (min(asked), max(asked)) == (0, 899)


def test_pairs_of_blocks_are_chosen_by_five_hundred_classes_and_three_hundred_records(monkeypatch):
    asked = []

    def likelihoods(parts, records, classes):
        asked.append((len(records), len(classes)))
        return [np.ones((len(records), len(classes)))]

    monkeypatch.setattr(row_density, "_likelihoods", likelihoods)
    monkeypatch.setattr(row_density, "likeliest_pairs", lambda *_: [])
    law = ReleaseLaw(700, rows_of(800), (constant("x", 700, 800),), {})
    assert row_density.log_row_density(law) == pytest.approx(np.zeros(800), abs=1e-9)
    assert asked[0] == (300, 500) and sum(classes for _, classes in asked[1:]) == 800


def test_a_margin_of_unknown_values_is_found_by_two_thousand_of_them():
    assert unknown_values._spread(2_000).tolist() == list(range(2_000))
    some = unknown_values._spread(5_000)
    assert len(set(some.tolist())) == 2_000 and (some[0], some[-1]) == (0, 4_999)


# The graph of all records, or a ball ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("known", "targets", "ball"), [(5_000, 3, False), (5_001, 3, True), (5_001, None, False), (5_001, 5_001, False)]
)
def test_a_ball_is_made_around_some_targets_of_more_than_five_thousand_records(known, targets, ball, monkeypatch):
    asked = []
    monkeypatch.setattr(inference, "ball_around", lambda law, some, **options: asked.append(options) or "a ball")
    monkeypatch.setattr(inference, "whole_graph", lambda law, *limits: asked.append(limits) or ("a graph", None))
    law = SimpleNamespace(records=known, rows=rows_of(2))
    some = None if targets is None else np.arange(targets)
    found = inference.candidate_graph(law, strangers=7, targets=some)
    if ball:
        assert found == "a ball" and asked == [{"strangers": 7, "largest": 20_000}]
    else:
        assert found.graph == "a graph" and asked == [(known, 7, 300_000 // known)]
        assert found.records.tolist() == list(range(known)) and found.outside.tolist() == [0.0, 0.0]


@pytest.mark.parametrize(("listed", "asked_for"), [(40, 200), (600, 600)])
def test_the_lists_of_a_whole_graph_have_two_hundred_classes_at_least(listed, asked_for, monkeypatch):
    asked = []

    class Stop(Exception):
        pass

    def candidates(law, most, **options):
        asked.append((most, options))
        raise Stop

    monkeypatch.setattr(inference, "candidates_of", candidates)
    with pytest.raises(Stop):
        inference.whole_graph(SimpleNamespace(rows=rows_of(2)), 2, 0, listed)
    assert asked == [(asked_for, {"thorough": True})]


def test_laws_are_compared_by_sixty_candidates():
    asked = []

    class Stop(Exception):
        pass

    def candidates(most):
        asked.append(most)
        raise Stop

    with pytest.raises(Stop):
        fitted.log_likelihood(SimpleNamespace(candidates=candidates))
    assert asked == [60]


# Replays --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("records", "count"),
    [(0, 30), (1, 30), (666, 30), (667, 30), (690, 29), (5_000, 4), (6_667, 3), (20_000, 3), (10**6, 3)],
)
def test_files_are_masked_again_until_there_are_twenty_thousand_pairs(records, count, monkeypatch):
    """Three times at least, and thirty times at most."""
    monkeypatch.setattr(replays, "replay", lambda file, *_: file)
    assert len(replays.replays(lambda: Records(records), None, None, None)) == count


def test_replays_end_with_the_first_that_does_not_run(monkeypatch):
    files = [Records(1), Records(1)]
    done = iter([*files, None])
    monkeypatch.setattr(replays, "replay", lambda file, *_: next(done))
    assert replays.replays(lambda: Records(1), None, None, None) == files


@pytest.mark.parametrize(("before", "after", "grouped"), [(10, 4, True), (10, 5, False), (10, 1, False), (10, 2, True)])
def test_a_number_is_grouped_where_fewer_than_half_of_its_values_are_left(before, after, grouped):
    again = SimpleNamespace(
        before=numbers({"x": [*np.arange(before), None]}), masked=numbers({"x": [*(np.arange(before) % after), None]})
    )
    assert learned._grouped([again], "x") is grouped


# Evidence -------------------------------------------------------------------------------------------------------------


def test_a_hundred_and_fifty_records_of_a_trial_are_judged_beside_a_thousand_rows():
    rng = np.random.default_rng(1)
    trial = Trial([constant("x", 1_200, 1_200)], np.arange(1_200))
    judged = evidence_weights._judged(trial, rng)
    assert judged.lifts.shape == (1, 150, 1_001)
    others = evidence_weights._others(trial, np.arange(3), 1_000, rng)
    assert others.tolist() == [list(range(1_000))] * 3
    some = evidence_weights._others(trial, np.arange(2), 1_200, rng)
    assert some.shape == (2, 1_000) and len(set(some[0].tolist())) == 1_000 and (np.diff(some[0]) > 0).all()


def test_a_record_is_compared_with_the_rows_that_have_its_unchanged_values():
    """Of three and two rows; where there are fewer than others have, its own row fills the line."""
    unchanged = np.array([0, 1, 0, 1, 0]), np.array([0, 1, 0, 1, 0])
    trial = Trial([constant("x", 5, 5)], np.arange(5), unchanged)
    found = evidence_weights._others(trial, np.array([1, 4]), 5, np.random.default_rng(1))
    assert found.tolist() == [[1, 3, 1], [0, 2, 4]]
