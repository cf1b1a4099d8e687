"""The time of a run, estimated before it begins."""

from pathlib import Path

from sdckit.engines.engine_name import EngineName
from sdckit.engines.estimate import estimate
from sdckit.engines.protect import prepare
from sdckit.recipe import Recipe
from tests.engines.conftest import DUCKDB

MEASURED = (48.0, 78.0)  # seconds of small files by Spark, on two cores busy with other work


def seconds(file: Path, steps: int, engine: EngineName) -> float:
    recipe = Recipe.of(["rank-swapping:window=0.1", "additive-noise"][:steps])
    return estimate(prepare(file, None, recipe, DUCKDB), engine).seconds


def test_spark_on_a_small_file_takes_what_it_takes_to_start(survey: Path) -> None:
    expected = seconds(survey / "survey.parquet", 1, EngineName.SPARK)
    assert all(measured / 3 < expected < 3 * measured for measured in MEASURED)


def test_each_further_step_takes_jobs_of_spark(survey: Path) -> None:
    one, two = (seconds(survey / "survey.parquet", steps, EngineName.SPARK) for steps in (1, 2))
    assert one + 1 < two < one + 20


def test_duckdb_on_a_small_file_takes_seconds(survey: Path) -> None:
    assert seconds(survey / "survey.parquet", 2, EngineName.DUCKDB) < 3
