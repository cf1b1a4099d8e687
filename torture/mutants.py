"""Mutation testing: sampled mutants of kernels and contracts, each against the tests of its module.

One that survives is tried against the tests of what uses the module. At least 85 % must be killed. Survivors are
listed, to be looked at: some change nothing that can be observed.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from torture._ast_mutations import Mutant, mutant, sites
from torture._log import Log
from torture._module_tests import ROOT, Bench

COUNT = 400
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
    """Test `count` sampled mutants."""
    chosen = sampled(count, seed)
    with TemporaryDirectory(prefix="torture-") as name:
        bench = Bench.copied(Path(name) / "tree")
        survivors, tested = [], 0
        for number, each in enumerate(chosen, start=1):
            tests, usual = bench.usable_tests(each.module)
            if not tests:
                log.count(f"no quick tests: {each.module}")
                continue
            tested += 1
            if bench.kills(each, tests, usual):
                log.count("killed by the tests of its module")
            elif (wider := bench.usable_tests(each.module, wider=True))[0] and bench.kills(each, *wider):
                log.count("killed by the tests of what uses it")
            else:
                log.count("survived")
                survivors.append(each)
                log.line(f"SURVIVED {each}")
            if number % 10 == 0:
                log.line(f"{number} of {len(chosen)}: {len(survivors)} survived")
    if not tested:
        log.failure("no mutant was tested")
    elif 1 - len(survivors) / tested < ENOUGH:
        log.failure(f"{1 - len(survivors) / tested:.1%} of {tested} mutants were killed, and {ENOUGH:.0%} must be")
    else:
        log.line(f"{1 - len(survivors) / tested:.1%} of {tested} mutants were killed")


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
