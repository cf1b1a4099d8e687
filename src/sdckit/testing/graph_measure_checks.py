"""What every graph risk and loss must do: give a figure that can be read, whatever the order of the nodes."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import numpy as np

from sdckit.catalogue import Entry
from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.measure import Finds, Need, Score
from sdckit.release import Release
from sdckit.rows import Matched, Unknown
from sdckit.testing.component_checks import settings
from sdckit.testing.files import ordinary
from sdckit.testing.graph_files import SEED, odd_graphs, odd_releases, ordinary_graph, ordinary_release, relabelled
from sdckit.testing.graph_files import untouched as untouched_graph
from sdckit.testing.measurements import ROUNDING, described, measured, scores_on
from sdckit.testing.releases import untouched

MONTE_CARLO = 0.05  # by which a figure that is drawn or searched for may differ between two orders of the nodes
INTRUDERS = {
    "three nodes known": Intruder(records=(5, 0, 17)),
    "half of the nodes known": Intruder(records=0.5),
    "some links unknown": Intruder(missing=0.2),
    "the method unknown": Intruder(knows_method=False),
}


@lru_cache(maxsize=4)
def scores(entry: Entry) -> tuple[tuple[str, Release, Score], ...]:
    """All releases that the measure applies to, with every value to check of its parameters, and several intruders."""
    return scores_on(entry, ordinary_release(), INTRUDERS, odd_releases())


def declared(entry: Entry) -> type[GraphMeasure]:
    """The class of the measure."""
    assert issubclass(entry.component, GraphMeasure), "it is declared to measure graphs and is no GraphMeasure"
    return entry.component


def every_release() -> Iterator[tuple[str, Release]]:
    """The ordinary release and the odd ones."""
    yield "an ordinary release", ordinary_release()
    yield from odd_releases()


def it_applies_to_an_ordinary_release(entry: Entry) -> None:
    assert measured(entry, "an ordinary release", ordinary_release()) is not None, "it declines one"


def it_declines_a_file_without_edges(entry: Entry) -> None:
    assert measured(entry, "microdata", untouched(ordinary())) is None, "it measures a file that has no edges"


def the_value_is_a_number_and_not_negative(entry: Entry) -> None:
    for label, _, score in scores(entry):
        assert np.isfinite(score.value) and score.value >= 0, f"it is {score.value} on {label}"


def the_same_seed_gives_the_same_score(entry: Entry) -> None:
    for label, release in every_release():
        one, other = (measured(entry, label, replace(release), Intruder(records=0.5)) for _ in range(2))
        assert described(one) == described(other), f"not so on {label}"


def figures_by_record_are_in_the_order_of_the_original(entry: Entry) -> None:
    for label, release, score in scores(entry):
        if score.by_record is not None:
            nodes = len(release.original)
            assert score.by_record.shape == (nodes,), f"{score.by_record.shape} for {nodes} nodes on {label}"


def the_interval_contains_the_value(entry: Entry) -> None:
    for label, _, score in scores(entry):
        low, high = score.interval or (score.value, score.value)
        assert low - ROUNDING <= score.value <= high + ROUNDING, f"{score.value} is not in {score.interval} on {label}"


def relabelling_the_nodes_changes_nothing(entry: Entry) -> None:
    for label, release in every_release():
        if not isinstance(release.rows, Matched) or len(release.masked) != len(release.original):
            continue
        one, other = measured(entry, label, release), measured(entry, label, relabelled(release))
        assert (one is None) == (other is None), f"it applies in one order only on {label}"
        if one is not None and other is not None:
            assert agree(one, other, drawn=declared(entry).drawn), f"{one.value} becomes {other.value} on {label}"


def agree(one: Score, other: Score, *, drawn: bool) -> bool:
    """Whether two figures are equal; where they are drawn, whether their intervals overlap within the error."""
    if not drawn:
        return abs(one.value - other.value) <= ROUNDING
    (low, high), (lower, upper) = (each.interval or (each.value, each.value) for each in (one, other))
    return low - MONTE_CARLO <= upper and lower - MONTE_CARLO <= high


def the_score_can_be_written_as_json(entry: Entry) -> None:
    for label, _, score in scores(entry):
        try:
            json.dumps(score.to_dict(by_record=True), allow_nan=False)
        except (TypeError, ValueError) as crash:
            raise AssertionError(f"not on {label}: {crash}") from crash


def it_needs_what_it_declares(entry: Entry) -> None:
    plain = ordinary_release()
    unknown = replace(plain, rows=Unknown("nobody says"))
    without_rows = measured(entry, "rows unknown", unknown)
    needs_rows = Need.ROWS in declared(entry).needs
    assert (without_rows is None) == needs_rows, "declare needs={Need.ROWS} where and only where rows are needed"
    without_recipe = measured(entry, "no recipe", replace(plain, recipe=None))
    needs_recipe = Need.RECIPE in declared(entry).needs
    assert (without_recipe is None) == needs_recipe, "declare needs={Need.RECIPE} where and only where it is needed"


def a_risk_is_a_share(entry: Entry) -> None:
    for label, _, score in scores(entry):
        figures = [score.value, *(score.interval or ()), *([] if score.baseline is None else [score.baseline])]
        assert all(0 <= figure <= 1 for figure in figures), f"it leaves 0 to 1 on {label}"
        if score.by_record is not None:
            judged = score.by_record[np.isfinite(score.by_record)]
            assert ((judged >= 0) & (judged <= 1)).all(), f"a node's figure leaves 0 to 1 on {label}"


def in_a_ring_nobody_is_found_but_by_a_guess(entry: Entry) -> None:
    if declared(entry).finds is not Finds.RECORDS or declared(entry).knows_nodes:
        return
    for label in ("a ring", "a complete graph", "no edges"):
        release = replace(untouched_graph(odd_graphs()[label]), recipe=ordinary_release().recipe)
        score = measured(entry, label, release)
        nodes = len(release.masked)
        assert score is None or score.value <= 1 / nodes + ROUNDING, f"{score.value} of {nodes} nodes on {label}"


def more_is_found_in_a_lightly_masked_graph_than_in_a_random_one(entry: Entry) -> None:
    if declared(entry).finds is not Finds.RECORDS:
        return
    light, recipe = untouched_graph(ordinary_graph()), ordinary_release().recipe
    rng = np.random.default_rng(SEED)
    assert isinstance(light.masked, Graph)
    order = rng.permutation(len(light.masked))
    low, high = light.masked.edges
    scrambled = replace(light, masked=light.masked.with_edges(order[low], order[high]), recipe=recipe)
    found = measured(entry, "an unmasked graph", replace(light, recipe=recipe))
    left = measured(entry, "a scrambled graph", scrambled)
    assert found is not None and left is not None, "it declines an unmasked graph, or a scrambled one"
    assert found.value > left.value, f"{found.value} unmasked, {left.value} where all links are scrambled"


def nothing_is_lost_by_the_untouched_graph(entry: Entry) -> None:
    for label, graph in {"an ordinary graph": ordinary_graph(), **odd_graphs()}.items():
        for values in settings(entry):
            score = measured(entry, f"{label}, untouched", untouched_graph(graph), **values)
            assert score is None or score.value <= ROUNDING, f"{score.value} on {label}, {values}"


def a_loss_does_not_ask_who_attacks(entry: Entry) -> None:
    plain = measured(entry, "an ordinary release", ordinary_release())
    for label, intruder in INTRUDERS.items():
        score = measured(entry, label, ordinary_release(), intruder)
        assert described(score) == described(plain), f"it changes with {label}"


def some_change_is_a_loss(entry: Entry) -> None:
    assert max(score.value for _, _, score in scores(entry)) > 0, "no release costs anything"


CHECKS = (
    it_applies_to_an_ordinary_release,
    it_declines_a_file_without_edges,
    the_value_is_a_number_and_not_negative,
    the_same_seed_gives_the_same_score,
    figures_by_record_are_in_the_order_of_the_original,
    the_interval_contains_the_value,
    relabelling_the_nodes_changes_nothing,
    the_score_can_be_written_as_json,
    it_needs_what_it_declares,
)
RISK_CHECKS = (
    a_risk_is_a_share,
    in_a_ring_nobody_is_found_but_by_a_guess,
    more_is_found_in_a_lightly_masked_graph_than_in_a_random_one,
)
LOSS_CHECKS = (nothing_is_lost_by_the_untouched_graph, a_loss_does_not_ask_who_attacks, some_change_is_a_loss)
