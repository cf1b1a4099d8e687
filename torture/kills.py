"""Kills at random points: nothing half-written, nothing lost, no process left, and the same result on the next run.

Half of the kills come at a random time, half at a random operation on a file; half are SIGKILL, half SIGTERM. In half
of the trials an older output is there, to be replaced.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import numpy as np

from torture._files import make_folder, make_release
from torture._log import Log
from torture._scenarios import INPUTS, SCENARIOS, Scenario
from torture._wholeness import broken_by_the_kill, contents, of_output, strangers

COUNT = 1_000
RECORDS = 60
LONGEST = 180.0  # seconds that one command may take
ENDED_WITHIN = 15.0  # seconds until workers have followed the process that they worked for
OLD = b"an older output\n"
MARK = "TORTURE_MARK"


@dataclass(frozen=True)
class Whole:
    """A command that ended by itself: its files, its time, and how many operations on files it made."""

    folder: Path
    files: dict[str, str]
    seconds: float
    operations: int


def run(count: int, seed: int, log: Log) -> None:
    """Kill commands `count` times."""
    with TemporaryDirectory(prefix="torture-") as name:
        root = Path(name)
        inputs = root / "inputs"
        make_folder(inputs, RECORDS)
        make_release(inputs)
        references = {each.name: _whole(each, inputs, root, log) for each in SCENARIOS}
        for number in range(count):
            scenario = SCENARIOS[number % len(SCENARIOS)]
            _trial(
                scenario,
                references[scenario.name],
                inputs,
                root / "trial",
                np.random.default_rng([seed, number]),
                number,
                log,
            )
            shutil.rmtree(root / "trial")


def _whole(scenario: Scenario, inputs: Path, root: Path, log: Log) -> Whole:
    """Run a command twice without a kill: compiled kernels are then on disk, and both results must agree."""
    found = []
    for turn in ("first", "second"):
        folder = root / f"{scenario.name} {turn}"
        _copy(inputs, folder)
        counted = root / "counted"
        start = time.monotonic()
        code, _ = _start(scenario, folder, extra={"TORTURE_COUNT": str(counted)}).finish()
        seconds = time.monotonic() - start
        if code != 0:
            raise SystemExit(f"{scenario.name} fails without a kill: exit code {code}")
        found.append(Whole(folder, contents(folder), seconds, int(counted.read_text())))
    names = [name for name in found[0].files if found[0].files[name] != found[1].files.get(name)]
    if names:
        log.failure(f"{scenario.name}: two runs with one seed differ in {names}")
    log.line(f"{scenario.name}: {found[1].seconds:.1f} s, {found[1].operations} operations on files")
    return found[1]


def _trial(
    scenario: Scenario, whole: Whole, inputs: Path, folder: Path, rng: np.random.Generator, number: int, log: Log
) -> None:
    _copy(inputs, folder)
    older = scenario.replaceable and not scenario.growing and bool(rng.integers(2))
    if older:
        for output in scenario.outputs:
            (folder / output).write_bytes(OLD)
    before = contents(folder)
    sent = signal.SIGTERM if rng.integers(2) else signal.SIGKILL
    operation = int(rng.integers(1, whole.operations + 1)) if rng.integers(2) else 0
    wait = float(rng.uniform(0, 1.05 * whole.seconds))
    point = f"operation {operation}" if operation else f"{wait:.2f} s"
    title = f"trial {number}: {scenario.name}, {sent.name} at {point}{', older output' if older else ''}"
    running = _start(scenario, folder, operation, sent, force=older)
    code, left = running.finish() if operation else running.end_after(wait, sent)
    for process in left:
        log.failure(f"{title}: a process is left: {process}")
    ended = code != 0
    log.count(f"{scenario.name}: {sent.name} {'ended it' if ended else 'came too late'}")
    after = contents(folder)
    lines = {each: (folder / each).read_bytes() for each in scenario.growing if (folder / each).is_file()}
    lines |= {f"{each}*": (whole.folder / each).read_bytes() for each in lines}
    for problem in broken_by_the_kill(
        scenario, before, whole.files, after, lines, cleaned=sent is signal.SIGTERM and ended
    ):
        log.failure(f"{title}: {problem}")
    _run_again(scenario, whole, folder, before, title, log)


def _run_again(scenario: Scenario, whole: Whole, folder: Path, before: dict[str, str], title: str, log: Log) -> None:
    """The same command once more must give the result of the one that was not killed, and remove what is stale."""
    if not scenario.replaceable and all((folder / output).exists() for output in scenario.outputs):
        return
    if not scenario.replaceable:  # its owner removes what an interrupted command left in plain sight
        for output in scenario.outputs:
            path = folder / output
            shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    code, _ = _start(scenario, folder, force=scenario.replaceable).finish()
    if code != 0:
        log.failure(f"{title}: the next run ends with exit code {code}")
        return
    again = contents(folder)
    for output in scenario.outputs:
        if _without_temporary(of_output(again, output)) != _without_temporary(of_output(whole.files, output)):
            log.failure(f"{title}: {output} of the next run differs from that of a run without a kill")
    for name in strangers(scenario, before, again):
        log.failure(f"{title}: the temporary {name} is left after the next run")


def _without_temporary(files: dict[str, str]) -> dict[str, str]:
    return {name: digest for name, digest in files.items() if "/." not in name}


def _copy(inputs: Path, folder: Path) -> None:
    folder.mkdir()
    (folder / "tmp").mkdir()
    for name in INPUTS:
        shutil.copy2(inputs / name, folder / name)


@dataclass(frozen=True)
class Running:
    """A command that is running, and the mark by which its processes are recognised."""

    process: "subprocess.Popen[bytes]"
    mark: str

    def end_after(self, seconds: float, sent: signal.Signals) -> tuple[int, list[str]]:
        """Send a signal after a time; the exit code and the processes that are left."""
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.send_signal(sent)
        return self.finish()

    def finish(self) -> tuple[int, list[str]]:
        """Wait for the end; the exit code and the processes that are left some seconds later, which are ended."""
        try:
            code = self.process.wait(LONGEST)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait(), ["the command itself: it did not end"]
        until = time.monotonic() + ENDED_WITHIN
        while (left := _marked(self.mark)) and time.monotonic() < until:
            time.sleep(0.1)
        for pid in left:
            os.kill(pid, signal.SIGKILL)
        return code, [f"{pid}" for pid in left]


def _start(
    scenario: Scenario,
    folder: Path,
    operation: int = 0,
    sent: int = signal.SIGKILL,
    *,
    force: bool = False,
    extra: dict[str, str] | None = None,
) -> Running:
    mark = uuid4().hex
    command = [sys.executable, "-m", "torture._killed", str(operation), str(int(sent)), *scenario.arguments]
    process = subprocess.Popen(
        [*command, *(["--force"] if force else []), "--quiet"],
        cwd=folder,
        env=os.environ | (extra or {}) | {MARK: mark, "TMPDIR": str(folder / "tmp"), "PYTHONPATH": _import_path()},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
        start_new_session=True,
    )
    return Running(process, mark)


def _import_path() -> str:
    return os.pathsep.join(str(Path(each).resolve()) for each in sys.path if each or Path.cwd())


def _marked(mark: str) -> list[int]:
    """The processes that inherited a mark in their environment and have not ended."""
    wanted, found = f"{MARK}={mark}".encode(), []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            if (
                wanted in (each / "environ").read_bytes()
                and (each / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
            ):
                found.append(int(each.name))
        except OSError:
            continue
    return found
