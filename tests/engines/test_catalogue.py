"""Every masking that an engine plans as exact gives the values of the file masked in memory."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from sdckit.catalogue import Entry, entries
from sdckit.draws import Draws
from sdckit.engines.duckdb_engine import DuckDBEngine
from sdckit.engines.from_memory import in_parts
from sdckit.engines.output import frame_of, written_form
from sdckit.engines.parts import WorkingFile
from sdckit.engines.plan import Way, plan
from sdckit.engines.steps import Work
from sdckit.errors import SdcError
from sdckit.frames.to_frame import polars_series
from sdckit.masking import Masking
from sdckit.microdata import Kind, Microdata, Role
from sdckit.occurring_values import only_occurring
from sdckit.progress import NoProgress, Progress
from sdckit.recipe import Recipe
from sdckit.rows import Rows
from sdckit.testing.files import fitting, odd_files, ordinary

T = TypeVar("T")
MEMORY = 2**31
LIGHT = {
    "additive-noise": Way.ROWS,
    "bottom-coding": Way.ROWS,
    "global-recoding": Way.ROWS,
    "global-recoding-breaks": Way.COLUMNS,
    "pram": Way.ROWS,
    "rank-swapping": Way.RANKS,
    "rank-swapping-buckets": Way.RANKS,
}
MASKINGS = {entry.name: entry for entry in entries("masking", Microdata)}


def agree(entry: Entry, data: Microdata, folder: Path, engine: DuckDBEngine, part_records: int) -> Way | None:
    """How the masking was done in parts, once its values are those from memory; None where it is refused."""
    masking = entry.build(**entry.component.example)
    assert isinstance(masking, Masking)
    names = fitting(data, masking.kinds)
    try:
        recipe = Recipe.of(masking, names).resolve(data)
        whole = recipe.protect(data, draws=Draws.of(11))
    except SdcError:
        return None
    file = in_parts(data, folder, part_records)
    try:
        planned = plan(recipe.resolve(file.header), file.header, MEMORY)
    except SdcError:
        assert masking.rows is not Rows.KEPT or masking.adds
        return None
    work = Work(engine, Draws.of(11), folder / "scratch", NoProgress())
    for step in planned.steps:
        file = work.apply(file, step)
    for name in names:
        found = file.column(name)
        assert file.header.attribute(name).categories == whole.attribute(name).categories
        assert np.array_equal(found, whole.columns[name], equal_nan=found.dtype == np.float64), (entry.name, name)
        assert file.header.missing(name) == whole.missing(name)
    assert_frame_equal(written(file, engine), released(whole))
    return planned.steps[0].way


def written(file: WorkingFile, engine: DuckDBEngine) -> pl.DataFrame:
    """The parts as they are written, one after the other."""
    form = written_form(file, engine, NoProgress())
    return pl.concat([frame_of(file, form, part) for part in range(len(file.cut))])


def released(whole: Microdata) -> pl.DataFrame:
    """The file as it is written from memory."""
    occurring = only_occurring(whole)
    kept = [each for each in occurring.attributes if each.role is not Role.IDENTIFIER]
    return pl.DataFrame([polars_series(occurring, each) for each in kept])


@pytest.mark.parametrize("name", LIGHT)
def test_parts_across_ties_and_missing_values_give_the_values_from_memory(
    name: str, duckdb_engine: DuckDBEngine, tmp_path: Path
) -> None:
    data = odd_files()["ties and missing values"]
    assert agree(MASKINGS[name], data, tmp_path, duckdb_engine, 7) is LIGHT[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name, entry in MASKINGS.items() if entry.component.seeded])
def test_every_masking_gives_the_values_from_memory(name: str, duckdb_engine: DuckDBEngine, tmp_path: Path) -> None:
    files = {"ordinary": ordinary(), **odd_files()}
    for number, data in enumerate(files.values()):
        if fitting(data, MASKINGS[name].component.kinds or Kind.ANY) and len(data) > 1:
            agree(MASKINGS[name], data, tmp_path / str(number), duckdb_engine, 13)


class Shuffled(DuckDBEngine):
    """An engine that visits the parts in another order, as the workers of a cluster do."""

    def run(self, kernel: Callable[[int], T], parts: Sequence[int], progress: Progress = NoProgress()) -> list[T]:
        order = np.random.default_rng(0).permutation(list(parts)).tolist()
        found = dict(zip(order, super().run(kernel, order, progress), strict=True))
        return [found[part] for part in parts]


def test_parts_visited_in_another_order_give_the_same_values(tmp_path: Path) -> None:
    engine = Shuffled(tmp_path, 2**28)
    data = odd_files()["ties and missing values"]
    for name in ("additive-noise", "rank-swapping-distribution"):
        assert agree(MASKINGS[name], data, tmp_path / name, engine, 3) is not None
    engine.close()
