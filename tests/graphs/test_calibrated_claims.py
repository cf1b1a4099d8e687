"""Claims restated by how often similar claims were correct, and the maskings that an intruder imitates."""

import numpy as np
import pytest

from sdckit.release import protect
from sdckit.risk.graph.calibrated_claims import Calibration, Evidence, restated
from sdckit.risk.graph.fitted_graph_law import fitted_law
from sdckit.risk.graph.imitated_masking import imitated, imitated_probabilities
from sdckit.risk.graph.known_graph import KnownGraph
from sdckit.risk.graph.neighbour_refinement import preserved
from sdckit.testing.graph_files import a_directed_graph, a_graph, with_some_weights

NODES = np.arange(100)


def evidence(share, preserved=0.5):
    return Evidence(np.asarray(share, dtype=float), np.zeros(len(share)), preserved)


def test_as_many_correct_claims_are_expected_as_there_were():
    rng = np.random.default_rng(1)
    share = rng.random(500)
    correct = (rng.random(500) < share / 2).astype(float)
    learned = Calibration.learned([evidence(share)], [correct], [1.0])
    assert learned.expected(evidence(share)).mean() == pytest.approx(correct.mean(), abs=0.005)
    low, high = learned.expected(evidence([0.1, 0.9]))
    assert low < high < 0.7


def test_a_run_that_failed_lowers_what_is_expected_of_one_that_preserves_as_few_edges():
    share = np.full(100, 0.99)
    runs = [evidence(share, 0.8), evidence(share, 0.3)]
    learned = Calibration.learned(runs, [np.ones(100), np.zeros(100)], [1.0, 1.0])
    assert learned.expected(evidence(share, 0.8)).mean() > 0.95
    assert learned.expected(evidence(share, 0.3)).mean() < 0.05


def test_claims_are_never_certain_though_all_were_correct():
    learned = Calibration.learned([evidence(np.full(50, 0.999))], [np.ones(50)], [1.0])
    assert 0.9 < learned.expected(evidence([0.999]))[0] < 1


def test_restated_posteriors_by_hand():
    sizes = np.ones(4)
    lower = restated(np.array([[0.7, 0.3, 0.0, 0.0]]), sizes, np.array([0.4]))
    assert lower[0] == pytest.approx([0.4, 0.25 + 0.05 / 3, 0.25 * 2 / 3, 0.25 * 2 / 3])
    higher = restated(np.array([[0.4, 0.3, 0.2, 0.1]]), sizes, np.array([0.7]))
    assert higher[0] == pytest.approx([0.7, 0.15, 0.1, 0.05])
    tied = restated(np.array([[0.4, 0.4, 0.2, 0.0]]), sizes, np.array([0.9]))
    assert tied[0] == pytest.approx([0.5, 0.5, 0.0, 0.0])
    guessed = restated(np.array([[1.0, 0.0, 0.0, 0.0]]), sizes, np.array([0.0]))
    assert guessed[0] == pytest.approx([0.25] * 4)


@pytest.mark.parametrize("kept", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("method", ["edge-switching", "edge-randomisation", "k-degree-anonymity"])
def test_an_imitation_has_the_edges_of_the_release_and_keeps_the_share_that_it_should(kept, method):
    graph = a_graph(100, 500, seed=2)
    released = protect(graph, method, seed=1).masked
    made = imitated(graph, released, kept, np.random.default_rng(3))
    assert made.edge_count == released.edge_count
    assert preserved(graph, made, NODES) == pytest.approx(kept, abs=0.15)
    if method == "edge-switching":
        assert made.degrees.tolist() == graph.degrees.tolist()


def test_an_imitation_has_directions_and_weights():
    graph = with_some_weights(a_directed_graph(100, 300))
    released = protect(graph, "edge-switching", seed=1).masked
    made = imitated(graph, released, 0.5, np.random.default_rng(3))
    assert made.degrees_by_direction.tolist() == graph.degrees_by_direction.tolist()
    assert np.sort(made.weight).tolist() == np.sort(graph.weight).tolist()


def test_an_imitation_of_an_uncertain_graph_has_its_probabilities():
    graph = a_graph(100, 300, seed=2)
    released = protect(graph, "uncertain-graph", seed=1).masked
    law = fitted_law(KnownGraph(graph, released, NODES), np.random.default_rng(1))
    made, of_made = imitated_probabilities(graph, released, law, np.random.default_rng(3))
    assert made.edge_count == pytest.approx(released.edge_count, rel=0.1)
    likely = made.of_edges(made.probability) > 0.9
    assert np.isin(made.edge_keys[likely], graph.edge_keys).mean() > 0.9
    assert len(of_made.exists) == len(made.indices)
