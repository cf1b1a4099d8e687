"""Kills at random points: nothing half-written, nothing lost, no process left, and the same result on the next run.

Half of the kills come at a random time, half at a random operation on a file; half are SIGKILL, half SIGTERM. In half
of the trials an older output is there, to be replaced.
"""

import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

import numpy as np

from torture._log import Log
from torture._running import MODULES, Running, imported_by, start
from torture._scenarios import INPUTS, SCENARIOS, Scenario
from torture._wholeness import broken_by_the_kill, contents, of_output, strangers
from torture._workers import in_forks

COUNT = 1_000
RECORDS = 60
OLD = b"an older output\n"


@dataclass(frozen=True)
class Whole:
    """A command that ended by itself: its files, its time, and how many operations on files it made."""

    folder: Path
    files: dict[str, str]
    seconds: float
    operations: int


def run(count: int, seed: int, log: Log) -> None:
    """Kill commands `count` times."""
    # A TemporaryDirectory would be removed by the first forked process that ends.
    root = Path(mkdtemp(prefix="torture-"))
    try:
        inputs = root / "inputs"
        _make_inputs(inputs)
        references = {each.name: _whole(each, inputs, root, log) for each in SCENARIOS}

        def trials(turn: int, found: Log) -> None:
            """One of each scenario."""
            first = turn * len(SCENARIOS)
            for number in range(first, min(first + len(SCENARIOS), count)):
                scenario, folder = SCENARIOS[number - first], root / f"trial {number}"
                rng = np.random.default_rng([seed, number])
                _trial(scenario, references[scenario.name], inputs, folder, rng, number, found)
                shutil.rmtree(folder)
            found.line(f"trials {first} to {number}: {len(found.failures)} failures of this process so far")

        in_forks(range(-(-count // len(SCENARIOS))), trials, root, log)
    finally:
        shutil.rmtree(root)


def _make_inputs(folder: Path) -> None:
    """Make the inputs in another process: masking starts threads, after which this one could not be forked."""
    code = "import sys, pathlib, torture._files as files; folder = pathlib.Path(sys.argv[1]); "
    code += f"files.make_folder(folder, {RECORDS}); files.make_release(folder)"
    subprocess.run([sys.executable, "-c", code, str(folder)], check=True)


def _whole(scenario: Scenario, inputs: Path, root: Path, log: Log) -> Whole:
    """Run a command twice without a kill: compiled kernels are then on disk, and both results must agree."""
    found = []
    for turn in ("first", "second"):
        folder = root / f"{scenario.name} {turn}"
        _copy(inputs, folder)
        counted, modules = root / "counted", root / "modules"
        begun = time.monotonic()
        code, _ = _start(scenario, folder, extra={"TORTURE_COUNT": str(counted), MODULES: str(modules)}).finish()
        seconds = time.monotonic() - begun
        if code != 0:
            raise SystemExit(f"{scenario.name} fails without a kill: exit code {code}")
        imported_by(modules)
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


def _start(
    scenario: Scenario,
    folder: Path,
    operation: int = 0,
    sent: int = signal.SIGKILL,
    *,
    force: bool = False,
    extra: dict[str, str] | None = None,
) -> Running:
    options = [*(["--force"] if force else []), "--quiet"]
    environment = {"TMPDIR": str(folder / "tmp")} | (extra or {})
    return start([*scenario.arguments, *options], folder, environment, operation, sent)
