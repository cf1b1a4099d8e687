"""Value flip: the experiment on sex of Truta, Fotouhi and Barth-Jones."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.categories import random_keys, unordered

from sdckit.draws import Draws
from sdckit.methods.randomisation.value_flip import ValueFlip
from sdckit.microdata import Role
from sdckit.testing.files import a_file


def test_the_rarest_records_change_their_sex():
    data = unordered(sex=["F", "F", "M", "M", "F"], town=["x", "x", "x", "x", "y"])
    masked = ValueFlip(share=0.2).protect(data, ["sex"], draws=Draws.of(1))
    assert masked.values("sex").tolist() == ["F", "F", "M", "M", "M"]


@given(st.integers(1, 60), st.floats(0, 1), st.booleans(), st.integers(0, 9))
def test_exactly_the_share_asked_for_changes_and_only_to_values_of_the_file(records, share, rarest, seed):
    data = random_keys(records, (3, 4), seed)
    masked = ValueFlip(share=share, rarest=rarest).protect(data, ["a"], draws=Draws.of(seed))
    before, after = data.columns["a"], masked.columns["a"]
    several = len(np.unique(before)) > 1
    assert (before != after).sum() == (int(share * records + 0.5) if several else 0)
    assert set(after) <= set(before)


def test_missing_values_stay_and_all_flipped_is_the_other_sex():
    data = unordered(sex=["F", None, "M"])
    assert ValueFlip(share=1).protect(data, draws=Draws.of(1)).values("sex").tolist() == ["M", None, "F"]


def test_it_reads_the_other_keys_where_the_rarest_records_are_changed():
    data = a_file(30)
    assert set(ValueFlip().also_reads(data, ["town"])) == set(data.names(role=Role.KEY)) - {"town"}
    assert ValueFlip(rarest=False).also_reads(data, ["town"]) == ()
