"""The candidate graph by hand."""

import numpy as np
import pytest

from sdckit.matching.graph import CandidateGraph

STARTS, CLASSES = np.array([0, 2, 2, 3]), np.array([0, 1, 1])
LOGS = np.log(np.array([2.0, 8.0, 3.0]))


def test_likelihoods_are_relative_to_the_largest_where_everybody_has_a_row():
    graph = CandidateGraph.of(STARTS, CLASSES, LOGS, np.array([1, 2]), background=0.25)
    assert graph.weights == pytest.approx([0.25, 1.0, 1.0])
    assert (graph.records, graph.row_count, graph.absences, graph.strangers) == (3, 3, 0, 0)
    assert graph.background.tolist() == [0.25] * 3 and graph.absence == 1
    assert graph.spread.tolist() == graph.density.tolist() == [1, 1]


@pytest.mark.parametrize(("capacity", "strangers"), [((1, 1), 0), ((1, 2), 1)])
def test_where_somebody_may_be_absent_likelihoods_stay(capacity, strangers):
    graph = CandidateGraph.of(STARTS, CLASSES, LOGS, np.array(capacity), strangers=strangers)
    assert graph.weights == pytest.approx([2.0, 8.0, 3.0]) and graph.absences == 1
    assert graph.background.tolist() == [0.0] * 3


def test_densities_are_relative_to_their_mean():
    graph = CandidateGraph.of(STARTS, CLASSES, LOGS, np.array([1, 2]), density=np.array([1.0, 3.0]))
    assert graph.density.tolist() == graph.spread.tolist() == [0.5, 1.5]


def test_more_rows_than_people_are_refused():
    with pytest.raises(ValueError, match="fewer people than rows"):
        CandidateGraph.of(STARTS, CLASSES, LOGS, np.array([1, 3]))
    assert CandidateGraph.of(STARTS, CLASSES, LOGS, np.array([1, 3]), strangers=1).absences == 0


def test_a_graph_without_edges():
    nothing = np.empty(0, dtype=np.int64)
    assert CandidateGraph.of(np.zeros(3, dtype=np.int64), nothing, np.empty(0), np.array([2])).records == 2


def test_classes_that_are_not_listed_share_what_a_list_leaves_out():
    """Record 0 lists weights of 0.25 and 1 and leaves out a fifth: 0.3125, shared by two of four classes."""
    graph = CandidateGraph.of(STARTS, CLASSES, LOGS, np.array([1, 1, 1, 0]), background=0.01)
    left_out = np.array([0.2, 0.5, 0.75])
    found = graph.with_unlisted(left_out).background
    assert found == pytest.approx([1.25 * 0.25 / 2, 0.01, 3.0 / 3])
    every = CandidateGraph.of(np.array([0, 2]), np.array([0, 1]), np.zeros(2), np.array([1, 0]))
    assert every.with_unlisted(np.array([0.5])).background.tolist() == [0.0]
    most = graph.with_unlisted(np.array([0.0, 0.0, 1.0])).background
    assert most == pytest.approx([0.01, 0.01, 1.0 / 1e-3 / 3])
