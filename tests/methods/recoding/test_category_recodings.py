"""Global and local recoding: values climb their hierarchy, all of them or the rare ones."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.methods.categories import ZIPS, possible_rows, protected, unordered, zips

import sdckit
from sdckit.draws import Draws
from sdckit.errors import ParameterError, SchemaError
from sdckit.files.release_files import read_masked
from sdckit.hierarchy import ROOT, Hierarchy
from sdckit.methods.recoding.global_recoding import GlobalRecoding
from sdckit.methods.recoding.global_recoding_groups import GlobalRecodingGroups
from sdckit.methods.recoding.local_recoding import LocalRecoding
from sdckit.microdata import Kind, Microdata, Role
from sdckit.release import Release, protect
from sdckit.schema import Declared, Schema

some_zips = st.lists(st.sampled_from([*ZIPS, None]), min_size=1, max_size=30).filter(any)


def test_two_levels_up_hide_two_digits():
    masked = protected(GlobalRecoding(levels=2), zips(["48201", "48301", None]))
    assert masked.values("zip").tolist() == ["482**", "483**", None]


@given(some_zips, st.integers(0, 7))
def test_every_value_becomes_its_ancestor_and_original_codes_keep_their_meaning(values, levels):
    data = zips(values)
    tree = data.attribute("zip").hierarchy
    masked = protected(GlobalRecoding(levels=levels), data)
    for before, after in zip(data.values("zip"), masked.values("zip"), strict=True):
        assert after == (None if before is None else tree.generalise(before, levels))
    known = data.attribute("zip").categories
    assert masked.attribute("zip").categories[: len(known)] == known


def test_recoding_twice_by_one_is_recoding_by_two():
    data = zips(ZIPS)
    once = protected(GlobalRecoding(levels=1), protected(GlobalRecoding(levels=1), data))
    assert once.values("zip").tolist() == protected(GlobalRecoding(levels=2), data).values("zip").tolist()


def test_far_enough_up_nothing_is_known_and_no_level_changes_nothing():
    assert set(protected(GlobalRecoding(levels=9), zips(ZIPS)).values("zip")) == {ROOT}
    assert protected(GlobalRecoding(levels=0), zips(ZIPS)).values("zip").tolist() == list(ZIPS)


def test_numbers_are_recoded_to_their_intervals():
    ages = [3, 12, 19, 41]
    frame = pl.DataFrame({"age": ages})
    data = Microdata.from_frame(
        frame, roles={"age": "key"}, hierarchies={"age": Hierarchy.by_intervals(ages, [10, 20])}
    )
    assert protected(GlobalRecoding(levels=1), data).values("age").tolist() == [
        "0–9", "10–19", "10–19", "40–49",
    ]  # fmt: skip
    assert protected(GlobalRecoding(levels=2), data).values("age").tolist() == ["0–19"] * 3 + ["40–59"]


def test_original_and_recoded_values_are_compared_by_the_same_tree():
    release = protect(zips(ZIPS), GlobalRecoding(levels=2), seed=1)
    again = Release.in_order(release.original, release.masked.to_frame())
    assert np.array_equal(again.masked.columns["zip"], release.masked.columns["zip"])
    tree = again.masked.attribute("zip").hierarchy
    assert all(value in tree for value in again.masked.attribute("zip").categories)


def test_an_attribute_without_a_hierarchy_is_refused_by_name():
    data = unordered(zip=["a", "b"]).with_roles(zip="key")
    with pytest.raises(SchemaError, match="'zip' is unordered"):
        GlobalRecoding().protect(data, ["zip"], draws=Draws.of(1))


def test_who_knows_the_levels_knows_the_node():
    rows = possible_rows(GlobalRecoding(levels=2), zips(["48201", "48202", "48301", "88202"]))
    assert rows.tolist() == [[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]


def test_only_rare_values_climb():
    data = zips(["48201"] * 3 + ["48202", "88301", None])
    masked = protected(LocalRecoding(threshold=3, levels=2), data)
    assert masked.values("zip").tolist() == ["48201"] * 3 + ["482**", "883**", None]


def test_a_threshold_above_every_count_recodes_all_and_zero_none():
    data = zips([*ZIPS, *ZIPS])
    everything = protected(GlobalRecoding(levels=2), data)
    assert (
        protected(LocalRecoding(threshold=3, levels=2), data).values("zip").tolist()
        == everything.values("zip").tolist()
    )
    assert protected(LocalRecoding(threshold=0), data).values("zip").tolist() == data.values("zip").tolist()


@given(some_zips, st.integers(0, 5))
def test_a_higher_threshold_never_brings_a_fine_value_back(values, threshold):
    data = zips(values)
    low, high = (protected(LocalRecoding(threshold=t), data).values("zip") for t in (threshold, threshold + 1))
    before = data.values("zip")
    assert all(one != old for one, other, old in zip(high, low, before, strict=True) if other != old)


def test_a_leaf_that_is_still_there_did_not_climb():
    rows = possible_rows(LocalRecoding(threshold=2, levels=2), zips(["48201", "48201", "48202"]))
    assert rows.tolist() == [[1, 1, 0], [1, 1, 0], [0, 0, 1]]


def test_groups_by_hand():
    data = unordered(status=["single", "married", "widowed", None])
    masked = protected(GlobalRecodingGroups(groups=("single|widowed=alone",)), data)
    assert masked.values("status").tolist() == ["alone", "married", "alone", None]
    assert possible_rows(GlobalRecodingGroups(groups=("single|widowed=alone",)), data)[0].tolist() == [1, 0, 1, 0]


@pytest.mark.usefixtures("on_terminal")
@pytest.mark.parametrize(
    ("groups", "problem"),
    [
        (("singl=alone",), "did you mean 'single'"),
        (("single",), "names no group"),
        (("single=a", "single=b"), "two groups"),
    ],
)
def test_groups_that_are_none(groups, problem):
    with pytest.raises((SchemaError, ParameterError), match=problem):
        protected(GlobalRecodingGroups(groups=groups), unordered(status=["single", "married"]))


def coded(labels: dict[int, str]) -> Microdata:
    schema = Schema({"land": Declared(kind=Kind.UNORDERED, role=Role.KEY, value_labels=labels)})
    return Microdata.from_frame(pl.DataFrame({"land": [1, 2, 3, 4, 1]}), schema=schema)


@pytest.mark.parametrize("groups", [("3|4=3",), ("4=3",)], ids=["named", "joined to it"])
def test_a_code_that_stands_for_several_has_the_labels_of_all(groups):
    data = coded({1: "Wien", 2: "Tirol", 3: "Salzburg", 4: "Burgenland"})
    masked = protect(data, GlobalRecodingGroups(groups=groups), ["land"]).masked
    assert dict(masked.attribute("land").value_labels) | {4: ""} == {
        1: "Wien",
        2: "Tirol",
        3: "Salzburg / Burgenland",
        4: "",
    }


def test_a_joined_label_that_is_too_long_counts_the_others():
    data = coded({code: f"{code} {'x' * 40}" for code in (1, 2, 3, 4)})
    masked = protect(data, GlobalRecodingGroups(groups=("2|3|4=2",)), ["land"]).masked
    assert masked.attribute("land").value_labels[2] == f"2 {'x' * 40} and 2 other categories"


@pytest.mark.parametrize(
    ("recoding", "later"),
    [
        ("global-recoding:levels=1", "global-recoding:levels=1"),
        ("global-recoding-groups:groups=a1|a2=a", "global-recoding-groups:groups=a|b1|b2=all"),
    ],
)
def test_a_group_that_a_later_step_changed_excludes_nobody_from_a_file_that_is_read_again(recoding, later, tmp_path):
    """A file on disk lacks the categories between two steps; the person must stay possible in her own row."""
    values = ["a1", "a2", "b1", "b2"] * 6
    kind = "partially-ordered" if "levels" in recoding else "unordered"
    declared = {"kind": kind, "role": "key"} | ({"hierarchy": {"prefix": [1]}} if "levels" in recoding else {})
    schema = Schema.from_dict({"attributes": {"code": declared}})
    pl.DataFrame({"code": values}).write_csv(tmp_path / "file.csv")
    original = sdckit.read(tmp_path / "file.csv", schema)
    release = sdckit.protect(original, [recoding, later], ["code"], seed=1)
    sdckit.write(release, tmp_path / "safe.csv")
    again = Release.in_order(original, read_masked(tmp_path / "safe.csv", schema), recipe=release.recipe)
    for each in (release, again):
        found = sdckit.assess(each, ["informed-intruder"], before=False, seed=1)["informed-intruder"]
        assert found.value == pytest.approx(1 / 24)
