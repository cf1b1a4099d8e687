"""Work that was interrupted goes on at the part where it stopped, with the same draws."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sdckit.engines.protect import Prepared, prepare, protect
from sdckit.engines.working_folder import SECRET, folder_beside, working_folder
from sdckit.errors import FileError
from sdckit.progress import NoProgress
from sdckit.recipe import Recipe
from tests.engines.conftest import DUCKDB

STEPS = ["additive-noise", "rank-swapping"]


class StopsAfter(NoProgress):
    """Ends the run when so many parts were visited, as a kill would."""

    def __init__(self, pieces: int) -> None:
        self.left = pieces

    def advance(self, label: str = "") -> None:
        self.left -= 1
        if self.left < 0:
            raise KeyboardInterrupt


def prepared(survey: Path, steps: list[str] = STEPS) -> Prepared:
    return prepare(survey / "survey.csv", None, Recipe.of(steps), DUCKDB, part_records=200)


@pytest.mark.parametrize("pieces", [3, 12, 25])
def test_an_interrupted_run_goes_on_and_gives_the_same_file(survey: Path, tmp_path: Path, pieces: int) -> None:
    whole, target = tmp_path / "whole.csv", tmp_path / "target.csv"
    protect(prepared(survey), whole, DUCKDB, seed=9)
    with pytest.raises(KeyboardInterrupt):
        protect(prepared(survey), target, DUCKDB, seed=9, progress=StopsAfter(pieces))
    assert not target.exists()
    done = {path: path.stat().st_mtime_ns for path in folder_beside(target).glob("original/*.arrow")}
    assert done
    assert protect(prepared(survey), target, DUCKDB, seed=9).resumed
    assert target.read_bytes() == whole.read_bytes()
    assert not folder_beside(target).exists()


def test_without_a_seed_the_secret_of_the_interrupted_run_is_kept(survey: Path, tmp_path: Path) -> None:
    run = {"source": "a"}
    with pytest.raises(KeyboardInterrupt), working_folder(tmp_path / "x.csv", run, None) as first:
        raise KeyboardInterrupt
    with working_folder(tmp_path / "x.csv", run, None) as second:
        assert second.resumed
        assert second.secret == first.secret


def test_noise_that_no_seed_repeats_is_kept_for_the_run_that_goes_on(survey: Path, tmp_path: Path) -> None:
    """Values with two independent draws of noise would be less private than either."""
    pytest.importorskip("opendp")
    target = tmp_path / "target.csv"
    recipe = Recipe.of("laplace-noise:lower=0,upper=120", ["age"])
    run = prepare(survey / "survey.csv", None, recipe, DUCKDB, part_records=200, allow_undeclared=True)
    pieces = 0
    while not (kept := list(folder_beside(target).glob("scratch/step-01-*.npz"))):
        pieces += 2
        with pytest.raises(KeyboardInterrupt):
            protect(run, target, DUCKDB, progress=StopsAfter(pieces))
    with np.load(kept[0]) as stored:
        drawn = stored["arr_0"]
    assert (kept[0].stat().st_mode & 0o077) == 0
    assert protect(run, target, DUCKDB).resumed
    assert pl.read_csv(target)["age"].to_numpy() == pytest.approx(drawn)


def test_another_run_starts_anew(survey: Path, tmp_path: Path) -> None:
    target = tmp_path / "target.csv"
    with pytest.raises(KeyboardInterrupt):
        protect(prepared(survey), target, DUCKDB, seed=9, progress=StopsAfter(8))
    assert not protect(prepared(survey, ["rounding"]), target, DUCKDB, seed=9).resumed


def test_two_runs_on_one_target_are_refused(tmp_path: Path) -> None:
    with (
        working_folder(tmp_path / "x.csv", {}, 1),
        pytest.raises(FileError, match="another run is writing"),
        working_folder(tmp_path / "x.csv", {}, 1),
    ):
        pass


class Counts(NoProgress):
    """Counts the pieces announced and those that start."""

    total: int | None = None
    started = 0

    def begin(self, total: int | None = None) -> None:
        self.total = total

    def advance(self, label: str = "") -> None:
        self.started += 1


@pytest.mark.parametrize("target", ["target.csv", "target.parquet", "parts"])
@pytest.mark.parametrize("cells", [False, True])
def test_as_many_pieces_start_as_were_announced(
    survey: Path, tmp_path: Path, target: str, cells: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if cells:
        monkeypatch.setattr("sdckit.engines.plan.QUADRATIC_UP_TO", 100)
        monkeypatch.setattr("sdckit.engines.plan.CELL", 500)
    progress = Counts()
    steps = ["rounding", "rank-swapping", "optimal-univariate", "mdav:attributes=age" if cells else "mdav"]
    protect(prepared(survey, steps), tmp_path / target, DUCKDB, seed=9, progress=progress)
    assert progress.started == progress.total


@pytest.mark.slow
def test_a_killed_process_is_resumed_by_the_same_command(tmp_path: Path) -> None:
    source, whole, target = (tmp_path / name for name in ("file.parquet", "whole.parquet", "target.parquet"))
    rng = np.random.default_rng(2)
    pl.DataFrame({name: rng.normal(size=2_000_000) for name in "abcd"}).write_parquet(source)

    def command(out: Path) -> list[str]:
        methods = ["--method", "additive-noise", "--method", "rank-swapping"]
        engine = ["--engine", "duckdb", "--memory", "600MB", "--seed", "5"]
        return [sys.executable, "-m", "sdckit", "protect", str(source), str(out), *methods, *engine]

    subprocess.run(command(whole), check=True, capture_output=True)
    process = subprocess.Popen(command(target), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not any(folder_beside(target).glob("step-01/*.arrow")):
        assert process.poll() is None
    process.kill()
    process.wait()
    assert not target.exists()
    done = subprocess.run(command(target), check=True, capture_output=True, text=True)
    assert "an earlier run was interrupted" in done.stderr
    assert pl.read_parquet(target).equals(pl.read_parquet(whole))


@pytest.mark.skipif(os.name != "posix", reason="no permissions to look at")
@pytest.mark.parametrize("kind", ["open to all", "open to the group", "a link", "a file"])
def test_a_folder_in_which_others_could_plant_a_secret_is_not_gone_on_from(tmp_path: Path, kind: str) -> None:
    """Whoever knows the secret of the draws undoes the masking, and the parts are the original."""
    target, run = tmp_path / "x.csv", {"source": "a"}
    with pytest.raises(KeyboardInterrupt), working_folder(target, run, None):
        raise KeyboardInterrupt
    folder = folder_beside(target)
    if kind == "a link":
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere")
    elif kind == "a file":
        folder.rename(tmp_path / "elsewhere")
        folder.write_text("", encoding="utf-8")
    else:
        folder.chmod(0o777 if kind == "open to all" else 0o750)
    with pytest.raises(FileError, match="remove it"), working_folder(target, run, None):
        pass


@pytest.mark.parametrize("secret", ["", "{}", "[]", "null", '{"value": 1}', '{"value": "no hex", "guessable": 0}'])
def test_a_damaged_secret_is_drawn_anew(tmp_path: Path, secret: str) -> None:
    target, run = tmp_path / "x.csv", {"source": "a"}
    with pytest.raises(KeyboardInterrupt), working_folder(target, run, None):
        raise KeyboardInterrupt
    (folder_beside(target) / SECRET).write_text(secret, encoding="utf-8")
    with working_folder(target, run, None) as again:
        assert not again.resumed and len(again.secret.value) >= 16
