"""Edits are counted on a file in parts as they are in memory, whatever single parts look like."""

from pathlib import Path

import numpy as np
import pytest

from sdckit.edit_checks import broken_edits as broken_in_memory
from sdckit.edits import Edits
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.edit_checks import broken_edits, broken_in_file
from sdckit.engines.from_memory import in_parts
from sdckit.engines.pair import Pair
from sdckit.evaluation.edit_checks import broken_edits as compared_in_memory
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release

EDITS = Edits.from_text("total == one + other", "one >= 0")


def accounts(*rows: tuple[float, float, float]) -> Microdata:
    """Amounts with one decimal, and the edits that they obey."""
    columns = dict(zip(("one", "other", "total"), np.array(rows).T, strict=True))
    attributes = tuple(Attribute(name, Kind.CONTINUOUS, Role.KEY, decimals=1) for name in columns)
    return Microdata(attributes, columns, EDITS)


ROUNDED = ((1.3, 1.3, 2.7), (1.0, 1.0, 2.0))  # off by the unit, which rounding explains
EXACT = ((1.0, 2.0, 3.0), (1.05, 1.0, 2.05))  # a value between two multiples: nothing here is rounded


def test_a_unit_is_that_of_the_whole_file_and_not_of_a_part(duckdb_engine: DuckDBEngine, tmp_path: Path) -> None:
    """By themselves the rounded parts obey the edit; beside exact values, nothing explains the difference."""
    rounded, mixed = accounts(*ROUNDED), accounts(*ROUNDED, *EXACT)
    assert broken_in_file(in_parts(rounded, tmp_path / "rounded", 2), duckdb_engine) == {}
    found = broken_in_file(in_parts(mixed, tmp_path / "mixed", 2), duckdb_engine)
    assert found == {str(each.edit): each.records for each in broken_in_memory(mixed)}
    assert list(found.values()) == [1]


@pytest.mark.parametrize("part_records", [1, 2, 5])
def test_the_edits_that_a_release_breaks_are_those_from_memory(
    duckdb_engine: DuckDBEngine, tmp_path: Path, part_records: int
) -> None:
    original = accounts(*EXACT, *ROUNDED, (5.0, 5.0, 11.0))
    masked = accounts((-1.0, 2.0, 3.0), (1.05, 1.0, 2.05), (2.0, 2.0, 9.0), (1.0, 1.0, 2.0), (5.0, 5.0, 10.0))
    files = [in_parts(each, tmp_path / str(n), part_records) for n, each in enumerate((original, masked))]
    found = broken_edits(Pair(files[0], files[1]), duckdb_engine)
    assert found == compared_in_memory(Release.in_order(original, masked))
    assert [(each.records, each.broken, each.broken_before) for each in found] == [(5, 2, 2), (5, 1, 0)]


def test_a_file_without_edits_breaks_none(duckdb_engine: DuckDBEngine, tmp_path: Path) -> None:
    data = accounts(*EXACT)
    plain = Microdata(data.attributes, data.columns)
    file = in_parts(plain, tmp_path, 1)
    assert broken_in_file(file, duckdb_engine) == {} and broken_edits(Pair(file, file), duckdb_engine) == ()
