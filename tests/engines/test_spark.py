"""Spark runs the plan of DuckDB: same values, same figures, also where a worker is lost in mid-run."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from sdckit.cli import main
from sdckit.draws import Draws
from sdckit.engines.assess import assess
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.engine import Engine, Relation
from sdckit.engines.from_memory import in_parts
from sdckit.engines.key_classes import key_classes
from sdckit.engines.pair import Pair
from sdckit.engines.parts import WorkingFile
from sdckit.engines.plan import plan
from sdckit.engines.protect import prepare, protect
from sdckit.engines.steps import Work
from sdckit.errors import FileError, SdcError
from sdckit.evaluation.measurement import named_measures
from sdckit.files import write
from sdckit.microdata import Microdata
from sdckit.progress import Cancelled, NoProgress, Progress
from sdckit.recipe import Recipe
from sdckit.testing.files import odd_files
from tests.engines.conftest import DUCKDB, SPARK

pytest.importorskip("pyspark", reason="pyspark is not installed: pip install 'sdckit[spark]'")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Spark needs Java 17: install a JDK and set JAVA_HOME", allow_module_level=True)

pytestmark = pytest.mark.slow
STEPS = ["top-coding", "rank-swapping:window=0.2", "additive-noise"]


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    from sdckit.engines.spark_engine import SparkEngine

    engine = SparkEngine(tmp_path_factory.mktemp("spark"), 2**30)
    yield engine
    engine.close()


def data() -> Microdata:
    return odd_files()["ties and missing values"]


def masked_by(engine: Engine, folder: Path) -> tuple[WorkingFile, WorkingFile]:
    original = in_parts(data(), folder, 11)
    file = original
    work = Work(engine, Draws.of(4), folder / "scratch", NoProgress())
    recipe = Recipe.of(STEPS).resolve(original.header)
    for step in plan(recipe, original.header, 2**30).steps:
        file = work.apply(file, step)
    return original, file


def test_spark_gives_the_values_and_figures_of_duckdb(
    spark: Engine, duckdb_engine: DuckDBEngine, tmp_path: Path
) -> None:
    pairs = {engine.name: masked_by(engine, tmp_path / engine.name) for engine in (spark, duckdb_engine)}
    whole = Recipe.of(STEPS).protect(data(), draws=Draws.of(4))
    measures = named_measures(["k-anonymity", "uniqueness", "il1s", "il2", "il5"])
    figures = {}
    for engine in (spark, duckdb_engine):
        original, masked = pairs[engine.name]
        for name, column in whole.columns.items():
            assert np.array_equal(masked.column(name), column, equal_nan=column.dtype == np.float64), name
        found = assess(Pair(original, masked), engine, measures)
        figures[engine.name] = {name: score.value for name, score in found.scores.items()}
    assert figures["spark"] == figures["duckdb"]


def test_a_worker_that_is_killed_in_mid_run_loses_nothing(spark: Engine, tmp_path: Path) -> None:
    file = in_parts(data(), tmp_path, 11)
    names = [each.name for each in file.header.attributes][:2]
    killed = tmp_path / "killed"

    def kernel(part: int) -> int:
        if part == 1 and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)  # the worker's own process, as if its machine were lost
        file.write("copied", part, file.columns(part, names))
        return len(file.columns(part, names)[names[0]])

    counts = spark.run(kernel, range(len(file.cut)))
    assert killed.exists()
    assert sum(counts) == len(data())
    copied = file.after("copied", names)
    for name in names:
        column = data().columns[name]
        assert np.array_equal(copied.column(name), column, equal_nan=column.dtype == np.float64)


def loses_workers(folder: Path) -> type[Engine]:
    """Spark that loses a worker in every call of a kernel and in every query: before the work on a part, and after."""
    from sdckit.engines.spark_engine import SparkEngine

    def die_once(name: str) -> None:
        try:
            (folder / name).touch(exist_ok=False)
        except FileExistsError:
            return
        os.kill(os.getpid(), signal.SIGKILL)

    class LosesWorkers(SparkEngine):
        calls = 0

        def run(self, kernel: Any, parts: Sequence[int], progress: Progress = NoProgress()) -> list[Any]:
            LosesWorkers.calls += 1
            call = LosesWorkers.calls

            def killed(part: int) -> Any:
                if part == 0:
                    die_once(f"run-{call}-before")
                result = kernel(part)
                if part == 2:
                    die_once(f"run-{call}-after")
                return result

            return super().run(killed, parts, progress)

        def _frame(self, table: Relation) -> Any:
            LosesWorkers.calls += 1
            call = LosesWorkers.calls

            def read(part: int) -> Mapping[str, Any]:
                values = table.read(part)
                if part == 1:
                    die_once(f"query-{call}")
                return values

            return super()._frame(replace(table, read=read))

    return LosesWorkers


@pytest.mark.parametrize("target", ["target.csv", "parts"])
def test_workers_lost_while_reading_sorting_masking_and_writing_cost_nothing(
    spark: Engine, survey: Path, tmp_path: Path, target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = Recipe.of(
        ["additive-noise:attributes=income", "rank-swapping:attributes=age", "pram:attributes=region", "top-coding"]
    )
    ready = prepare(survey / "survey.csv", None, recipe, SPARK, part_records=300, allow_undeclared=True)
    protect(ready, tmp_path / f"whole-{target}", DUCKDB, seed=7)
    deaths = tmp_path / "deaths"
    deaths.mkdir()
    lossy = loses_workers(deaths)
    monkeypatch.setattr("sdckit.engines.protect.start", lambda choice, folder: lossy(folder, choice.memory))
    protect(ready, tmp_path / target, SPARK, seed=7)
    died = [path.name for path in deaths.iterdir()]
    assert sum(name.endswith("after") for name in died) >= 4  # reading, two steps by rows, the form, writing
    assert sum(name.startswith("query") for name in died) >= 2  # ranks, categories
    if target == "parts":
        whole, found = (pl.read_parquet(str(tmp_path / name / "*.parquet")) for name in ("whole-parts", "parts"))
        assert found.equals(whole)
    else:
        assert (tmp_path / target).read_bytes() == (tmp_path / f"whole-{target}").read_bytes()


def test_spark_groups_as_duckdb_does(spark: Engine, duckdb_engine: DuckDBEngine, tmp_path: Path) -> None:
    file = in_parts(data(), tmp_path, 11)
    names = tuple(each.name for each in file.header.attributes)[:3]
    one, other = (key_classes(file, engine, names) for engine in (spark, duckdb_engine))
    assert one.has_holes
    assert one.tally.tolist() == other.tally.tolist()
    assert one.holes.rows.tolist() == other.holes.rows.tolist()


def test_an_error_of_a_worker_is_one_line_and_the_workers_go_on(spark: Engine) -> None:
    def damaged(part: int) -> int:
        if part == 1:
            raise FileError("part 1 is damaged; restore it")
        return part

    with pytest.raises(SdcError, match=r"^a worker of Spark stopped: part 1 is damaged; restore it$"):
        spark.run(damaged, range(2))
    assert spark.run(lambda part: part * part, range(3)) == [0, 1, 4]


def test_a_worker_without_a_package_is_said_with_its_cure(spark: Engine) -> None:
    def imports(part: int) -> None:
        import no_such_package  # noqa: F401

    with pytest.raises(SdcError, match=r"^a worker of Spark lacks the package 'no_such_package'; every worker needs"):
        spark.run(imports, range(2))


class Stops(NoProgress):
    """Asks to stop once the work has begun."""

    asked = 0

    @property
    def cancelled(self) -> bool:
        self.asked += 1
        return self.asked > 1


def test_work_that_is_cancelled_stops(spark: Engine, tmp_path: Path) -> None:
    def waits(part: int) -> None:
        while not (tmp_path / "never").exists():
            pass

    with pytest.raises(Cancelled):
        spark.run(waits, range(2), Stops())


def test_a_folder_may_have_any_name_and_nothing_is_printed_where_that_is_asked_for(tmp_path: Path) -> None:
    folder = tmp_path / "a b%20 'c'"
    folder.mkdir()
    write(data(), folder / "file.csv")
    for engine in ("spark", "memory"):
        words = ["protect", "file.csv", f"{engine}.csv", "--method", "rank-swapping", "--attributes", "age"]
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "sdckit",
                *words,
                "--engine",
                engine,
                "--seed",
                "3",
                "--quiet",
                "--allow-undeclared",
            ],
            capture_output=True,
            text=True,
            cwd=folder,
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
    assert (folder / "spark.csv").read_bytes() == (folder / "memory.csv").read_bytes()
    assert sorted(path.name for path in folder.iterdir()) == ["file.csv", "memory.csv", "spark.csv"]
    assert [path.name for path in tmp_path.iterdir()] == [folder.name]


SESSIONS = """
import sys
from pathlib import Path
from sdckit.engines.spark_engine import SparkEngine

for number, memory in enumerate((2**30, 3 * 2**30, 3 * 2**30)):
    folder = Path(sys.argv[1]) / str(number)
    folder.mkdir()
    engine = SparkEngine(folder, memory)
    session = engine._session
    heap = session._jvm.java.lang.Runtime.getRuntime().maxMemory()
    print(heap / memory, session.conf.get("spark.local.dir") == str(folder / "spill"), engine.run(abs, [-1, 2]))
    engine.close()
"""


def test_a_later_session_of_a_process_has_its_own_memory_and_folder(tmp_path: Path) -> None:
    """Java takes its memory when it starts, and half of the limit of a run is for Java."""
    done = subprocess.run([sys.executable, "-c", SESSIONS, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    lines = [line.split(maxsplit=2) for line in done.stdout.splitlines()]
    assert len(lines) == 3
    for share, own_folder, results in lines:
        assert 0.4 < float(share) <= 0.51 and own_folder == "True" and results == "[1, 2]"


def a_survey_with_odd_names(path: Path) -> None:
    """Names that differ in case alone, with spaces, dots, quotes and letters of other scripts; weights and holes."""
    rng = np.random.default_rng(6)
    count = 90
    columns: dict[str, Any] = {
        "Home Town": rng.choice(["São Paulo", "Ely, Cambs", 'say "hi"', "Ω"], count),
        "home town": rng.choice(["x", "y"], count),
        "Age": rng.integers(18, 90, count),
        "age": rng.normal(40, 10, count).round(2),
        "年齢 in a.b": rng.integers(0, 9, count),
        "`record`": rng.lognormal(8, 1, count).round(2),
        "c0": rng.integers(1, 50, count) / 2,
    }
    frame = pl.DataFrame(columns)
    holes = [pl.when(pl.Series(rng.random(count) > 0.1)).then(pl.col(name)).alias(name) for name in frame.columns[:-1]]
    frame.with_columns(holes).write_csv(path)


def test_every_verb_gives_the_same_by_spark_and_from_memory(
    spark: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sdckit.engines.part_size.SMALLEST", 1)
    monkeypatch.setattr("sdckit.engines.part_size.LARGEST", 40)
    source, schema, policy = (tmp_path / name for name in ("survey.csv", "schema.toml", "policy.toml"))
    a_survey_with_odd_names(source)
    policy.write_text('[[rules]]\nmeasure = "uniqueness"\nmax = 1\n\n[[rules]]\nmeasure = "il1s"\nmax = 9\n', "utf-8")

    def result(*words: object) -> Any:
        capsys.readouterr()
        code = main([*map(str, words), "--json"])
        shown = capsys.readouterr()
        assert code == 0, shown.out + shown.err
        return json.loads(shown.out)

    result("describe", source, "--schema-out", schema, "--engine", "memory")
    said: dict[str, list[Any]] = {}
    for engine in ("memory", "spark"):
        out = tmp_path / f"{engine}.csv"
        recipe, key = out.with_suffix(".toml"), out.with_suffix(".key")
        options = ("--schema", schema, "--engine", engine)
        steps = ("rank-swapping:window=0.2", "additive-noise", "pram:attributes=Home Town")
        methods = [word for step in steps for word in ("--method", step)]
        files = ("--recipe-out", recipe, "--key-out", key)
        described = result("describe", source, "--engine", engine)
        result("protect", source, out, *options, *methods, *files, "--seed", 3, "--allow-undeclared")
        known = ("--recipe", recipe, "--key", key, *options)
        measures = [word for name in ("uniqueness", "k-anonymity", "il2", "il5") for word in ("--measure", name)]
        assessed = result("assess", source, out, *known, *measures)
        gated = result("gate", out, "--original", source, "--policy", policy, *known)
        figures = {each["name"]: each["value"] for each in assessed["scores"]}
        rules = {each["rule"]: (each["value"], each["met"]) for each in gated["rules"]}
        said[engine] = [described, out.read_bytes(), recipe.read_bytes(), assessed["counts"], figures, rules]
    for ours, theirs in zip(said["memory"][:4], said["spark"][:4], strict=True):
        assert ours == theirs
    assert said["spark"][4] == pytest.approx(said["memory"][4], rel=1e-11)
    for name, (value, met) in said["memory"][5].items():
        assert said["spark"][5][name] == (pytest.approx(value, rel=1e-11), met)


LOST = """
import os, signal, sys
from pathlib import Path
from pyspark import SparkContext
from sdckit.engines.spark_engine import SparkEngine
from sdckit.errors import SdcError

engine = SparkEngine(Path(sys.argv[1]), 2**30)
java = SparkContext._gateway.proc
os.kill(java.pid, signal.SIGKILL)
java.wait()
try:
    engine.run(abs, [-1])
except SdcError as problem:
    print(problem)
engine.close()
again = SparkEngine(Path(sys.argv[1]), 2**30)
print(again.run(abs, [-1, 2]))
again.close()
"""


def test_a_spark_that_is_lost_is_one_line_and_the_next_run_of_the_process_starts_another(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", LOST, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["the connection to Spark was lost; give the same command again", "[1, 2]"]
