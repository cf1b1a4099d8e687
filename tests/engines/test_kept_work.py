"""A run that goes on does only what is left, says what the whole run would have said, and explains a failure."""

import errno
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.feather as feather
import pytest

from sdckit.draws import Draws
from sdckit.engines import kept_pieces
from sdckit.engines import plan as planning
from sdckit.engines.choose import Choice, resumed_choice
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.engine_name import EngineName
from sdckit.engines.from_memory import in_parts
from sdckit.engines.plan import PlannedStep, Way
from sdckit.engines.protect import Prepared, prepare, protect
from sdckit.engines.steps import Work
from sdckit.engines.working_folder import folder_beside, working_folder
from sdckit.errors import DiskFullError, SdcError
from sdckit.methods import LocalSuppression
from sdckit.methods.microaggregation.mdav import Mdav
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.progress import NoProgress
from sdckit.recipe import Recipe
from tests.engines.conftest import DUCKDB

RECORDS, PARTS = 330, 90


def numbers() -> Microdata:
    rng = np.random.default_rng(4)
    columns = {"x": rng.lognormal(0, 1, RECORDS), "y": rng.normal(0, 1, RECORDS)}
    return Microdata(tuple(Attribute(name, Kind.CONTINUOUS, Role.KEY) for name in columns), columns)


def codes() -> Microdata:
    rng = np.random.default_rng(5)
    names = ("town", "job", "age")
    columns = {name: rng.integers(0, 6, RECORDS).astype(np.int32) for name in names}
    return Microdata(
        tuple(Attribute(name, Kind.UNORDERED, Role.KEY, categories=tuple("abcdef")) for name in names), columns
    )


def planned(data: Microdata, method: str) -> PlannedStep:
    """The step in cells of 60 records, or in partitions of about 40."""
    step = Recipe.of([method]).resolve(data).steps[0]
    way = Way.CELLS if "mdav" in method else Way.PARTITIONS
    return PlannedStep(0, step, way, step.attributes, 1, 60 if way is Way.CELLS else 40)


class Counter:
    """Counts the calls of a method, and ends the run as a kill would when there are too many."""

    def __init__(self, most: int | None = None) -> None:
        self.calls, self.most = 0, most

    def around(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*given: Any, **named: Any) -> Any:
            self.calls += 1
            if self.most is not None and self.calls > self.most:
                raise KeyboardInterrupt
            return method(*given, **named)

        return counted


@pytest.mark.parametrize("calls", [1, 2, 5])
@pytest.mark.parametrize(
    ("data", "method", "kernel"),
    [(numbers(), "mdav", (Mdav, "protect")), (codes(), "local-suppression", (LocalSuppression, "suppressed"))],
)
def test_cells_and_partitions_that_are_done_are_not_done_again(
    data: Microdata,
    method: str,
    kernel: tuple[type, str],
    calls: int,
    duckdb_engine: DuckDBEngine,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kept_pieces, "KEPT_EVERY", 0.0)
    monkeypatch.setattr(kept_pieces, "SHARE", np.inf)
    step = planned(data, method)
    kind, name = kernel
    method_itself = getattr(kind, name)
    found, notes, counters = [], [], []
    for most in (None, calls, None):
        counters.append(counter := Counter(most))
        monkeypatch.setattr(kind, name, counter.around(method_itself))
        folder = tmp_path / ("whole" if len(counters) == 1 else "resumed")
        file = in_parts(data, folder, PARTS)
        work = Work(duckdb_engine, Draws.of(1), folder / "scratch", NoProgress())
        if most is not None:
            with pytest.raises(KeyboardInterrupt):
                work.apply(file, step)
            continue
        found.append(work.apply(file, step).in_memory(step.step.attributes))
        notes.append(work.notes)
    for each in step.step.attributes:
        assert np.array_equal(found[0].columns[each], found[1].columns[each])
    assert notes[0] == notes[1] and len(notes[0]) == 1
    whole, _, rest = counters
    assert rest.calls <= whole.calls - max(calls - 2, 0)  # one may be done again to measure a border
    assert not list((tmp_path / "resumed" / "scratch").glob("*.bin"))


def test_a_finished_step_is_not_done_again_and_says_the_same(
    survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planning, "QUADRATIC_UP_TO", 100)
    monkeypatch.setattr(planning, "CELL", 400)
    recipe = Recipe.of(["mdav:attributes=age", "optimal-univariate:attributes=age", "pram:attributes=region"])

    def run(target: str, progress: NoProgress) -> tuple[str, ...]:
        ready = prepare(survey / "survey.csv", None, recipe, DUCKDB, part_records=200, allow_undeclared=True)
        return protect(ready, tmp_path / target, DUCKDB, seed=9, progress=progress).notes

    said = run("whole.csv", NoProgress())
    assert any("done in 3 cells" in note for note in said)
    with pytest.raises(KeyboardInterrupt):
        run("target.csv", StopsAtTheWriting())
    counter = Counter(0)  # not one call is allowed
    for kind in {type(step.masking) for step in recipe.steps[:2]}:
        monkeypatch.setattr(kind, "transform", counter.around(kind.transform))
    assert run("target.csv", NoProgress()) == said
    assert (tmp_path / "target.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


class StopsAtTheWriting(NoProgress):
    """Ends the run, as a kill would, when all steps are done."""

    def advance(self, label: str = "") -> None:
        if label.startswith("writing"):
            raise KeyboardInterrupt


def ready(survey: Path, method: str = "additive-noise", choice: Choice = DUCKDB) -> Prepared:
    return prepare(survey / "survey.csv", None, Recipe.of([method]), choice, part_records=200)


@pytest.mark.slow
@pytest.mark.parametrize("writes", [0, 3, 8])
def test_a_full_disk_is_said_with_what_is_needed_and_the_run_goes_on_when_there_is_space(
    survey: Path, tmp_path: Path, writes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, write = [writes], feather.write_feather

    def until_full(table: Any, path: Path, **options: Any) -> None:
        left[0] -= 1
        if left[0] < 0:
            path.write_bytes(b"half of it")
            raise OSError(errno.ENOSPC, "No space left on device")
        write(table, path, **options)

    monkeypatch.setattr(feather, "write_feather", until_full)
    target = tmp_path / "target.csv"
    with pytest.raises(DiskFullError) as refused:
        protect(ready(survey), target, DUCKDB, seed=9)
    folder = folder_beside(target)
    message = str(refused.value)
    assert message.startswith("the disk is full: the parts take about ") and "are free" in message
    assert f"kept in {folder}, which has original values: the same command goes on" in message
    assert not [path for path in folder.rglob(".*") if path.is_file()] and not target.exists()
    monkeypatch.setattr(feather, "write_feather", write)
    assert protect(ready(survey), target, DUCKDB, seed=9).resumed
    protect(ready(survey), tmp_path / "whole.csv", DUCKDB, seed=9)
    assert target.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_run_that_fails_says_that_its_parts_are_kept(
    survey: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise SdcError("the engine is gone")

    monkeypatch.setattr("sdckit.engines.protect.write", fails)
    with pytest.raises(SdcError, match=r"^the engine is gone; the parts that are finished are kept in "):
        protect(ready(survey), tmp_path / "target.csv", DUCKDB)


def test_an_array_that_the_disk_has_no_space_for_is_an_error_and_not_the_end_of_the_process(tmp_path: Path) -> None:
    from sdckit.engines.ranked import scratch

    with pytest.raises(OSError):
        scratch(tmp_path / "array.bin", 2**58, np.float64)


def test_a_run_without_a_limit_goes_on_with_the_memory_of_the_interrupted_one(tmp_path: Path) -> None:
    target, run = tmp_path / "x.csv", {"source": "a"}
    free = Choice(EngineName.DUCKDB, "as asked for", 4_000, memory_is_set=False)
    with pytest.raises(KeyboardInterrupt), working_folder(target, run, None, 5_000):
        raise KeyboardInterrupt
    assert resumed_choice(free, target).memory == 5_000
    limited = Choice(EngineName.DUCKDB, "as asked for", 4_000)
    assert resumed_choice(limited, target).memory == 4_000  # the user's own limit
    little = Choice(EngineName.DUCKDB, "as asked for", 1_000, memory_is_set=False)
    assert resumed_choice(little, target).memory == 1_000  # so much is no longer free
    with working_folder(target, run, None, 4_000) as again:
        assert again.resumed and not again.discarded


def test_parts_of_another_plan_are_not_gone_on_from(survey: Path, tmp_path: Path) -> None:
    """Where the memory decides how a step is done, another limit is another run."""
    target, method = tmp_path / "target.csv", "local-suppression:group_size=2,attributes=age+region"
    with pytest.raises(KeyboardInterrupt):
        protect(ready(survey, method), target, DUCKDB, seed=9, progress=StopsAtTheWriting())
    small = Choice(EngineName.DUCKDB, "as asked for", 50_000)
    other = ready(survey, method, small)
    assert [step.way for step in other.plan.steps] == [Way.PARTITIONS]
    release = protect(other, target, DUCKDB, seed=9)
    assert release.discarded and not release.resumed
