"""Syntheses keep the edits of a file: equalities are computed, and rows that break other edits are drawn again."""

from dataclasses import replace

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sdckit
from sdckit.edit_checks import violations
from sdckit.edits import Edits
from sdckit.methods import GaussianCopula, IpsoC, PartialTrees, SequentialTrees
from sdckit.methods.synthesis.derived_attributes import derived_attributes
from sdckit.microdata import Microdata

EDITS = (
    "total == net + tax",
    "price == units * unit_price",
    "tax <= net",
    "if age < 16 then net == 0",
    "0 <= age <= 100",
)


def file(records: int = 200, seed: int = 1) -> Microdata:
    rng = np.random.default_rng(seed)
    age = rng.integers(0, 90, records).astype(float)
    net = np.where(age < 16, 0.0, rng.lognormal(3, 1, records))
    tax = net * rng.uniform(0, 0.9, records)
    units, unit_price = rng.integers(1, 9, records).astype(float), rng.uniform(1, 5, records)
    columns = {"age": age, "net": net, "tax": tax, "total": net + tax}
    columns |= {"units": units, "unit_price": unit_price, "price": units * unit_price}
    return replace(Microdata.from_frame(polars.DataFrame(columns)), edits=Edits.from_text(*EDITS))


def broken(data: Microdata) -> int:
    return int(violations(data.edits, data).any(axis=1).sum())


def test_the_file_itself_satisfies_its_edits():
    assert broken(file()) == 0


@pytest.mark.parametrize("method", [SequentialTrees(leaf_size=5), GaussianCopula(), SequentialTrees(size=2.5)])
def test_full_syntheses_satisfy_every_edit(method):
    masked = sdckit.protect(file(), method, seed=1).masked
    assert broken(masked) == 0
    assert len(masked) == round(200 * method.size)


def test_partial_trees_satisfy_every_edit():
    names = ["net", "tax", "total", "price", "units"]
    masked = sdckit.protect(file(), PartialTrees(leaf_size=5), names, seed=1).masked
    assert broken(masked) == 0
    assert (masked.columns["net"] != file().columns["net"]).any()


@given(st.integers(0, 2**32 - 1))
def test_no_record_of_a_partial_synthesis_breaks_an_equality_that_it_satisfied(seed):
    data = file(60, seed)
    masked = sdckit.protect(data, PartialTrees(leaf_size=5), ["net", "tax", "total"], seed=seed).masked
    assert np.allclose(masked.columns["total"], masked.columns["net"] + masked.columns["tax"], rtol=1e-9)


def test_ranges_do_not_break_a_sum_of_ipso():
    data = replace(file(), edits=Edits.from_text("total == net + tax", "net >= 0", "tax >= 0"))
    masked = sdckit.protect(data, IpsoC(given=("age",)), ["net", "tax", "total"], seed=1).masked
    assert broken(masked) == 0


def test_ipso_says_which_masking_keeps_a_rule_that_it_breaks():
    data = replace(file(), edits=Edits.from_text("if age < 16 then net == 0"))
    notes = sdckit.protect(data, IpsoC(given=("age",)), ["net"], seed=1).notes()
    assert any("use partial-trees to keep if age < 16 then net == 0" in note for note in notes)


def test_a_missing_part_leaves_the_total_missing():
    data = file()
    net = data.columns["net"].copy()
    net[::4] = np.nan
    total = data.columns["total"].copy()
    total[::4] = np.nan
    masked = sdckit.protect(data.with_columns({"net": net, "total": total}), SequentialTrees(), seed=1).masked
    assert np.isnan(masked.columns["net"]).any()
    assert (np.isnan(masked.columns["total"]) == np.isnan(masked.columns["net"] + masked.columns["tax"])).all()


def test_nothing_is_derived_where_one_attribute_alone_is_replaced():
    """Its value would be the original one."""
    assert derived_attributes(file(), ["net"]) == ()
    masked = sdckit.protect(file(), PartialTrees(leaf_size=5), ["price"], seed=1).masked
    assert (masked.columns["price"] != file().columns["price"]).mean() > 0.9


def test_the_total_is_computed_and_the_parts_are_drawn():
    found = {each.name: each for each in derived_attributes(file(), [each.name for each in file().attributes])}
    assert set(found) == {"total", "price"}
    columns = {"total": np.zeros(1), "net": np.array([3.0]), "tax": np.array([4.0])}
    assert found["total"].values(columns) == [7.0]
    columns = {"price": np.zeros(1), "units": np.array([3.0]), "unit_price": np.array([2.5])}
    assert found["price"].values(columns) == [7.5]


def test_an_attribute_in_two_equalities_is_computed_in_an_order_that_satisfies_both():
    rng = np.random.default_rng(3)
    a, b, d = rng.random((3, 80))
    columns = {"a": a, "b": b, "c": a + b, "d": d, "e": a + b + d}
    data = replace(Microdata.from_frame(polars.DataFrame(columns)), edits=Edits.from_text("c == a + b", "e == c + d"))
    assert broken(sdckit.protect(data, SequentialTrees(leaf_size=5), seed=1).masked) == 0


def test_an_edit_that_no_draw_satisfies_ends_and_is_reported():
    data = replace(file(40), edits=Edits.from_text("net >= 100 * units + 1000"))
    release = sdckit.protect(data, SequentialTrees(), seed=1)
    assert broken(release.masked) == 40
