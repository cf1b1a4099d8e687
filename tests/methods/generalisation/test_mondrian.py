"""Strict and relaxed Mondrian on files of every kind."""

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.methods.categories import protected, unordered, zips

from sdckit.errors import SchemaError
from sdckit.hierarchy import ROOT
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.methods.generalisation.mondrian_relaxed import MondrianRelaxed
from sdckit.methods.generalisation.mondrian_strict import MondrianStrict
from sdckit.microdata import Microdata, Role
from sdckit.release import protect
from sdckit.risk.attribute_disclosure.t_closeness import TCloseness
from sdckit.testing.files import a_file, with_missing

BOTH = pytest.mark.parametrize("method", [MondrianStrict, MondrianRelaxed])


@given(st.integers(5, 80), st.integers(1, 5), st.integers(0, 99), st.booleans(), st.booleans(), st.booleans())
def test_k_anonymity_holds_on_keys_of_every_kind_also_with_missing_values(k_records, k, seed, strict, gaps, coarse):
    data = a_file(k_records, seed, coarse=coarse)
    data = with_missing(data) if gaps else data
    assume(all(len(data) - data.missing(name) >= k for name in data.names(role=Role.KEY)))  # else it is refused
    method = MondrianStrict(group_size=k) if strict else MondrianRelaxed(group_size=k)
    masked = protected(method, data)
    assert wildcard_frequencies(masked.codes(masked.names(role=Role.KEY))).min() >= k
    assert all(np.array_equal(masked.absent(name), data.absent(name)) for name in data.names(role=Role.KEY))


def test_categories_become_their_lowest_common_ancestor():
    data = zips(["48201", "48202", "88202", "88301"])
    assert protected(MondrianStrict(group_size=2), data).values("zip").tolist() == ["4820*"] * 2 + ["88***"] * 2
    assert protected(MondrianStrict(group_size=4), data).values("zip").tolist() == [ROOT] * 4


def test_without_a_hierarchy_a_mixed_group_shows_nothing():
    data = unordered(town=["Ely", "Ely", "Rye", "Wells"])
    assert protected(MondrianStrict(group_size=2), data).values("town").tolist() == ["Ely", "Ely", ROOT, ROOT]


def test_numbers_become_the_mean_of_their_group():
    data = Microdata.from_frame(pl.DataFrame({"x": [1.0, 3.0, 10.0, None, 14.0]}), roles={"x": "key"})
    masked = protected(MondrianStrict(group_size=2), data).columns["x"]
    assert np.isnan(masked[3]) and wildcard_frequencies(np.nan_to_num(masked, nan=-1).astype(int)[:, None]).min() >= 2


@BOTH
def test_a_group_of_all_is_the_mean_and_a_group_of_one_is_the_file(method):
    data = a_file(20, 3)
    keys = data.names(role=Role.KEY)
    alone = protected(method(group_size=1), data)
    if method is MondrianRelaxed:
        assert all(np.allclose(alone.columns[name], data.columns[name]) for name in keys)
    assert len({tuple(row) for row in protected(method(group_size=20), data).codes(keys).tolist()}) == 1


@BOTH
def test_the_groups_are_as_close_as_asked(method):
    rng = np.random.default_rng(2)
    frame = pl.DataFrame({"age": rng.integers(18, 90, 300), "ill": rng.integers(0, 5, 300)})
    data = Microdata.from_frame(frame, roles={"age": "key", "ill": "confidential"})
    release = protect(data, method(closeness=0.15, diversity=3), ["age"], seed=1)
    assert TCloseness(closeness=0.15).measure(release).value == 0
    plain = protect(data, method(), ["age"], seed=1)
    assert TCloseness(closeness=0.15).measure(plain).value > 0


def test_relaxed_cuts_leave_no_large_group_where_values_tie():
    data = a_file(300, 5, coarse=True)
    sizes = []
    for method in (MondrianStrict, MondrianRelaxed):
        labels = method(group_size=3).partition(data, ("age", "grade", "town"))
        sizes.append(np.bincount(labels).max())
    assert sizes[1] < 2 * 3 <= sizes[0]


def test_what_cannot_be_done_is_refused():
    with pytest.raises(SchemaError, match="1 records cannot fill a group of 3"):
        protected(MondrianStrict(), unordered(a=["x"]))
    with pytest.raises(SchemaError, match="need a confidential attribute"):
        protected(MondrianStrict(diversity=2), unordered(a=["x"] * 5))
    data = Microdata.from_frame(
        pl.DataFrame({"a": range(4), "ill": [1, 1, 1, 1]}), roles={"a": "key", "ill": "confidential"}
    )
    with pytest.raises(SchemaError, match="'ill' has fewer than 2 values"):
        protected(MondrianStrict(diversity=2), data)
