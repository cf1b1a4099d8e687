"""Local suppression by partition keeps its promise in the whole file, and loses little more than in one piece."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sdckit.draws import Draws
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.from_memory import in_parts
from sdckit.engines.partitions import _pieces
from sdckit.engines.plan import PlannedStep, Way, plan
from sdckit.engines.steps import Work
from sdckit.errors import SchemaError
from sdckit.kernels.equivalence_classes import wildcard_frequencies
from sdckit.methods import LocalSuppression
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.progress import NoProgress
from sdckit.recipe import Recipe

NAMES = ("town", "age", "job")


def microdata(rows: np.ndarray) -> Microdata:
    """Two coded keys and a number among them, and a region for strata; −1 is missing."""
    attributes = [
        Attribute("town", Kind.UNORDERED, Role.KEY, categories=tuple("abcdef")),
        Attribute("age", Kind.CONTINUOUS, Role.KEY),
        Attribute("job", Kind.UNORDERED, Role.KEY, categories=tuple("uvwxyz")),
        Attribute("region", Kind.UNORDERED, Role.OTHER, categories=("north", "south")),
    ]
    columns = {
        "town": rows[:, 0].astype(np.int32),
        "age": np.where(rows[:, 1] < 0, np.nan, rows[:, 1] / 2),
        "job": rows[:, 2].astype(np.int32),
        "region": (np.arange(len(rows)) % 2).astype(np.int32),
    }
    return Microdata(tuple(attributes), columns)


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DuckDBEngine]:
    engine = DuckDBEngine(tmp_path_factory.mktemp("partitions"), 2**28)
    yield engine
    engine.close()


def suppressed(engine: DuckDBEngine, data: Microdata, method: str, most: int = 7) -> tuple[Microdata, list[str]]:
    """The file after suppression in partitions, and what is said of it."""
    step = Recipe.of([method], NAMES).resolve(data).steps[0]
    with TemporaryDirectory() as name:
        file = in_parts(data, Path(name), 13)
        work = Work(engine, Draws.of(1), Path(name) / "scratch", NoProgress())
        out = work.by_partitions(
            file, PlannedStep(0, step, Way.PARTITIONS, step.attributes, 2, most), "step", Draws.of(1)
        )
        masked = out.in_memory([*NAMES, "region"])
        assert {each: out.header.missing(each) for each in NAMES} == {each: masked.missing(each) for each in NAMES}
    return masked, work.notes


def assert_nothing_is_invented(data: Microdata, masked: Microdata) -> None:
    for name in NAMES:
        kept = ~masked.absent(name)
        assert np.array_equal(masked.columns[name][kept], data.columns[name][kept])


rows = st.lists(st.tuples(*[st.integers(-1, 5)] * 3), min_size=6, max_size=40).map(np.array)


@given(rows=rows, most=st.integers(3, 15), k=st.integers(2, 3))
@settings(max_examples=8, deadline=None)
def test_enough_records_of_the_whole_file_agree_with_each(
    engine: DuckDBEngine, rows: np.ndarray, most: int, k: int
) -> None:
    data = microdata(rows)
    masked, notes = suppressed(engine, data, f"local-suppression:group_size={k}", most)
    assert wildcard_frequencies(masked.codes(NAMES).astype(np.int64)).min() >= k
    assert_nothing_is_invented(data, masked)
    assert not any("to keep the promise" in note for note in notes)


@pytest.mark.parametrize("method", ["subsets=town*age+job", "known=2", "strata=region", "importance=5+1+1"])
def test_sets_of_keys_strata_and_importance_are_kept_by_partition(engine: DuckDBEngine, method: str) -> None:
    data = microdata(np.random.default_rng(3).integers(-1, 6, (60, 3)))
    masked, _ = suppressed(engine, data, f"local-suppression:{method}", most=11)
    codes = masked.codes(NAMES).astype(np.int64)
    sets = {"subsets": [[0, 1], [2]], "known": [[0, 1], [0, 2], [1, 2]]}.get(method.split("=")[0], [[0, 1, 2]])
    regions = masked.columns["region"] if method.startswith("strata") else np.zeros(60)
    for region in np.unique(regions):
        for keys in sets:
            assert wildcard_frequencies(codes[np.ix_(regions == region, keys)]).min() >= 3
    assert_nothing_is_invented(data, masked)


def test_what_a_partition_does_not_keep_is_repaired(engine: DuckDBEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LocalSuppression, "suppressed", lambda self, codes, costs, sets: codes)
    data = microdata(np.random.default_rng(4).integers(-1, 6, (60, 3)))
    for method, regions in (("group_size=3", np.zeros(60)), ("strata=region", data.columns["region"])):
        masked, notes = suppressed(engine, data, f"local-suppression:{method}")
        codes = masked.codes(NAMES).astype(np.int64)
        assert min(wildcard_frequencies(codes[regions == each]).min() for each in np.unique(regions)) >= 3
        assert any("to keep the promise" in note for note in notes)
        assert_nothing_is_invented(data, masked)


def test_a_stratum_with_too_few_records_is_refused(engine: DuckDBEngine) -> None:
    data = microdata(np.zeros((3, 3)))
    with pytest.raises(SchemaError, match="records of a stratum of 'region' cannot be 3-anonymous"):
        suppressed(engine, data, "local-suppression:strata=region")


def test_pieces_end_between_different_records_whatever_the_batches() -> None:
    keys = np.sort(np.repeat([1.0, 2.0, 2.5, 3.0, np.nan], [9, 1, 2, 7, 4]))
    masking = LocalSuppression(group_size=3)
    expected = None
    for cuts in ([], [1], [2, 3, 9, 10], [8, 9, 19], list(range(1, 23))):
        spans = zip([0, *cuts], [*cuts, len(keys)], strict=True)
        table = {"c0": keys, "record": np.arange(len(keys))}
        batches = (pa.record_batch({name: column[a:b] for name, column in table.items()}) for a, b in spans)
        found = [(piece.columns[:, 0].tolist(), piece.records.tolist()) for piece in _pieces(batches, 1, masking, 4)]
        expected = expected or found
        assert str(found) == str(expected)  # NaN is not equal to itself
        assert [len(records) for _, records in found] == [4, 5, 3]
    assert [records for _, records in expected] == [[0, 1, 2, 9], [10, 11, 12, 13, 14], [19, 20, 21]]


def test_suppression_is_planned_in_partitions_where_it_does_not_fit() -> None:
    from sdckit.engines.header import Header

    header = Header.of(microdata(np.zeros((1, 3))).attributes, 10_000_000, {})

    def way(method: str) -> Way:
        return plan(Recipe.of([method], NAMES).resolve(header), header, 2**30).steps[0].way

    assert way("local-suppression") is Way.PARTITIONS
    assert way("local-suppression:known=1") is Way.PARTITIONS
