"""Mutation testing: sampled mutants of kernels and contracts, each against the tests of its module.

Every test and every file of these has a time of its own. One that survives is tried against the tests of what uses
the module. At least 85 % must be killed. Survivors are listed, to be looked at: some change nothing that can be
observed.
"""

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from torture._ast_mutations import Mutant, mutant, sites
from torture._log import Log
from torture._workers import WORKERS

ROOT = Path(__file__).resolve().parents[1]
COUNT = 400
SURVIVED = "survived"
ENOUGH = 0.85
FOLDERS = ("kernels", "laws", "matching")
CONTRACTS = (
    *(
        "release",
        "rows",
        "row_agreement",
        "row_order",
        "row_sets",
        "row_masking",
        "key",
        "draws",
        "digest",
        "candidates",
    ),
    *("masking", "recipe", "release_table", "edits", "measure", "intruder", "knowledge"),
)


def run(count: int, seed: int, log: Log) -> None:
    """Test `count` sampled mutants, in processes of their own."""
    command = [sys.executable, "-m", "torture._try_mutants", str(count), str(seed)]
    with TemporaryDirectory(prefix="torture-") as name, ThreadPoolExecutor(WORKERS) as pool:
        trees = [Path(name) / f"tree {worker}" for worker in range(WORKERS)]
        for _ in pool.map(lambda worker: _follow([*command, str(trees[worker]), str(worker)], log), range(WORKERS)):
            pass
    tested = sum(log.outcomes.values())
    killed = 1 - log.outcomes[SURVIVED] / max(tested, 1)
    if tested < len(sampled(count, seed)):
        log.failure(f"{tested} mutants were tested, and {len(sampled(count, seed))} were sampled")
    if killed < ENOUGH:
        log.failure(f"{killed:.1%} of {tested} mutants were killed, and {ENOUGH:.0%} must be")
    else:
        log.line(f"{killed:.1%} of {tested} mutants were killed")


def _follow(command: list[str], log: Log) -> None:
    """Count what a process finds, which prints an outcome and a mutant in each line."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            outcome, described = json.loads(line)
            log.count(outcome)
            if outcome == SURVIVED:
                log.line(f"SURVIVED {described}")


def share(count: int, seed: int, worker: int) -> list[Mutant]:
    """The sampled mutants that one of the processes tests: whole modules, as their tests are the same."""
    chosen = sampled(count, seed)
    own = sorted({each.module for each in chosen})[worker::WORKERS]
    return [each for each in chosen if each.module in own]


def sampled(count: int, seed: int) -> list[Mutant]:
    """Mutants drawn from all of them, in the order of the modules, so that tests are timed once."""
    sources = {module: (ROOT / module).read_text(encoding="utf-8") for module in modules()}
    every = [(module, number) for module, source in sources.items() for number in range(sites(source))]
    drawn = np.random.default_rng(seed).choice(len(every), min(count, len(every)), replace=False)
    chosen = (every[index] for index in np.sort(drawn))
    found = (mutant(module, sources[module], number) for module, number in chosen)
    return [each for each in found if each is not None]


def modules() -> list[str]:
    """The kernels and contracts, by their paths in the tree."""
    package = ROOT / "src" / "sdckit"
    found = [path for folder in FOLDERS for path in sorted((package / folder).glob("*.py"))]
    found += [package / f"{name}.py" for name in CONTRACTS]
    return [path.relative_to(ROOT).as_posix() for path in found if path.name != "__init__.py"]
