from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.methods.files import correlated, numeric

from sdckit import Intruder, Release, build, protect
from sdckit.hierarchy import Hierarchy
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.testing.files import a_file, fresh, with_missing

LINKAGE = build("risk", "mixed-linkage")
ZIPS = ("48201", "48202", "48301", "88202")
TREE = Hierarchy.by_prefix(ZIPS, steps=(2,))


def zips(*values):
    """A file of post codes; coarser ones are categories after the finest."""
    categories = tuple(dict.fromkeys((*ZIPS, *values)))
    attribute = Attribute("zip", Kind.PARTIALLY_ORDERED, Role.KEY, categories, TREE)
    return Microdata((attribute,), {"zip": np.array([categories.index(value) for value in values])})


def by_all_pairs(release):
    """Each record's chance to be picked among the nearest, attribute by attribute and pair by pair."""
    original, masked = release.original, release.masked
    names = Intruder().known_attributes(release)
    parts = np.full((len(names), len(original), len(masked)), np.nan)
    spans = {
        name: np.nanmax(original.matrix([name])) - np.nanmin(original.matrix([name]))
        for name in names
        if original.attribute(name).kind & Kind.ORDERED
    }
    for i in range(len(original)):
        for j in range(len(masked)):
            for number, name in enumerate(names):
                if original.absent(name)[i] or masked.absent(name)[j]:
                    continue
                mine, theirs = original.values(name)[i], masked.values(name)[j]
                if name in spans:
                    gap = abs(original.matrix([name])[i, 0] - masked.matrix([name])[j, 0])
                    parts[number, i, j] = gap / spans[name] if spans[name] > 0 else gap
                elif (tree := original.attribute(name).hierarchy) is not None:
                    above = theirs in tree.ancestors(mine) or mine in tree.ancestors(theirs)
                    parts[number, i, j] = 0 if above else tree.distance(mine, theirs)
                else:
                    parts[number, i, j] = float(mine != theirs)
    seen = ~np.isnan(parts)
    mean = np.where(seen, parts, 0.0).sum(axis=2) / np.maximum(seen.sum(axis=2), 1)
    unknown = np.array([original.absent(name) for name in names])
    holes_filled = np.where(seen, parts, mean[:, :, None] / 5)  # a hole is a fifth of the expected distance away
    distance = np.where(unknown[:, :, None], 0.0, holes_filled).sum(axis=0)
    nearest = distance <= distance.min(axis=1, keepdims=True) + 1e-9
    return nearest.diagonal() / nearest.sum(axis=1)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_it_is_the_table_of_all_distances(seed, missing):
    original, masked = a_file(12, seed=seed, coarse=True), fresh(a_file(12, seed=seed + 1, coarse=True))
    if missing:
        original, masked = with_missing(original, 0.3, seed), with_missing(masked, 0.3, seed + 1)
    release = Release.in_order(original, masked.without(["name"]))
    assert LINKAGE.measure(release).by_record == pytest.approx(by_all_pairs(release))


def test_a_district_is_near_to_all_its_post_codes():
    release = Release.in_order(zips("48201", "48202", "88202"), zips("482**", "482**", "88202"))
    assert LINKAGE.measure(release).by_record.tolist() == [0.5, 0.5, 1]


def test_a_suppressed_code_is_near_to_all():
    release = Release.in_order(zips("48201", "48301"), zips("*", "48301"))
    assert LINKAGE.measure(release).by_record.tolist() == [1, 0.5]


def test_a_file_of_every_kind_released_as_it_is_is_found():
    data = fresh(a_file(60))
    release = Release.in_order(data, data.without(["name"]))
    assert LINKAGE.measure(release).value == 1
    assert LINKAGE.measure(release, Intruder(attributes=("town",))).value < 0.1


def test_a_change_of_units_in_both_files_changes_nothing():
    values = correlated(40, 2, seed=1)
    noise = np.random.default_rng(1).normal(size=values.shape)
    plain = LINKAGE.measure(Release.in_order(numeric(values), numeric(values + noise)))
    scaled = LINKAGE.measure(Release.in_order(numeric(values * [100, -2]), numeric((values + noise) * [100, -2])))
    assert scaled.by_record == pytest.approx(plain.by_record)


def test_in_reverse_each_released_record_looks_for_its_own():
    original, masked = numeric(np.array([[0.0], [4.0], [10.0]])), numeric(np.array([[3.0], [3.5], [9.0]]))
    assert LINKAGE.measure(Release.in_order(original, masked)).by_record.tolist() == [1, 1, 1]
    reverse = build("risk", "mixed-linkage", reverse=True)
    assert reverse.measure(Release.in_order(original, masked)).by_record.tolist() == [0, 1, 1]


def test_a_part_of_the_records_stands_for_all_on_large_files():
    release = protect(numeric(correlated(200, 2, seed=2)), "additive-noise", seed=1)
    score = replace(LINKAGE, max_records=50).measure(release, seed=1)
    assert np.isfinite(score.by_record).sum() == score.details["records_attacked"] == 50


def test_recoding_hides_records_distinguished_by_postcode():
    release = protect(a_file(100, seed=3), "global-recoding:levels=1", ["post code"], seed=1)
    known = Intruder(attributes=("post code", "town"))
    assert LINKAGE.measure(release, known).value < LINKAGE.measure(release.untouched(), known).value
