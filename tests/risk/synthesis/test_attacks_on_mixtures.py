"""Every attack fails on a synthesis that has nothing to do with the people, succeeds on copies, and moves between."""

from contextlib import suppress
from functools import lru_cache
from itertools import pairwise

import numpy as np
import pytest
from tests.risk.synthesis.stand_ins import SHARES, population, release_of

from sdckit import build, protect
from sdckit.catalogue import entries
from sdckit.errors import NotApplicableError
from sdckit.kernels.predicates import matches
from sdckit.measure import Score
from sdckit.release import Release
from sdckit.risk.synthesis.plain_columns import plain_values
from sdckit.risk.synthesis.singling_out import descriptions_of_rows
from sdckit.row_order import shuffled

COMPARED = ("singling-out", "linkability", "attribute-inference")  # with a control
ALL = (*COMPARED, "membership", "distance-to-closest-record", "copied-values")


@lru_cache
def release(copied: float) -> Release:
    return release_of(copied)


@lru_cache
def score(name: str, copied: float) -> Score:
    return build("risk", name).measure(release(copied), seed=1)


def test_no_attack_on_synthetic_data_is_left_out():
    """The two that attack one method by its own law are tried on mixtures beside their other tests."""
    of_one_method = {"donor-leaves", "reconstruction"}
    attacks = {entry.name for entry in entries("risk") if getattr(entry.component, "for_synthesis", False)}
    assert attacks <= {*ALL, *of_one_method}


@pytest.mark.parametrize("name", ALL)
def test_the_figure_rises_with_the_share_of_copies(name):
    figures = [score(name, copied).value for copied in SHARES]
    assert all(less < more for less, more in pairwise(figures))


@pytest.mark.parametrize("name", ALL)
def test_copies_give_everybody_away(name):
    assert score(name, 1.0).value == 1


@pytest.mark.parametrize("name", COMPARED)
def test_on_an_independent_synthesis_people_are_no_worse_off_than_the_control(name):
    assert score(name, 0.0).details["excess_interval"][0] == 0
    assert score(name, 1.0).details["excess"] == 1


@pytest.mark.parametrize("copied", SHARES[1:-1])
def test_the_excess_of_linkage_is_the_share_of_people_copied(copied):
    low, high = score("linkability", copied).details["excess_interval"]
    assert low < copied < high


def test_nobody_is_called_a_member_of_an_independent_synthesis():
    independent = score("membership", 0.0)
    assert independent.interval[0] == 0
    assert independent.details["auc"] == pytest.approx(0.5, abs=0.03)
    assert independent.details["true_positive_rate_at_1_in_1000"] < 0.01


def test_copies_are_called_at_the_lowest_rate_of_false_alarms():
    assert score("membership", 1.0).details["true_positive_rate_at_1_in_1000"] == 1


def test_an_independent_synthesis_has_the_distances_of_other_people():
    independent = score("distance-to-closest-record", 0.0)
    assert independent.interval[0] < independent.baseline < independent.interval[1]


def test_passing_the_distance_test_comes_with_a_warning():
    assert "proves nothing" in score("distance-to-closest-record", 0.0).details["warning"]


OTHER_LENGTHS = pytest.mark.parametrize("length", [0.4, 2.5])


@lru_cache
def of_length(length: float, copied: float, records: int = 200) -> Release:
    return release_of(copied, records, length=length, control=150)


def share_copied(release: Release) -> float:
    """The share of people with a row of their own in the release, counted one by one."""
    names = [each.name for each in release.original.attributes]
    rows = set(zip(*(release.masked.columns[name].tolist() for name in names), strict=True))
    people = list(zip(*(release.original.columns[name].tolist() for name in names), strict=True))
    return sum(person in rows for person in people) / len(people)


@OTHER_LENGTHS
@pytest.mark.parametrize("name", ["linkability", "attribute-inference"])
def test_in_a_file_of_another_length_everybody_who_is_copied_is_found(name, length):
    """However often: the nearest row to somebody with a copy is the copy."""
    fresh, copies = (build("risk", name).measure(of_length(length, copied), seed=1) for copied in (0.0, 1.0))
    assert copies.value >= share_copied(of_length(length, 1.0))
    people, others, control = 200, 150, fresh.details["control"]
    pooled = (people * fresh.value + others * control) / (people + others)
    assert fresh.value - control < 4 * np.sqrt(pooled * (1 - pooled) * (1 / people + 1 / others))


@OTHER_LENGTHS
def test_rows_of_a_file_of_another_length_are_copies_or_are_not(length):
    fresh, copies = of_length(length, 0.0), of_length(length, 1.0)
    values, distance = build("risk", "copied-values"), build("risk", "distance-to-closest-record")
    assert values.measure(copies).value == distance.measure(copies).value == 1
    assert values.measure(fresh).value == 0
    independent = distance.measure(fresh)
    assert independent.interval[0] < independent.baseline < independent.interval[1]


@OTHER_LENGTHS
def test_members_are_called_in_a_file_of_another_length_as_often_as_they_are_copied(length):
    """Rows drawn with replacement have a member of n with probability 1 − (1 − 1/n)^rows, and never anybody else."""
    members = (200 + 150) // 2  # of a file of the game, which is half of original and control
    expected = 1 - (1 - 1 / members) ** round(length * members)
    score = build("risk", "membership").measure(of_length(length, 1.0), seed=1)
    standard_error = (score.interval[1] - score.interval[0]) / (2 * 1.96)
    assert abs(score.value - expected) < 4 * standard_error
    assert build("risk", "membership").measure(of_length(length, 0.0), seed=1).interval[0] == 0


@OTHER_LENGTHS
def test_descriptions_single_out_those_who_are_copied_and_of_others_no_more_than_guessing_can(length):
    """Of n independent people a description fits exactly one with a probability of at most (1 − 1/n)^(n − 1).

    A description of a copy fails where it fits somebody else who was not copied. A description that fits s people fits
    one row of a file drawn from them with a probability that falls with s, so that the share of descriptions which fit
    one person is at least that at s = 2 for all others.
    """
    records, rows = 1000, round(length * 1000)
    fresh, copies = (
        build("risk", "singling-out").measure(of_length(length, copied, records), seed=1) for copied in (0.0, 1.0)
    )
    at_most = (1 - 1 / records) ** (records - 1)
    assert fresh.value < at_most + 4 * np.sqrt(at_most * (1 - at_most) / fresh.details["descriptions"])
    people = plain_values(of_length(length, 1.0, records).original, [*"abcd", "region", "illness"])
    tried = descriptions_of_rows(people, np.arange(6) >= 4, 3, 4000, np.random.default_rng(1))
    unique = float((matches(tried, people)[0] == 1).mean())
    of_two = ((1 - 2 / records) / (1 - 1 / records)) ** (rows - 1)
    at_least = unique / (unique + (1 - unique) * of_two)
    copied_once = rows * (1 - 1 / records) ** (rows - 1)  # rows that a description can fit alone
    assert copies.value > at_least - 4 * np.sqrt(at_least * (1 - at_least) / copied_once)


def test_the_order_of_the_rows_changes_no_figure():
    release = protect(population(60, 1), "partial-trees:leaf_size=3,smoothing=no", ["a", "b"], seed=1)
    for entry in entries("risk"):
        if getattr(entry.component, "for_synthesis", False) and entry.name != "membership":  # it masks other files
            attack = build("risk", entry.name)
            with suppress(NotApplicableError):
                assert attack.measure(release, seed=1).value == attack.measure(shuffled(release), seed=1).value
