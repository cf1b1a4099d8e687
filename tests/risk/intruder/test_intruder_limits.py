"""The two intruders on files at the limits: one record, constants, samples, duplicates, one kind of attribute."""

import numpy as np
import pytest

from sdckit.errors import SdcError
from sdckit.intruder import Intruder
from sdckit.microdata import Role
from sdckit.release import Release, protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder
from sdckit.testing.files import a_file, fresh, odd_files

BOTH = pytest.mark.parametrize("attack", [InformedIntruder(), OrdinaryIntruder()], ids=lambda attack: attack.name)
NUMBERS = ("age", "yearly income", "rent")
CODES = ("grade", "post code", "town")


def untouched(data) -> Release:
    """The file released with one confidential attribute masked."""
    return protect(data, "rounding:base=10", ["savings"], seed=1)


@BOTH
def test_everybody_is_found_in_a_file_that_is_not_masked(attack):
    score = attack.measure(untouched(a_file(80)))
    assert score.value == 1.0
    assert score.details["expected_found"] == pytest.approx(1.0, abs=0.02)


@BOTH
def test_one_record_is_found(attack):
    assert attack.measure(protect(a_file(1), "pram", ["town"], seed=1)).value == 1.0


@BOTH
def test_equal_records_share_the_credit(attack):
    twelve = fresh(a_file(1).take(np.zeros(12, dtype=np.int64)))
    score = attack.measure(untouched(twelve))
    assert score.value == pytest.approx(1 / 12)
    assert score.details["expected_found"] == pytest.approx(1 / 12, abs=0.01)


@BOTH
def test_duplicates_are_found_with_one_over_their_number(attack):
    data = fresh(a_file(30).take(np.repeat(np.arange(30), 3)))
    assert attack.measure(untouched(data)).value == pytest.approx(1 / 3, abs=0.01)


@BOTH
@pytest.mark.parametrize("names", [NUMBERS, CODES])
def test_one_kind_of_attribute_is_enough(attack, names):
    data = a_file(60).only([*names, "savings"])
    assert attack.measure(untouched(data)).value >= (1.0 if names == NUMBERS else 0.3)


@BOTH
def test_constant_columns_find_nobody(attack):
    data = a_file(25)
    names = data.names(role=Role.KEY)
    columns = {name: np.full(25, 1 if data.attribute(name).coded else 1.0) for name in names}
    score = attack.measure(untouched(data.with_columns(columns)))
    assert score.value == pytest.approx(1 / 25)


@BOTH
def test_a_record_without_a_row_is_not_found(attack):
    release = protect(a_file(80), "simple-sampling:share=0.5", seed=1)
    score = attack.measure(release)
    assert score.value == pytest.approx(0.5, abs=0.02)
    there = release.true_rows(np.arange(80)) >= 0
    assert (score.by_record[~there] == 0).all()


@BOTH
@pytest.mark.parametrize("recipe", ["pram", "mdav", "additive-noise"])
@pytest.mark.parametrize("label", sorted(odd_files()))
def test_odd_files_are_attacked_or_declined(attack, label, recipe):
    try:
        release = protect(odd_files()[label], recipe, seed=1)
        score = attack.measure(release)
    except SdcError:
        return
    assert 0 <= score.value <= 1
    assert 0 <= score.details["expected_found"] <= 1 + 1e-9
    assert not np.isnan(score.details["posterior_of_true_row"])


@pytest.mark.parametrize("recipe", ["pram", "rank-swapping", ["simple-sampling:share=0.4", "additive-noise"]])
@pytest.mark.parametrize("known", [{"records": 0.3}, {"missing": 0.3}, {"noise": 0.1}, {"records": (3,)}])
def test_every_knowledge_is_enough_for_an_attack(recipe, known):
    release = protect(a_file(60), recipe, seed=1)
    for attack in (InformedIntruder(), OrdinaryIntruder()):
        score = attack.measure(release, Intruder(**known))
        assert 0 <= score.value <= 1


@BOTH
def test_the_figure_is_the_same_each_time_and_whatever_the_seed(attack):
    release = protect(a_file(60), "rank-swapping", seed=1)
    one, other = attack.measure(release, seed=1), attack.measure(release, seed=2)
    assert one.value == other.value
    assert one.details == other.details
