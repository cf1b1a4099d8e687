"""The parts of a ball, each beside its definition on a few records and rows."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from sdckit.laws import ball as balls
from sdckit.laws.ball import Rivals, ball_around
from sdckit.laws.blocks import Table
from sdckit.laws.release_law import Candidates, ReleaseLaw, RowClasses
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares, factors

NOBODY = Rivals(4, *[np.empty(0, np.int64)] * 3, *[np.empty(0)] * 2)


def law_of(likelihood: np.ndarray, sizes: list[int] | None = None) -> ReleaseLaw:
    """A law that gives the likelihood of each class (column) for each record (line)."""
    records, classes = likelihood.shape
    own = np.array(sizes or [1] * classes)
    rows = RowClasses(np.repeat(np.arange(classes), own), own, np.cumsum(own) - own)
    with np.errstate(divide="ignore"):
        entries = np.log(likelihood)
    return ReleaseLaw(records, rows, (Table(("x",), entries, np.arange(records), np.arange(classes)),), {})


def lists_of(*lists: dict[int, float], left_out: float = 0.0) -> Candidates:
    """Lists of classes with their likelihoods, record by record."""
    starts = np.concatenate([[0], np.cumsum([len(each) for each in lists])]).astype(np.int64)
    classes = np.array([group for each in lists for group in each], dtype=np.int64)
    likelihood = np.log(np.array([value for each in lists for value in each.values()]))
    share = np.full(len(lists), left_out)
    return Candidates(starts, classes, likelihood, share, share)


def test_classes_below_the_background_are_dropped():
    lists = lists_of({3: 1.0, 1: 2e-8, 0: 0.9e-8}, {}, {2: 1e-9, 0: 1e-18})
    found = balls._likely(lists)
    assert (found.starts.tolist(), found.classes.tolist()) == ([0, 2, 2, 3], [3, 1, 2])
    assert np.exp(found.log_likelihood) == pytest.approx([1.0, 2e-8, 1e-9])


def test_the_rivals_of_a_row_share_it_by_their_likelihood():
    law = law_of(np.array([[1.0, 0.0, 2.0], [3.0, 0.0, 2.0], [4.0, 5.0, 0.0]]))
    found = balls._rivals(law, law.index_of_records(), np.array([0, 1, 2]))
    assert found.row_of.tolist() == [0, 0, 0, 1, 2, 2]
    shares = {
        (row, record): share for row, record, share in zip(found.row_of, found.records, found.shares, strict=True)
    }
    assert shares == {
        (0, 0): pytest.approx(1 / 8),
        (0, 1): pytest.approx(3 / 8),
        (0, 2): pytest.approx(4 / 8),
        (1, 2): pytest.approx(1.0),
        (2, 0): pytest.approx(0.5),
        (2, 1): pytest.approx(0.5),
    }
    assert np.exp(found.log_total) == pytest.approx([8, 5, 4])


def test_a_row_has_as_many_rivals_as_are_looked_for(monkeypatch):
    """Of three records, the likeliest; what the others have is known to be left out."""
    law = law_of(np.array([[1.0, 1.0], [2.0, 1.0], [5.0, 1.0]]), [1, 2])
    monkeypatch.setattr(balls, "RIVALS", 1)
    one = balls._rivals(law, law.index_of_records(), np.array([0]))
    assert one.records.tolist() == [2, 1]  # one, and as many as the class has rows
    assert one.shares == pytest.approx([5 / 8, 2 / 8])
    assert np.exp(one.log_total) == pytest.approx([8.0])
    assert (
        len(balls._rivals(law, law.index_of_records(), np.array([0, 1])).records) == 6
    )  # the larger class has two rows
    monkeypatch.setattr(balls, "PAIRS", 4)
    assert len(balls._rivals(law, law.index_of_records(), np.array([0, 1])).records) == 4
    monkeypatch.setattr(balls, "ROWS", 1)
    assert balls._rivals(law, law.index_of_records(), np.array([0, 1])).rows.tolist() == [0]
    assert len(balls._rivals(law, law.index_of_records(), np.empty(0, np.int64)).records) == 0


def test_rivals_of_more_rows_are_added():
    law = law_of(np.array([[1.0, 2.0], [3.0, 2.0]]))
    first, second = (balls._rivals(law, law.index_of_records(), np.array([row])) for row in (0, 1))
    both = first.joined(second)
    assert both.rows.tolist() == [0, 1] and both.row_of.tolist() == [0, 0, 1, 1]
    assert all(
        np.array_equal(one, other)
        for one, other in zip(balls._no_rivals(2).joined(first).fields(), first.fields(), strict=True)
    )


def graph_of(weights: np.ndarray, capacity: list[int], strangers: int = 0, **values) -> CandidateGraph:
    starts = np.arange(len(weights) + 1) * weights.shape[1]
    classes = np.tile(np.arange(weights.shape[1]), len(weights))
    return CandidateGraph.of(
        starts, classes, np.log(weights).ravel(), np.array(capacity), strangers=strangers, **values
    )


WEIGHTS = np.array([[1.0, 0.5, 0.25], [0.2, 1.0, 0.4]])


def test_the_share_of_classes_that_some_records_take():
    graph = graph_of(WEIGHTS, [1, 2, 1], strangers=2, background=0.1)
    shares = balanced_shares(graph).reshape(2, 3)
    found = balls._taken(graph, np.array([False, True]), np.array([True, True, False]))
    assert found == pytest.approx([shares[1, 0], shares[1, 1] / 2])
    every = balls._taken(graph, np.array([True, True]), np.array([True] * 3))
    assert every == pytest.approx(np.minimum(shares.sum(axis=0) / [1, 2, 1], 1.0))


def test_the_share_of_a_class_is_that_of_its_rivals_or_what_records_want_of_it():
    """A record wants a class by its likelihood and its rows."""
    graph = graph_of(WEIGHTS, [1, 2, 1], strangers=2)
    by_record = WEIGHTS * [1, 2, 1] / (WEIGHTS * [1, 2, 1]).sum(axis=1, keepdims=True)
    wanted = np.minimum(by_record.sum(axis=0) / [1, 2, 1], 1.0)
    assert balls._inside(graph, np.array([np.nan, 0.3, np.nan])) == pytest.approx([wanted[0], 0.3, wanted[2]])
    assert balls._inside(graph, np.full(3, np.nan)) == pytest.approx(wanted)
    both = graph_of(np.array([[1.0, 0.1], [1.0, 0.1]]), [1, 2], strangers=1)
    assert balls._inside(both, np.full(2, np.nan)) == pytest.approx([1.0, 2 * (0.2 / 1.2) / 2])


def test_the_density_of_a_row_is_the_mean_likelihood_of_all_records():
    """By its rivals where they were looked for; never less than what is listed."""
    rivals = Rivals(10, np.array([7, 4]), *[np.empty(0, np.int64)] * 2, np.empty(0), np.log(np.array([6.0, 0.1])))
    lists = lists_of({2: 1.0, 4: 3.0}, {4: 2.0, 7: 1.0})
    rows, classes = np.unique(lists.classes, return_inverse=True)
    found = balls._log_density(lists, classes, rivals, rows, 10)
    assert rows.tolist() == [2, 4, 7]
    assert np.exp(found) == pytest.approx([1.0 / 10, 5.0 / 10, 6.0 / 10])


@pytest.mark.parametrize(("unknown", "absent"), [(0, 0.0), (2, 0.0), (0, 0.25), (2, 0.25)])
def test_the_density_for_somebody_outside_is_what_they_want_over_the_factor_of_a_class(unknown, absent):
    graph = graph_of(WEIGHTS, [1, 2, 1], strangers=3, background=0.1)
    outside, capacity = np.array([0.5, 0.2, 0.9]), np.array([1.0, 2.0, 1.0])
    absences = absent * (2 + unknown)
    taken = capacity * unknown / 5
    for _ in range(4 if unknown else 1):
        expected = np.maximum(capacity - outside * (capacity - taken), 0.03 * capacity)
        of_class, of_absence = factors(graph, expected, unknown, absences)
        taken = np.minimum(unknown * of_class / (of_class.sum() + (of_absence if absences else 0.0)), capacity)
    wanted = np.maximum(taken + outside * (capacity - taken), 0.03 * capacity)
    density = wanted / of_class
    if absences:
        density *= of_absence * (1 - absent) / absent / wanted.sum()
    else:
        density /= density.mean()
    assert balls._density(graph, outside, unknown, absent) == pytest.approx(density)


def test_rows_that_nobody_outside_wants_keep_a_little():
    graph = graph_of(WEIGHTS, [1, 2, 1], strangers=2, background=0.1)
    found = balls._density(graph, np.array([0.0, 1.0, 1.0]), 0, 0.0)
    of_class, _ = factors(graph, np.array([1.0, 0.06, 0.03]), 0, 0.0)
    wanted = np.array([0.03, 2.0, 1.0]) / of_class
    assert found == pytest.approx(wanted / wanted.mean())


def test_a_ball_of_everybody_is_the_whole_graph():
    """Where everybody has a row, likelihoods are relative to the largest of each record."""
    law = law_of(np.array([[4.0, 2.0], [3.0, 6.0]]))
    lists = lists_of({0: 4.0, 1: 2.0}, {1: 6.0, 0: 3.0})
    graph, outside = balls._closed(law, np.arange(2), lists, NOBODY, 0, np.array([np.nan, np.nan]))
    assert graph.weights == pytest.approx([1.0, 0.5, 1.0, 0.5]) and outside.tolist() == [0, 0]
    assert (graph.strangers, graph.absences) == (0, 0) and graph.background == pytest.approx([1e-8, 1e-8])


def test_others_who_want_the_rows_of_a_ball_are_strangers():
    """Four people for four rows; of the two in the ball, the three rows that they list have room for one more."""
    law = law_of(np.ones((4, 4)))
    lists = lists_of({0: 4.0, 1: 2.0}, {1: 6.0, 3: 3.0})
    share = np.array([0.5, 0.9, np.nan])
    graph, outside = balls._closed(law, np.array([0, 2]), lists, NOBODY, 0, share)
    assert graph.classes.tolist() == [0, 1, 1, 2] and (graph.strangers, graph.absences) == (1, 0)
    wanted = 1 / 3  # by the second record, of the last class
    assert outside == pytest.approx([0.5, 0.1, 1 - wanted])
    plain = replace(graph, density=np.ones(3))
    expected = balls._density(plain, np.minimum(outside, 0.97), 0, 0.0)
    assert graph.density == pytest.approx(expected)


def test_where_people_may_be_absent_likelihoods_are_relative_to_those_of_anybody():
    """Six people, of whom two are not known, for three rows: half are absent, so that two rows have two people more."""
    law = law_of(np.ones((4, 3)))
    lists = lists_of({0: 4.0, 1: 2.0}, {1: 6.0})
    graph, outside = balls._closed(law, np.array([0, 2]), lists, NOBODY, 2, np.array([0.5, 1.0]))
    assert graph.weights == pytest.approx([4.0, 1.0, 3.0])  # 4 and 8 of four people: one and two on average
    assert (graph.strangers, graph.absences) == (2, 2) and outside == pytest.approx([0.5, 0.0])
    plain = replace(graph, density=np.ones(2))
    assert graph.density == pytest.approx(balls._density(plain, np.array([0.5, 0.0]), 1, 0.5))


def test_a_ball_grows_by_those_who_compete_and_stops_at_its_size():
    """Records 0, 1 and 2 compete along a chain of rows; record 3 has a row of its own."""
    likelihood = np.array([[5.0, 5, 0, 0, 0], [0, 5, 5, 0, 0], [0, 0, 5, 5, 0], [0, 0, 0, 0, 1], [0, 0, 0, 5, 0]])
    law = law_of(likelihood)
    whole = ball_around(law, np.array([0]))
    assert whole.records.tolist() == [0, 1, 2, 4] and whole.classes.tolist() == [0, 1, 2, 3]
    assert (whole.graph.strangers, whole.outside.tolist()) == (0, [0] * 4)
    cut = ball_around(law, np.array([0]), largest=2)
    assert cut.records.tolist() == [0, 1] and cut.classes.tolist() == [0, 1, 2]
    assert cut.graph.strangers == 1 and cut.outside[2] > 0.3 > cut.outside[0]
    assert ball_around(law, np.array([3, 3])).records.tolist() == [3]
    assert ball_around(law, np.array([0, 4]), largest=0).records.tolist() == [0, 4]


@pytest.mark.parametrize(("thorough", "exact", "least"), [(True, True, 0.0), (True, False, 1e-8), (False, True, 1e-8)])
def test_lists_have_two_hundred_classes_and_leave_out_what_is_below_the_background(thorough, exact, least, monkeypatch):
    """A bound of what is left out of the list of a target counts what is less likely, too."""
    asked = []

    def candidates(law, listed, records, **options):
        asked.append((listed, records, options))
        return lists_of({0: 1.0})

    monkeypatch.setattr(balls, "candidates_of", candidates)
    balls._candidates(SimpleNamespace(exact=exact), "records", thorough=thorough)
    assert asked == [(200, "records", {"thorough": thorough, "least": least})]


@pytest.mark.parametrize(
    ("rows", "largest", "records", "most", "effort"),
    [
        (3, 1, 10**6, 101, 2_000),
        (3, 40, 10**6, 140, 2_000),
        (3, 2_500, 10**6, 2_600, 2_600),
        (3, 1, 50, 50, 2_000),
        (0, 1, 10**6, 101, 2_000),
        (99_000, 40, 10**6, 101, 2_000),  # ten million pairs
        (100_001, 40, 10**6, 100, 2_000),
    ],
)
def test_rivals_are_looked_for_as_far_as_can_be_afforded(rows, largest, records, most, effort, monkeypatch):
    asked = []

    def likeliest(numbers, most, **options):
        asked.append((len(numbers), most, options))
        empty = np.empty(0, np.int64)
        return Candidates(np.zeros(len(numbers) + 1, np.int64), empty, np.empty(0), *np.zeros((2, len(numbers))))

    sizes = np.ones(max(rows, 1), np.int64)
    sizes[0] = largest
    law = SimpleNamespace(records=records, rows=SimpleNamespace(sizes=sizes))
    monkeypatch.setattr(balls, "compressed", lambda found: found)
    found = balls._rivals(law, SimpleNamespace(likeliest=likeliest), np.arange(rows))
    assert asked == [(min(rows, 100_000), most, {"patience": 0, "effort": effort, "least": 1e-8})]
    assert len(found.rows) == min(rows, 100_000)


def test_those_compete_who_take_more_than_a_thousandth_of_a_target():
    rivals = Rivals(
        6,
        np.array([0, 1]),
        np.array([0, 0, 0, 1, 1]),
        np.array([1, 2, 3, 4, 2]),
        np.array([0.4, 0.0006, 0.0009, 0.0022, 0.0012]),
        np.zeros(2),
    )
    others, strength = rivals.outside(np.array([5]), np.array([1.0, 0.5]), 9)
    assert others.tolist() == [1, 2, 4] and strength == pytest.approx([0.4, 0.0012, 0.0011])
    assert rivals.outside(np.array([1]), np.array([1.0, 0.5]), 9)[0].tolist() == [2, 4]
    assert rivals.outside(np.array([5]), np.array([1.0, 0.5]), 2)[0].tolist() == [1, 2]


def test_the_last_competitor_beside_the_rivals_has_what_they_leave():
    rivals = Rivals(3, np.array([4]), np.array([4, 4]), np.array([0, 1]), np.array([0.5, 0.3]), np.zeros(1))
    assert rivals.share_of(np.array([0, 2]), np.array([2, 4])) == pytest.approx([np.nan, 0.7], nan_ok=True)
    assert rivals.share_of(np.array([0, 1]), np.array([4])) == pytest.approx([0.8])
    everybody = replace(rivals, known=2)
    assert everybody.share_of(np.array([1]), np.array([4])) == pytest.approx([0.3])


@pytest.mark.parametrize("shift", [0.0, 900.0, -900.0])
def test_a_record_shares_its_importance_by_likelihood_and_rows_whatever_its_largest_likelihood(shift):
    law = law_of(np.ones((2, 3)), [1, 2, 1])
    lists = lists_of({0: 3.0, 1: 1.0}, {1: 1.0})
    lists = lists._replace(log_likelihood=lists.log_likelihood + np.array([shift, shift, 0.0]))
    assert balls._wanted(law, lists, np.array([1.0, 0.5])) == pytest.approx([3 / 5, 2 / 5 + 0.5, 0.0])


def test_likelihoods_are_relative_to_the_largest_where_some_record_has_no_list():
    law = law_of(np.ones((3, 3)))
    lists = lists_of({0: 4.0, 1: 2.0}, {}, {2: 1e-5, 0: 1e-4})
    graph, _ = balls._closed(law, np.arange(3), lists, NOBODY, 0, np.full(3, np.nan))
    assert graph.weights == pytest.approx([1.0, 0.5, 0.1, 1.0])


def test_a_ball_of_all_known_records_leaves_no_share_outside():
    """Strangers want its rows, too, but nobody who is known does."""
    law = law_of(np.ones((2, 4)))
    lists = lists_of({0: 4.0, 1: 2.0}, {2: 6.0, 3: 1.0})
    graph, outside = balls._closed(law, np.arange(2), lists, NOBODY, 2, np.full(4, 0.2))
    assert graph.strangers == 2 and outside.tolist() == [0.0] * 4


def test_what_is_left_to_each_side_of_a_boundary():
    """All of a class is wanted outside by its rivals: the density counts three hundredths for the inside."""
    law = law_of(np.ones((4, 4)))
    lists = lists_of({0: 4.0, 1: 2.0}, {1: 6.0, 3: 3.0})
    graph, outside = balls._closed(law, np.array([0, 2]), lists, NOBODY, 0, np.array([-0.5, 0.4, 1.5]))
    assert outside.tolist() == [1.0, 0.6, 0.0]
    plain = replace(graph, density=np.ones(3))
    assert graph.density == pytest.approx(balls._density(plain, np.array([0.97, 0.6, 0.0]), 0, 0.0))
