"""Presence, and how laws with other parameters are compared, each beside its definition on a few records."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.laws import fitted, presence
from sdckit.laws.blocks import Deviations, Equality, Table
from sdckit.laws.fitted import _alternatives, _constants, _recipe, _tried, fitted_law, log_likelihood
from sdckit.laws.presence import (
    _mixed,
    as_many_present,
    estimated_strangers,
    log_density,
    strangers_beside,
    with_fewer_present,
)
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from sdckit.laws.row_density import log_row_density
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.sinkhorn import balanced_shares
from sdckit.methods import AdditiveNoise, Mdav
from sdckit.recipe import Recipe
from tests.laws.views import numbers, view_of

ROWS = RowClasses(np.array([0, 1, 1]), np.array([1, 2]), np.array([0, 1]))


def graph_of(strangers: int = 3, weights: tuple[float, ...] = (3.0, 0.5, 1.0, 2.0)) -> CandidateGraph:
    starts, classes = np.array([0, 2, 4]), np.array([0, 1, 0, 1])
    return CandidateGraph.of(starts, classes, np.log(np.array(weights)), np.array([1, 2]), strangers=strangers)


def test_as_many_known_records_have_a_row_as_of_all_people():
    """Two of five people are known, for three rows: 1.2 of them are expected to have one."""
    for weights in ((3.0, 0.5, 1.0, 2.0), (0.01, 0.02, 0.01, 0.01), (90.0, 30.0, 10.0, 80.0)):
        found = as_many_present(graph_of(weights=weights))
        assert balanced_shares(found).sum() == pytest.approx(1.2, abs=2e-3)
        factor = found.weights / graph_of(weights=weights).weights
        assert factor == pytest.approx(np.full(4, factor[0]))


def test_a_graph_without_strangers_or_absences_stays():
    full = graph_of(strangers=1)
    assert as_many_present(full) is full and with_fewer_present(full, np.full(4, 0.5)) is None
    alone = CandidateGraph.of(np.array([0, 1, 2, 3, 4]), np.array([0, 0, 0, 0]), np.zeros(4), np.array([3]))
    assert as_many_present(alone) is alone and with_fewer_present(alone, np.full(4, 1.0)) is None
    empty = CandidateGraph.of(np.array([0, 0]), np.empty(0, np.int64), np.empty(0), np.array([1]), strangers=3)
    assert as_many_present(empty) is empty


def test_rows_fit_less_well_where_more_known_records_than_expected_have_one():
    """Expected are 1.2 of 2 and present 1.6: odds of 1.5 instead of 4."""
    graph = graph_of()
    found = with_fewer_present(graph, np.array([0.5, 0.3, 0.5, 0.3]))
    assert found.weights == pytest.approx(graph.weights * 1.5 / 4)
    assert with_fewer_present(graph, np.array([0.6, 0.0, 0.6, 0.0])) is None
    assert with_fewer_present(graph, np.array([0.6, 0.0, 0.602, 0.0])) is None  # within two in a thousand
    assert with_fewer_present(graph, np.array([0.6, 0.0, 0.604, 0.0])) is not None
    certain = with_fewer_present(graph, np.array([1.0, 0.0, 1.0, 0.0]))
    assert certain.weights == pytest.approx(graph.weights * 1.5 * 0.001 / 0.999)


@pytest.mark.parametrize(("present", "strangers"), [(1.0, 0), (0.5, 1), (0.3, 5), (0.29, 5)])
def test_strangers_by_the_share_present(present, strangers):
    law = ReleaseLaw(5, ROWS, (), {})
    assert strangers_beside(law, present) == strangers
    assert strangers_beside(replace(law, records=2), 1.0) == 1


def test_a_mixture_of_densities_is_the_likeliest():
    one, other, sizes = np.array([0.7, 0.1, 0.2]), np.array([0.1, 0.6, 0.3]), np.array([3, 1, 2])
    share = 0.5
    for _ in range(30):
        share = (sizes * share * one / (share * one + (1 - share) * other)).sum() / 6
    assert _mixed(one, other, sizes) == pytest.approx(share * one + (1 - share) * other)
    assert _mixed(np.ones(2), np.zeros(2), np.ones(2, int)) == pytest.approx([0.999, 0.999])
    assert _mixed(np.zeros(2), np.zeros(2), np.ones(2, int)).tolist() == [1e-300] * 2


LIKELIHOOD = np.array([[4.0, 1.0], [2.0, 3.0], [1.0, 1.0]])


def law_of(*, lift: bool = False, records: int = 3) -> ReleaseLaw:
    table = Table(("x",), np.log(LIKELIHOOD[:records]), np.arange(records), np.arange(2))
    other = Table(("y",), np.log(LIKELIHOOD[::-1][:records]), np.arange(records), np.arange(2), lift=True)
    return ReleaseLaw(records, ROWS, (table, other) if lift else (table,), {})


def test_the_density_of_a_row_is_that_of_others_than_the_record_which_fits_best():
    law = law_of()
    found = log_density(law, law.candidates(2))
    others = (LIKELIHOOD.sum(axis=0) - LIKELIHOOD.max(axis=0)) / 2
    assert np.exp(found) == pytest.approx(_mixed(others, LIKELIHOOD.mean(axis=0), ROWS.sizes), rel=1e-6)
    some = np.array([0, 1])
    found = log_density(law, law.candidates(2, some), some)
    others = LIKELIHOOD[:2].min(axis=0)
    assert np.exp(found) == pytest.approx(_mixed(others, LIKELIHOOD.mean(axis=0), ROWS.sizes), rel=1e-6)


def test_blocks_of_lifts_count_only_where_the_share_of_known_records_is_given():
    """They compare with anybody already."""
    plain, law = law_of(), law_of(lift=True)
    assert log_density(law, law.candidates(2)) == pytest.approx(log_density(plain, plain.candidates(2)))
    some = np.array([2, 0])
    expected = log_density(plain, plain.candidates(2, some), some)
    assert log_density(law, law.candidates(2, some), some) == pytest.approx(expected)
    found = log_density(law, law.candidates(2), own=0.5)
    both = LIKELIHOOD * LIKELIHOOD[::-1]
    others = (both.sum(axis=0) - both.max(axis=0)) / 2
    margin = np.exp(log_row_density(law, 0.5))
    assert np.exp(found) == pytest.approx(_mixed(others, margin, ROWS.sizes), rel=1e-6)


def test_where_everything_is_compared_with_anybody_already_no_row_is_denser():
    law = law_of(lift=True)
    lifts = replace(law, blocks=law.blocks[1:])
    assert log_density(lifts, lifts.candidates(2), own=0.5).tolist() == [0, 0]


def test_the_number_present_is_that_which_is_expected_if_so_many_are():
    """A twin of the repeated expectation, for files in which nothing says that anybody is present, and others."""
    for law in (law_of(), law_of(lift=True), law_of(records=2)):
        found = law.candidates(200)
        people, rows = law.records, 3
        guess = present = people * rows / (people + rows)
        for _ in range(2):
            own = min(present / rows, 1.0)
            logs = found.log_likelihood - log_density(law, found, np.arange(people), own=own)[found.classes]
            for _ in range(40):
                others = max(round(people * rows / max(present, 0.5)), rows, people) - people
                graph = CandidateGraph.of(
                    found.starts, found.classes, logs, ROWS.sizes, background=1e-8, strangers=others
                )
                before = present
                present = 0.99 * float(balanced_shares(graph).sum()) + 0.01 * guess
                if abs(present - before) < 0.002 * people:
                    break
        share = max(present, 0.5) / people
        assert estimated_strangers(law) == max(round(rows / share), rows, people) - people


def test_presence_is_estimated_by_evenly_spaced_records(monkeypatch):
    monkeypatch.setattr(presence, "SAMPLE", 2)
    asked = []
    monkeypatch.setattr(
        presence,
        "candidates_of",
        lambda law, most, chosen: asked.append(chosen.tolist()) or law.candidates(most, chosen),
    )
    estimated_strangers(law_of())
    assert asked == [[0, 2]]


# Parameters that are fitted -------------------------------------------------------------------------------------------


def free_energy(law: ReleaseLaw) -> float:
    """The Bethe free energy at the balanced shares, edge by edge; what no candidate takes goes to rows not listed."""
    found = law.candidates(60)
    rows = int(law.rows.sizes.sum())
    strangers = max(rows - law.records, 0)
    graph = CandidateGraph.of(
        found.starts, found.classes, found.log_likelihood, law.rows.sizes, background=1e-8, strangers=strangers
    )
    shares = balanced_shares(graph)
    total = 0.0
    for record in range(law.records):
        own = range(found.starts[record], found.starts[record + 1])
        for edge in own:
            capacity = law.rows.sizes[found.classes[edge]]
            share = shares[edge] / capacity
            total += capacity * share * (found.log_likelihood[edge] - np.log(share))
            total += capacity * (1 - share) * np.log(1 - share) if share < 1 else 0.0
        rest = min(max(1 - sum(shares[edge] for edge in own), 0.0), 1.0)
        top = max((found.log_likelihood[edge] for edge in own), default=0.0)
        if rest:
            total += rest * (top + np.log(1e-8) - np.log(rest / rows))
    return total / law.records


@pytest.mark.parametrize("records", [2, 3])
def test_the_likelihood_of_a_release_is_its_free_energy(records):
    assert log_likelihood(law_of(records=records)) == pytest.approx(free_energy(law_of(records=records)))
    with np.errstate(divide="ignore"):
        entries = np.log(np.array([[1.0, 0.0], [0.0, 0.0], [0.5, 2.0]])[:records])
    law = ReleaseLaw(records, ROWS, (Table(("x",), entries, np.arange(records), np.arange(2)),), {})
    assert log_likelihood(law) == pytest.approx(free_energy(law))


def test_what_likelihoods_of_pairs_leave_out_by_hand():
    """A density counts by the share of the records that have a value; equal values by how rare they are."""
    deviations = Deviations(("x",), np.array([[1.0], [np.nan], [2.0]]), np.zeros((2, 1)), constant=-1.5)
    equal = Equality(("t",), np.array([0, 1, -1]), np.array([1, 0]), np.full(2, -np.inf))
    coarse = Equality(("t",), np.array([0, 0, -1]), np.array([0, 0]), np.full(2, -np.inf))
    lift = Equality(("u",), np.array([0, 1, -1]), np.array([1, 0]), np.full(2, -np.inf), lift=True)
    law = ReleaseLaw(3, ROWS, (deviations, coarse, equal, lift), {})
    rarity = -(np.log(2 / 3) + np.log(1 / 3)) / 3
    assert _constants(law) == pytest.approx(-1.5 * 2 / 3 + rarity)
    nowhere = Equality(("t",), np.array([5, 1, 1]), np.array([1, -1]), np.full(2, -np.inf))
    assert _constants(ReleaseLaw(3, ROWS, (nowhere,), {})) == pytest.approx(-2 * np.log(1 / 3) / 3)


def test_one_parameter_after_the_other_is_tried():
    guess = AdditiveNoise(variance_share=0.1)
    tried = [each.variance_share for each in _alternatives(guess, AdditiveNoise(variance_share=0.2), at_most=False)]
    assert tried[0] == 0.1 and len(tried) == len(set(tried)) and max(tried) > 0.2
    bounded = [each.variance_share for each in _alternatives(guess, AdditiveNoise(variance_share=0.2), at_most=True)]
    assert bounded == [each for each in tried if each <= 0.2]


def test_the_parameters_under_which_the_release_is_likeliest_are_taken(monkeypatch):
    """Steps are fitted one after the other; one that samples keeps its own parameters."""
    data = numbers({"x": [1.0, 2.0, 3.0, 4.0]})
    recipe = Recipe.of(["additive-noise:variance_share=0.7", "simple-sampling:share=0.5", "mdav:group_size=7"], ["x"])
    view = view_of(data, data, recipe)
    calls = []

    def likelihood(seen, maskings, rng):
        noise, _, mdav = maskings
        calls.append((noise.variance_share, mdav.group_size))
        if mdav.group_size == 4:
            return None
        return -abs(noise.variance_share - 0.25) - abs(mdav.group_size - 5), law_of()

    monkeypatch.setattr(fitted, "_tried", likelihood)
    law, found = fitted_law(view, np.random.default_rng(1))
    assert [step.masking.name for step in found.steps] == ["additive-noise", "simple-sampling", "mdav"]
    assert found.steps[0].masking.variance_share == 0.25 and found.steps[2].masking.group_size == 5
    assert found.steps[1].masking == recipe.steps[1].masking and not law.exact
    assert calls[0] == (AdditiveNoise().variance_share, Mdav().group_size)
    monkeypatch.setattr(fitted, "_tried", lambda *arguments: None)
    monkeypatch.setattr(fitted, "informed_law", lambda seen, rng: law_of())
    _, guessed = fitted_law(view, np.random.default_rng(1))
    assert guessed.steps[0].masking == AdditiveNoise()


def test_a_law_that_cannot_be_computed_is_no_alternative():
    data = numbers({"x": [1.0, 2.0, 3.0, 4.0]})
    view = view_of(data, data, Recipe.of("mdav:group_size=2", ["x"]))
    found = _tried(view, [Mdav(group_size=2)], np.random.default_rng(1))
    assert found is not None and found[0] == pytest.approx(log_likelihood(found[1]))
    assert _recipe(view, [Mdav(group_size=3)]).steps[0].attributes == ("x",)
