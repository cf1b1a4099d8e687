import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.methods.sampling.simple_sampling import SimpleSampling
from sdckit.methods.sampling.stratified_sampling import StratifiedSampling
from sdckit.microdata import Microdata
from sdckit.release import protect


def file_of(records: int) -> Microdata:
    frame = pl.DataFrame(
        {
            "value": np.arange(records, dtype=float),
            "region": [("north", "south", "south")[i % 3] for i in range(records)],
            "home": [i // 2 for i in range(records)],
            "weight": [10.0] * records,
        }
    )
    return Microdata.from_frame(frame, roles={"value": "key", "region": "key", "weight": "weight"})


@given(st.integers(1, 40), st.floats(0, 1), st.integers(0, 99))
def test_the_drawn_rows_are_rows_of_the_file_in_their_order(records, share, seed):
    data = file_of(records)
    release = protect(data, SimpleSampling(share=share), seed=seed)
    assert release.origin is not None
    assert len(release.masked) == max(1, np.ceil(share * records - 1e-9))
    assert (np.diff(release.origin) > 0).all()
    assert np.array_equal(release.masked.columns["value"], data.columns["value"][release.origin])


@pytest.mark.slow
def test_every_record_has_the_same_probability():
    counts = np.zeros(10)
    for seed in range(2000):
        masked = SimpleSampling(share=0.3).protect(file_of(10), draws=Draws.of(seed))
        counts[masked.columns["value"].astype(int)] += 1
    assert chisquare(counts).pvalue > 0.001


@pytest.mark.parametrize("masking", [SimpleSampling(share=0.25), StratifiedSampling(share=0.25)])
def test_weights_stand_for_the_whole_file(masking):
    data = file_of(120)
    masked = masking.protect(data, draws=Draws.of(1))
    assert masked.columns["weight"].sum() == pytest.approx(data.columns["weight"].sum())


def test_households_are_drawn_whole():
    data = file_of(60).with_roles(home="household")
    masked = SimpleSampling(share=0.5).protect(data, draws=Draws.of(1))
    assert set(np.bincount(masked.columns["home"].astype(int))) <= {0, 2}
    assert len(masked) == 30


def test_every_stratum_is_there_in_its_share():
    masked = StratifiedSampling(share=0.2, strata=("region",)).protect(file_of(90), draws=Draws.of(1))
    assert np.bincount(masked.columns["region"]).tolist() == [6, 12]


def test_a_small_stratum_keeps_its_least_units():
    data = file_of(4)
    masked = StratifiedSampling(share=0.0, strata=("region",), min_records=1).protect(data, draws=Draws.of(1))
    assert np.bincount(masked.columns["region"]).tolist() == [1, 1]


def test_no_strata_to_be_found_is_an_error_that_shows_how_to_name_them():
    data = Microdata.from_frame(pl.DataFrame({"x": [1.0, 2.0]}))
    with pytest.raises(SchemaError, match="strata=region"):
        StratifiedSampling().protect(data, draws=Draws.of(1))


def test_a_research_subset_is_what_its_column_marks():
    frame = pl.DataFrame({"x": [1.0, 2.0, 3.0], "chosen": ["yes", "no", "TRUE"]})
    data = Microdata.from_frame(frame, roles={"x": "key"})
    masked = protect(data, "research-subset:column=chosen", seed=1).masked
    assert masked.columns["x"].tolist() == [1.0, 3.0] and masked.lineage.tolist() == [0, 2]
    assert len(protect(data, "research-subset", seed=1).masked) == 3
    with pytest.raises(SchemaError, match="mark the records to publish"):
        protect(data.take(np.array([1])), "research-subset:column=chosen", seed=1)
