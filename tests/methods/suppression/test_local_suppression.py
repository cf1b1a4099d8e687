"""Local suppression: k-anonymity holds afterwards, whatever was asked."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.categories import possible_rows, protected, random_keys, unordered
from tests.methods.files import correlated, masked_matrix

from sdckit.draws import Draws
from sdckit.errors import ParameterError, SchemaError
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.kernels.partial_agreement import partial_frequencies
from sdckit.methods.suppression.local_suppression import LocalSuppression
from sdckit.release import protect
from sdckit.row_order import shuffled


@given(st.integers(5, 60), st.integers(1, 5), st.integers(0, 3), st.integers(0, 99), st.sampled_from([0.0, 0.2]))
def test_k_anonymity_holds_on_every_set_of_keys_asked_for(records, group_size, known, seed, missing):
    data = random_keys(records, (2, 5, 7), seed, missing)
    masked = protected(LocalSuppression(group_size=group_size, known=known), data)
    for chosen in combinations("abc", known or 3):
        assert wildcard_frequencies(masked.codes(chosen)).min() >= group_size


def test_knowing_less_costs_less():
    data = random_keys(300, (3, 8, 9, 5), 4)
    lost = [
        sum(protected(LocalSuppression(known=known), data).missing(name) for name in "abcd") for known in (1, 2, 3, 4)
    ]
    assert lost == sorted(lost) and lost[-1] > lost[0]


def test_a_larger_group_costs_more():
    data = random_keys(300, (3, 8, 9), 5)
    lost = [sum(protected(LocalSuppression(group_size=k), data).missing(name) for name in "abc") for k in (1, 2, 4)]
    assert lost[0] == 0 and lost[0] < lost[1] < lost[2]


def test_an_important_attribute_is_spared():
    data = random_keys(300, (6, 6), 7)
    spared = protected(LocalSuppression(importance=(10, 1)), data)
    other = protected(LocalSuppression(importance=(1, 10)), data)
    assert spared.missing("a") < other.missing("a") and spared.missing("b") > other.missing("b")


def test_numbers_go_missing_too():
    values = np.round(correlated(80, 2, 1))
    masked = masked_matrix(LocalSuppression(group_size=2), values)
    seen = ~np.isnan(masked)
    assert np.array_equal(masked[seen], values[seen]) and not seen.all()


def test_a_record_is_where_its_values_are_or_where_they_went_missing():
    data = unordered(a=["x", "x", "x", "y"], b=["u", "u", "v", "v"])
    masked = LocalSuppression(group_size=2).protect(data, draws=Draws.of(1))
    rows = possible_rows(LocalSuppression(group_size=2), data)
    assert rows.diagonal().all()
    for record, row in zip(*np.nonzero(~rows), strict=True):
        released, known = masked.codes("ab")[row], data.codes("ab")[record]
        assert ((released >= 0) & (released != known)).any()


def test_what_cannot_be_done_is_refused():
    data = unordered(a=["x", "y"])
    with pytest.raises(SchemaError, match="2 records cannot be 3-anonymous"):
        protected(LocalSuppression(), data)
    with pytest.raises(ParameterError, match="2 figures for 1 attributes"):
        protected(LocalSuppression(group_size=2, importance=(1, 2)), data)


def test_k_records_agree_on_each_subset_that_is_named_and_less_is_lost():
    data = random_keys(200, (3, 8, 9), 5)
    masked = protected(LocalSuppression(group_size=3, subsets=("a*b", "b*c")), data)
    for chosen in (["a", "b"], ["b", "c"]):
        assert wildcard_frequencies(masked.codes(chosen)).min() >= 3
    whole = protected(LocalSuppression(group_size=3), data)
    assert sum(map(masked.missing, "abc")) < sum(map(whole.missing, "abc"))


def test_k_records_agree_within_each_stratum():
    data = random_keys(300, (3, 5, 6), 8)
    masked = LocalSuppression(group_size=3, strata="a").protect(data, ["b", "c"], draws=Draws.of(1))
    for code in np.unique(data.columns["a"]):
        inside = masked.take(np.flatnonzero(data.columns["a"] == code))
        assert wildcard_frequencies(inside.codes(["b", "c"])).min() >= 3


@pytest.mark.parametrize("alpha", [0.3, 0.7])
def test_a_hole_that_counts_less_costs_more_and_the_counts_hold(alpha):
    data = random_keys(120, (3, 4, 5), 2)
    masked = protected(LocalSuppression(group_size=3, alpha=alpha), data)
    assert partial_frequencies(masked.codes("abc"), alpha).min() >= 3 - 1e-9
    usual = protected(LocalSuppression(group_size=3), data)
    assert sum(map(masked.missing, "abc")) >= sum(map(usual.missing, "abc"))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"subsets": ("a*z",)}, "has 'z', which is not among"),
        ({"subsets": ("a*b",), "known": 1}, "leave out one"),
        ({"alpha": 0.0}, "use a larger alpha"),
        ({"strata": "z"}, "no column 'z'"),
    ],
)
def test_subsets_strata_and_alpha_that_cannot_be_say_what_is_accepted(values, words):
    with pytest.raises(ParameterError, match=words):
        protected(LocalSuppression(group_size=3, **values), random_keys(30, (2, 3), 1))


def test_records_with_few_possible_rows_are_warned_of_in_any_order_and_after_sampling():
    """The woman of town C loses both keys: her row agrees with everybody, and no other row can be hers."""
    data = unordered(town=list("AABBC"), sex=list("mmmmf"))
    release = protect(data, LocalSuppression(group_size=2), ["town", "sex"], seed=1)
    notes = release.notes()
    assert "1 of the 5 records have fewer than 2 possible rows, the least 1" in notes[0]
    assert shuffled(release, np.random.default_rng(3)).notes() == notes
    sampled = protect(data, ["simple-sampling:share=1", LocalSuppression(group_size=2)], ["town", "sex"], seed=1)
    assert [note for note in sampled.notes() if "possible rows" in note] == notes[:1]
