import numpy as np
import polars as pl
import pytest
from scipy.stats import spearmanr
from tests.methods.files import correlated

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.methods.swapping.data_shuffling import DataShuffling
from sdckit.microdata import Kind, Microdata, Role
from sdckit.testing.files import a_file


def file_of(records: int, seed: int) -> Microdata:
    values = np.exp(correlated(records, 3, seed) / 3)
    frame = pl.DataFrame({"age": values[:, 0], "income": values[:, 1], "tax": values[:, 2]})
    return Microdata.from_frame(frame, roles={"age": "key", "income": "confidential", "tax": "confidential"})


def test_confidential_values_are_rearranged_and_keys_untouched():
    data = file_of(500, 1)
    masked = DataShuffling().protect(data, draws=Draws.of(1))
    assert np.array_equal(masked.columns["age"], data.columns["age"])
    for name in ("income", "tax"):
        assert np.array_equal(np.sort(masked.columns[name]), np.sort(data.columns[name]))
        assert (masked.columns[name] == data.columns[name]).mean() < 0.05


def test_rank_correlations_survive():
    """At 5,000 records a rank correlation is off by about 0.014 a deviation; two draws differ by 0.02."""
    data = file_of(5000, 2)
    masked = DataShuffling().protect(data, draws=Draws.of(2))
    names = ["age", "income", "tax"]
    before, after = spearmanr(data.matrix(names)).statistic, spearmanr(masked.matrix(names)).statistic
    assert after == pytest.approx(before, abs=0.06)


def test_one_record_stays_and_missing_values_are_refused():
    alone = file_of(1, 1)
    assert DataShuffling().protect(alone, draws=Draws.of(1)).columns["tax"] == alone.columns["tax"]
    frame = pl.DataFrame({"income": [1.0, None, 3.0]})
    with pytest.raises(SchemaError, match="'income': 1 of its 3 values are missing"):
        DataShuffling().protect(Microdata.from_frame(frame), draws=Draws.of(1))


def test_it_reads_the_other_ordered_keys():
    data = a_file(30)
    ordered = set(data.names(kind=Kind.ORDERED, role=Role.KEY))
    assert set(DataShuffling().also_reads(data, ["rent"])) == ordered - {"rent"}
