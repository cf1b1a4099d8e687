"""Summaries of a column in parts are those of the column in memory."""

from pathlib import Path

import numpy as np

from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.from_memory import in_parts
from sdckit.engines.observed import ObservedColumn
from sdckit.microdata import Attribute, Kind, Microdata


def test_summaries_are_those_from_memory(duckdb_engine: DuckDBEngine, tmp_path: Path) -> None:
    values = np.random.default_rng(8).lognormal(1, 2, 1501).round(1)
    values[::7] = np.nan
    data = Microdata((Attribute("x", Kind.CONTINUOUS),), {"x": values})
    column = ObservedColumn(in_parts(data, tmp_path, 97), duckdb_engine, "x")
    present = values[~np.isnan(values)]
    assert len(column) == len(present)
    assert column.standard_deviation() == present[:, None].std(axis=0, ddof=1)[0]
    assert column.median() == np.median(present)
    assert [column.order_statistic(k) for k in (0, 11, len(present) - 1)] == np.sort(present)[[0, 11, -1]].tolist()
    assert column.negated().order_statistic(3) == np.sort(-present)[3]
    threshold = float(np.quantile(present, 0.9))
    assert column.tail(threshold) == (int((present > threshold).sum()), present[present > threshold].mean())
    assert column.distances_from(5.0).median() == np.median(np.abs(present - 5.0))
