import numpy as np
import pytest
from tests.risk.uniqueness.francdat import FRANCDAT, ROWS, WEIGHTS, file_of, untouched

from sdckit import build
from sdckit.errors import NotApplicableError
from sdckit.kernels.individual_risk import individual_risks

PRINTED = [0.01714426, 0.02204233, 0.02204233, 0.17707583, 0.01165448, 0.29706308, 0.40235948, 0.01714426]


def test_francdat_to_the_printed_digits():
    score = build("risk", "individual-risk").measure(FRANCDAT)
    assert score.by_record == pytest.approx(PRINTED, abs=5e-9)
    assert score.value == pytest.approx(np.mean(PRINTED), abs=5e-9)


def test_a_household_is_found_by_any_of_its_members():
    release = untouched(file_of(ROWS, WEIGHTS, household=[1, 1, 1, 2, 2, 3, 4, 5]))
    r = np.array(PRINTED)
    first, second = 1 - np.prod(1 - r[:3]), 1 - np.prod(1 - r[3:5])
    score = build("risk", "household-risk").measure(release)
    assert score.by_record == pytest.approx([first] * 3 + [second] * 2 + r[5:].tolist(), abs=2e-8)
    assert score.details["households"] == 5


def test_without_households_there_is_no_household_risk():
    with pytest.raises(NotApplicableError, match="who lives together"):
        build("risk", "household-risk").measure(FRANCDAT)


def test_households_of_one_have_the_individual_risk():
    release = untouched(file_of(ROWS, WEIGHTS, household=list(range(len(ROWS)))))
    alone, together = (build("risk", name).measure(release) for name in ("individual-risk", "household-risk"))
    assert together.by_record == pytest.approx(alone.by_record)


def test_larger_weights_lower_the_risk():
    light, heavy = (untouched(file_of(ROWS, np.array(WEIGHTS) * factor)) for factor in (1, 10))
    measure = build("risk", "individual-risk")
    assert (measure.measure(heavy).by_record < measure.measure(light).by_record).all()


def test_a_suppressed_key_adds_the_weights_of_all_who_agree_only_where_it_agrees_with_every_value():
    release = untouched(file_of([("a", "x"), ("a", "y"), (None, "x")], [10.0, 20.0, 30.0]))
    totals = {
        holes: build("risk", "individual-risk", holes=holes).measure(release).by_record
        for holes in ("any-value", "own-value")
    }
    assert totals["any-value"] == pytest.approx(individual_risks(np.array([2, 1, 2]), np.array([40.0, 20.0, 40.0])))
    assert totals["own-value"] == pytest.approx(individual_risks(np.array([1, 1, 1]), np.array([10.0, 20.0, 30.0])))
