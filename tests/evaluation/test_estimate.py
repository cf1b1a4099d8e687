"""What long work takes is estimated in the right order of magnitude before it begins."""

from time import process_time

import numpy as np
import polars as pl
import pytest

from sdckit import assess, protect
from sdckit.errors import SdcError
from sdckit.evaluation import estimate as module
from sdckit.evaluation.estimate import (
    SAMPLES,
    Estimate,
    estimate,
    memory,
    refuse_without_memory,
    sampled_release,
    seconds_of,
)
from sdckit.evaluation.worker_pool import COPIES, PROCESS
from sdckit.microdata import Microdata
from sdckit.release import Release
from sdckit.rows import Sampled, Unrelated
from sdckit.testing.files import ordinary


def simulated(records, seed=1):
    """Numbers and categories, all of them keys."""
    rng = np.random.default_rng(seed)
    size = rng.standard_normal(records)
    columns = {
        "income": np.exp(size + rng.standard_normal(records) / 2),
        "wealth": size + rng.standard_normal(records),
        "age": rng.integers(15, 95, records),
        "region": rng.choice([f"region {number}" for number in range(12)], records),
        "sex": rng.choice(["f", "m"], records),
    }
    frame = pl.DataFrame(columns)
    return Microdata.from_frame(frame, roles=dict.fromkeys(columns, "key"))


class Clock:
    """A clock that shows the times given, one after the other."""

    def __init__(self, *times):
        self.times = list(times)

    def __call__(self):
        return self.times.pop(0)


def test_the_time_of_a_sample_grows_with_the_file_by_hand():
    release = Release.in_order(simulated(40_000), simulated(40_000))
    found = estimate(release, lambda sample: sample, clock=Clock(10.0, 10.5, 11.0, 15.5))  # three times the records: 9×
    assert found is not None
    assert found.seconds == pytest.approx(0.5 * 10**2 * 4)  # a thousand records to ten thousand, then in proportion
    assert found.bytes == PROCESS + COPIES * 8 * 40_000 * 5


@pytest.mark.parametrize("seconds", [(1.0, 1.0), (2.0, 3.0), (1.0, 30.0), (3.0, 1.0), (0.0, 0.0)])
def test_the_time_of_the_sample_is_its_own_and_never_falls(seconds):
    samples = tuple(zip(SAMPLES, seconds, strict=True))
    sizes = [3_000, 9_999, 10_000, 10_001, 100_000, 1_000_000]
    times = [seconds_of(*samples, records) for records in sizes]
    assert times[0] == seconds[1]
    assert times == sorted(times)
    assert times[-1] == pytest.approx(100 * times[2])


def test_work_that_does_not_apply_to_a_sample_has_no_estimate():
    def refuses(sample):
        raise SdcError("not on a sample")

    assert estimate(Release.in_order(ordinary(), ordinary()), refuses) is None


def test_a_sample_has_the_rows_of_its_records():
    data = simulated(1_000)
    kept = np.arange(0, 1_000, 3)
    release = Release(data, data.take(kept), rows=Sampled(kept))
    sample = sampled_release(release, 50)
    assert len(sample.original) == len(sample.masked) == 50
    assert np.array_equal(sample.original.columns["income"], sample.masked.columns["income"])


def test_rows_that_belong_to_nobody_are_sampled_apart():
    release = Release(simulated(300), simulated(200, seed=2), rows=Unrelated())
    sample = sampled_release(release, 50)
    assert (len(sample.original), len(sample.masked)) == (50, 50)
    assert isinstance(sample.rows, Unrelated)


def test_too_little_memory_is_an_error_with_figures_and_a_cure(monkeypatch):
    release = Release.in_order(ordinary(), ordinary())
    monkeypatch.setattr(module, "free_memory", lambda: memory(release) - 1)
    with pytest.raises(SdcError, match=r"0\.4 GB are free; take a sample"):
        refuse_without_memory(release)
    for enough in (memory(release), None):
        monkeypatch.setattr(module, "free_memory", lambda enough=enough: enough)
        refuse_without_memory(release)


def test_an_estimate_is_printed_in_units_that_suit():
    assert str(Estimate(130, round(1.2 * 2**30))) == "about 2 min and 1.2 GB"


@pytest.mark.slow
@pytest.mark.parametrize("chain", [["additive-noise"], ["pram", "rank-swapping"]], ids=str)
def test_the_estimate_is_of_the_right_order_for_sixty_thousand_records(chain):
    release = protect(simulated(60_000), chain, seed=1)
    found = estimate(release, assess, clock=process_time)
    start = process_time()
    assess(release)
    took = process_time() - start
    assert found is not None
    assert took / 3 < found.seconds < took * 3
