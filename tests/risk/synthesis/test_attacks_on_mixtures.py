"""Every attack fails on a synthesis that has nothing to do with the people, succeeds on copies, and moves between."""

from functools import lru_cache
from itertools import pairwise

import pytest
from tests.risk.synthesis.stand_ins import SHARES, release_of

from sdckit import build
from sdckit.catalogue import entries
from sdckit.measure import Score
from sdckit.release import Release

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


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("length", [0.4, 2.5])
def test_files_of_another_length_are_attacked(name, length):
    fresh, copies = (
        build("risk", name).measure(release_of(copied, 200, length=length, control=150), seed=1)
        for copied in (0.0, 1.0)
    )
    assert copies.value > fresh.value + 0.1
