"""Holes of the original stay holes: what follows for an intruder who knows where they are, and for one who does not."""

import numpy as np
import pytest

from sdckit.release import protect
from sdckit.risks import InformedIntruder, OrdinaryIntruder
from sdckit.testing.files import a_file, with_missing
from tests.laws.test_informed_law import law_of, table_of

NAMES = ("age", "town")
CHAINS = ["additive-noise", "rank-swapping", "pram", "mdav", "rounding", ["simple-sampling", "pram", "additive-noise"]]


@pytest.mark.parametrize("chain", CHAINS)
def test_a_row_has_a_hole_where_its_record_has_one(chain):
    data = with_missing(a_file(120))
    release = protect(data, chain, seed=1)
    table = table_of(law_of(release, attributes=NAMES))
    for name in NAMES:
        different = data.absent(name)[:, None] != release.masked.absent(name)[None, :]
        assert different.any()
        assert np.isneginf(table[different]).all()
    origin = release.true_rows(np.arange(120))
    assert np.isfinite(table[np.flatnonzero(origin >= 0), origin[origin >= 0]]).all()


def test_a_suppressed_value_may_be_any_but_a_hole_is_no_value():
    data = with_missing(a_file(120))
    release = protect(data, "local-suppression", ["town", "post code", "grade"], seed=1)
    table = table_of(law_of(release, attributes=("post code",)))
    holes, rows = data.absent("post code"), release.masked.absent("post code")
    assert (rows & ~holes).any()
    assert np.isneginf(table[np.ix_(holes, ~rows)]).all()
    assert np.isfinite(np.diag(table)).all()


def test_an_intruder_who_lacks_values_does_not_take_them_for_holes():
    data = with_missing(a_file(120))
    release = protect(data, "additive-noise", ["age"], seed=1)
    table = table_of(law_of(release, attributes=("age",), missing=0.5))
    assert np.isfinite(np.diag(table)).all()


@pytest.mark.slow
@pytest.mark.parametrize("chain", [["simple-sampling", "mdav"], ["simple-sampling", "pram", "additive-noise"]])
def test_a_sampled_file_with_holes_is_attacked_no_worse_with_the_recipe(chain):
    gains = []
    for seed in range(4):
        release = protect(with_missing(a_file(200, seed=seed)), chain, seed=seed)
        gains.append(InformedIntruder().measure(release).value - OrdinaryIntruder().measure(release).value)
    assert np.mean(gains) > -0.015
