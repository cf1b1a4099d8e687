"""Progress: counted by whoever watches, cancelled from there, and printed also without a terminal."""

import sys
from dataclasses import dataclass, field
from io import StringIO
from threading import Event

import numpy as np
import pytest

from sdckit.cli import progress as shown
from sdckit.cli.progress import LineProgress
from sdckit.cli.terminal import Terminal
from sdckit.kernels.compiled import compilations
from sdckit.progress import Cancelled, NoProgress, by_count, by_piece
from sdckit.release import protect
from sdckit.testing.files import ordinary


@dataclass
class Watcher:
    cancelled: bool = False
    seen: list[object] = field(default_factory=list)

    def begin(self, total: int | None = None) -> None:
        self.seen.append(total)

    def advance(self, label: str = "") -> None:
        self.seen.append(label)


def test_pieces_are_passed_on() -> None:
    watcher = Watcher()
    start = by_piece(watcher, 2)
    start("il1")
    start("il2")
    assert watcher.seen == [2, "il1", "il2"]


def test_counts_become_pieces() -> None:
    watcher = Watcher()
    finish = by_count(watcher)
    finish(0, 3, "first")
    finish(2, 3, "third")
    finish(3, 3, "third")
    assert watcher.seen == [3, "first", "third", "third"]


@pytest.mark.parametrize(
    "call", [lambda watcher: by_piece(watcher)("il1"), lambda watcher: by_count(watcher)(0, 1, "")]
)
def test_work_that_is_cancelled_stops(call) -> None:
    with pytest.raises(Cancelled):
        call(Watcher(cancelled=True))


def test_nobody_needs_to_watch(capfd: pytest.CaptureFixture[str]) -> None:
    by_piece(NoProgress())("il1")
    by_count(NoProgress())(1, 2, "il1")
    assert capfd.readouterr() == ("", "")


def test_a_line_says_what_is_done_and_for_how_long() -> None:
    lines = LineProgress("measuring", 40)
    assert lines.line() == "measuring (0 s)"
    for _ in range(12):
        lines.advance("distance-linkage")
    assert lines.line() == "measuring 12/40: distance-linkage (0 s)"
    lines.begin(None)
    lines.advance()
    assert lines.line() == "measuring 1 (0 s)"


class Stderr(StringIO):
    """A stream that lets a test wait for its first line."""

    def __init__(self) -> None:
        super().__init__()
        self.written = Event()

    def flush(self) -> None:
        self.written.set()


@pytest.mark.parametrize("json", [False, True])
def test_lines_appear_without_a_terminal(json: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stderr()
    monkeypatch.setattr(shown, "SECONDS_BETWEEN_LINES", 0.01)
    monkeypatch.setattr(sys, "stderr", stream)
    with Terminal(json).progress("measuring", 2) as progress:
        progress.advance("il1")
        stream.written.clear()
        assert stream.written.wait(timeout=60)
    assert "measuring 1/2: il1 (" in stream.getvalue()


def test_quiet_work_has_no_progress() -> None:
    with Terminal(quiet=True).progress("measuring", 2) as progress:
        assert isinstance(progress, NoProgress)


def test_quick_work_prints_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    with Terminal().progress("reading"):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("quiet", "lines"), [(False, 1), (True, 0)])
def test_a_run_that_compiles_says_so_once(
    quiet: bool, lines: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(compilations, "count", 0)
    with Terminal(quiet=quiet).progress("masking"):
        compilations.started()
        compilations.started()
    assert capsys.readouterr().err.count("compiling the kernels once; later runs start at once\n") == lines
    assert compilations.before_first is None, "what is compiled outside a verb is not announced"


def test_each_step_of_a_chain_is_a_piece_of_masking() -> None:
    watcher = Watcher()
    protect(ordinary(), ["rank-swapping", "additive-noise"], seed=1, progress=watcher)
    assert watcher.seen == [2, "rank-swapping", "additive-noise"]


def test_masking_can_be_cancelled_between_steps() -> None:
    class AfterOneStep(Watcher):
        def advance(self, label: str = "") -> None:
            super().advance(label)
            self.cancelled = True

    watcher = AfterOneStep()
    with pytest.raises(Cancelled):
        protect(ordinary(), ["rank-swapping", "additive-noise"], seed=1, progress=watcher)
    assert watcher.seen == [2, "rank-swapping"]


def test_a_watched_masking_is_the_same_as_another() -> None:
    recipe = ["rank-swapping", "additive-noise"]
    watched, plain = (protect(ordinary(), recipe, seed=1, progress=each).masked for each in (Watcher(), NoProgress()))
    assert all(np.array_equal(watched.columns[name], plain.columns[name], equal_nan=True) for name in ("age", "rent"))


def test_a_line_says_how_long_the_rest_will_take(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter([0.0, 30.0, 900.0])
    monkeypatch.setattr("sdckit.cli.progress.monotonic", lambda: next(seconds))
    lines = LineProgress("masking", 12, time_left=True)
    for part in range(4):
        lines.advance(f"part {part + 1}")
    assert lines.line() == "masking 4/12: part 4 (30 s, about 90 s left)"
    assert lines.line() == "masking 4/12: part 4 (900 s, about 45 min left)"
