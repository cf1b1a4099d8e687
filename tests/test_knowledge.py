"""The rules by which the literature averages over what an intruder may know."""

from itertools import combinations

import numpy as np
import pytest

from sdckit import Intruder, build, protect
from sdckit.errors import ParameterError
from sdckit.knowledge import Blocks, FirstAttributes, FirstSubsets, Knowledge, SampledSubsets
from tests.methods.files import correlated, numeric

RNG = np.random.default_rng(1)
NAMES = ("a", "b", "c", "d", "e")


def test_by_default_all_is_known_at_once():
    assert Knowledge().sets(NAMES, RNG) == [NAMES]


def test_every_subset_of_the_first_attributes_by_hand():
    assert FirstSubsets(2).sets(NAMES, RNG) == [("a",), ("b",), ("a", "b")]


def test_seven_attributes_have_127_subsets():
    assert len(FirstSubsets(7).sets(tuple("abcdefghijklm"), RNG)) == 127
    assert len(FirstSubsets(7).sets(NAMES, RNG)) == 2**5 - 1


def test_too_many_subsets_are_refused():
    with pytest.raises(ParameterError, match="sample"):
        FirstSubsets(13).sets(NAMES, RNG)


def test_sampled_subsets_are_of_every_size_asked_for():
    drawn = SampledSubsets(4, 2, 3).sets(NAMES, np.random.default_rng(2))
    assert [len(chosen) for chosen in drawn] == [2] * 4 + [3] * 4
    assert all(chosen in [*combinations(NAMES, 2), *combinations(NAMES, 3)] for chosen in drawn)
    assert drawn == SampledSubsets(4, 2, 3).sets(NAMES, np.random.default_rng(2))
    assert SampledSubsets(2, 3, 9).sets(NAMES[:2], RNG) == [("a", "b")] * 2


def test_first_attributes_one_after_the_other():
    assert FirstAttributes(3).sets(NAMES, RNG) == [("a",), ("a", "b"), ("a", "b", "c")]
    assert FirstAttributes().sets(NAMES, RNG) == [("a",), ("a", "b")]  # up to half of them
    assert FirstAttributes(9).sets(NAMES, RNG)[-1] == NAMES


def test_blocks_one_after_the_other():
    assert Blocks(2, 1).sets(NAMES, RNG) == [("a", "b"), ("a", "b", "c", "d"), NAMES]
    assert Blocks(2, 2).sets(NAMES, RNG) == [("a", "b", "c", "d"), NAMES]
    assert Blocks(9, 2).sets(NAMES, RNG) == [NAMES]


@pytest.mark.parametrize(
    "rule", [Knowledge(), FirstSubsets(5), SampledSubsets(3, 1, 2), FirstAttributes(4), Blocks(3, 1)]
)
def test_a_rule_is_read_as_it_is_written(rule):
    assert Knowledge.from_text(str(rule)) == rule


@pytest.mark.parametrize("text", ["first-subset(7)", "first-subsets(x)", "first-subsets(1+2+3)", "everything(1)", ""])
def test_what_is_no_rule_is_refused(text):
    with pytest.raises(ParameterError):
        Knowledge.from_text(text)


@pytest.mark.parametrize(
    "text",
    ["first-subsets(0)", "sampled-subsets(0+1+2)", "sampled-subsets(9+3+2)", "blocks(0+1)", "first-attributes(-1)"],
)
def test_numbers_that_leave_no_set_are_refused(text):
    with pytest.raises(ParameterError):
        Knowledge.from_text(text)


def test_a_linkage_is_the_mean_over_the_sets():
    release = protect(numeric(correlated(80, 3, seed=1)), "additive-noise:variance_share=0.05", seed=1)
    linkage = build("risk", "distance-linkage")
    averaged = linkage.measure(release, Intruder(knowledge=FirstSubsets(3)))
    sets = FirstSubsets(3).sets(("a", "b", "c"), RNG)
    alone = [linkage.measure(release, Intruder(attributes=chosen)).value for chosen in sets]
    assert averaged.value == pytest.approx(np.mean(alone))
    assert averaged.details["sets"] == 7
    assert averaged.details["by_number_known"]["3"] == pytest.approx(alone[-1])


def test_a_rule_chooses_among_the_attributes_that_are_known():
    release = protect(numeric(correlated(30, 4, seed=1)), "additive-noise", seed=1)
    intruder = Intruder(attributes=("d", "b"), knowledge=FirstSubsets(7))
    scenarios = intruder.scenarios(intruder.view(release))
    assert [view.attributes for view in scenarios] == [("d",), ("b",), ("d", "b")]


def test_the_limits_of_the_rules_are_accepted():
    assert len(FirstSubsets(12).sets(NAMES, RNG)) == 31
    assert (FirstSubsets(), FirstAttributes(), Blocks()) == (FirstSubsets(7), FirstAttributes(0), Blocks(2, 2))
    assert SampledSubsets() == SampledSubsets(10, 1, 7)
    assert SampledSubsets(1, 2, 2).sets(NAMES[:2], RNG) == [("a", "b")]
    assert [len(each) for each in SampledSubsets(1, 1, 9).sets(NAMES, RNG)] == [1, 2, 3, 4, 5]
    assert FirstAttributes().sets(NAMES[:1], RNG) == [("a",)]
    assert FirstAttributes().sets(NAMES[:4], RNG) == [("a",), ("a", "b")]
    assert Blocks(2, 1).sets(NAMES[:4], RNG) == [("a", "b"), ("a", "b", "c", "d")]
    assert Knowledge.from_text("blocks(1+1)") == Blocks(1, 1)
