"""Figures of a release in parts are those of the release in memory."""

from pathlib import Path

import numpy as np
import pytest

from sdckit.attribute import Role
from sdckit.engines import in_columns
from sdckit.engines.assess import Exactness, assess
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.memory_limit import PROCESS
from sdckit.engines.open_pair import open_pair
from sdckit.errors import NotApplicableError, SdcError
from sdckit.evaluation.assess import assess as assess_in_memory
from sdckit.evaluation.measurement import named_measures
from sdckit.files import read, write
from sdckit.files.release_files import read_masked
from sdckit.release import Release, protect
from sdckit.schema import Declared, Schema

MEASURES = (
    "k-anonymity",
    "uniqueness",
    "prosecutor-risk",
    "individual-risk",
    "il1:cap=1",
    "il1s",
    "il2",
    "il3",
    "il4",
    "il5",
    "il5-variation",
    "variables-loss",
    "discernibility",
    "average-class-size",
)
SCHEMA = Schema(
    {
        "weight": Declared(role=Role.WEIGHT),
        "age": Declared(role=Role.KEY),
        "region": Declared(role=Role.KEY),
        "marital": Declared(role=Role.KEY),
        "income": Declared(role=Role.CONFIDENTIAL),
        "expenditure": Declared(role=Role.CONFIDENTIAL),
    }
)


@pytest.fixture
def masked(survey: Path, tmp_path: Path) -> Path:
    """The survey with noise, local suppression of keys, and an unchanged column."""
    release = protect(
        read(survey / "survey.parquet", SCHEMA), ["local-suppression", "additive-noise"], seed=2, allow_undeclared=True
    )
    return write(release, tmp_path / "masked.parquet").path


@pytest.mark.parametrize("part_records", [113, 5000])
def test_figures_are_those_from_memory(
    survey: Path, masked: Path, duckdb_engine: DuckDBEngine, tmp_path: Path, part_records: int
) -> None:
    original = survey / "survey.parquet"
    pair = open_pair(
        original,
        masked,
        duckdb_engine,
        tmp_path,
        2**30,
        schema=SCHEMA,
        rows_in_order=True,
        part_records=part_records,
    )
    found = assess(pair, duckdb_engine, named_measures(MEASURES))
    whole = assess_in_memory(Release.in_order(read(original, SCHEMA), read_masked(masked, SCHEMA)), MEASURES)
    assert whole["k-anonymity"].details["holes_counted_as"]  # keys were suppressed, so both readings are compared
    for name, score in found.scores.items():
        expected = whole[name]
        assert score.value == pytest.approx(expected.value, rel=1e-12, abs=1e-15), name
        assert score.interval == (None if expected.interval is None else pytest.approx(expected.interval)), name
        for key, value in score.details.items():
            if isinstance(value, int | float):
                assert value == pytest.approx(expected.details[key], rel=1e-12), (name, key)
        if expected.by_attribute is not None:
            assert score.by_attribute == pytest.approx(expected.by_attribute, rel=1e-11)
        assert found.exactness[name] is Exactness.EXACT
    for name, score in found.before.items():
        assert score.value == pytest.approx(whole.before[name].value, rel=1e-12)


IN_COLUMNS = ("distinct-l-diversity", "t-closeness", "suda2", "interval-disclosure", "contingency-table-loss")


def test_other_measures_have_their_columns_in_memory_and_are_exact(
    survey: Path, masked: Path, duckdb_engine: DuckDBEngine, tmp_path: Path
) -> None:
    original = survey / "survey.parquet"
    pair = open_pair(original, masked, duckdb_engine, tmp_path, 2**30, schema=SCHEMA, rows_in_order=True)
    found = assess(pair, duckdb_engine, named_measures(IN_COLUMNS))
    whole = assess_in_memory(Release.in_order(read(original, SCHEMA), read_masked(masked, SCHEMA)), IN_COLUMNS)
    assert {name: score.value for name, score in found.scores.items()} == {
        name: score.value for name, score in whole.items()
    }
    assert set(found.exactness.values()) == {Exactness.EXACT}
    with pytest.raises(NotApplicableError, match=r"t-closeness does not apply: .*allow more \(--memory\)"):
        assess(pair, duckdb_engine, named_measures("t-closeness"), memory=2**28)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ordinary-intruder", "informed-intruder"])
def test_an_intruder_finds_what_one_finds_in_memory(
    survey: Path, duckdb_engine: DuckDBEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    original, target, recipe = survey / "survey.parquet", tmp_path / "swapped.parquet", tmp_path / "recipe.toml"
    release = protect(read(original, SCHEMA), ["rank-swapping", "pram"], seed=2, allow_undeclared=True)
    assert release.recipe is not None
    write(release, target)
    recipe.write_text(release.recipe.to_toml(), encoding="utf-8")
    pair = open_pair(original, target, duckdb_engine, tmp_path, 2**30, schema=SCHEMA, recipe=recipe, rows_in_order=True)
    measure = named_measures(f"{name}:targets=200")
    whole = assess_in_memory(release, measure)[name]
    found = assess(pair, duckdb_engine, measure)
    assert found.exactness[name] is Exactness.SAMPLED
    assert found.scores[name].value == whole.value
    monkeypatch.setattr(in_columns, "COMPILED", 0)  # which is more than all columns of so small a file
    least = PROCESS + 8 * pair.records * len(pair.keys())
    bounded = assess(pair, duckdb_engine, measure, memory=least + 30 * 8 * pair.records * 4)
    score = bounded.scores[name]
    assert bounded.exactness[name] is Exactness.BOUNDED
    assert score.details["known_records"] == 200
    assert score.interval is not None
    assert score.value <= whole.value + score.interval[1] - score.interval[0]
    with pytest.raises(NotApplicableError, match="allow more"):
        assess(pair, duckdb_engine, measure, memory=2**28)


def test_a_linkage_is_measured_on_a_sample_against_all_rows(
    survey: Path, masked: Path, duckdb_engine: DuckDBEngine, tmp_path: Path
) -> None:
    original = survey / "survey.parquet"
    pair = open_pair(original, masked, duckdb_engine, tmp_path, 2**30, schema=SCHEMA, rows_in_order=True)
    found = assess(pair, duckdb_engine, named_measures(["mixed-linkage"]), seed=1)
    score = found.scores["mixed-linkage"]
    assert found.exactness["mixed-linkage"] is Exactness.SAMPLED
    assert score.details["sampled_records"] == 1000
    whole = assess_in_memory(Release.in_order(read(original, SCHEMA), read_masked(masked, SCHEMA)), "mixed-linkage")
    assert score.interval is not None
    assert score.interval[0] <= whole["mixed-linkage"].value <= score.interval[1]
    with pytest.raises(NotApplicableError, match="allow more"):
        assess(pair, duckdb_engine, named_measures(["mixed-linkage"]), memory=10)


def test_rows_in_another_order_are_refused(survey: Path, duckdb_engine: DuckDBEngine, tmp_path: Path) -> None:
    release = protect(read(survey / "survey.parquet"), "additive-noise", ["income"], seed=1)
    turned = release.masked.take(np.arange(len(release.masked))[::-1])
    target = write(turned, tmp_path / "turned.parquet").path
    recipe = tmp_path / "recipe.toml"
    assert release.recipe is not None
    recipe.write_text(release.recipe.to_toml(), encoding="utf-8")
    with pytest.raises(SdcError, match="differs in"):
        open_pair(
            survey / "survey.parquet",
            target,
            duckdb_engine,
            tmp_path,
            2**30,
            recipe=recipe,
            rows_in_order=True,
            part_records=500,
        )
