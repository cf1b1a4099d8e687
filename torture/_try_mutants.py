"""Test mutants in this process, one after the other, and print the outcome of each as a line of JSON.

`python -m torture._try_mutants COUNT SEED FOLDER WORKER`: those of the sample that fall to one of the workers, in a
copy of the tree that is made in the folder.
"""

import json
import sys
from pathlib import Path

from torture._module_tests import Bench
from torture.mutants import SURVIVED, share


def main(count: int, seed: int, folder: Path, worker: int) -> None:
    """Test a share of the sampled mutants."""
    bench = Bench.copied(folder)
    for each in share(count, seed, worker):
        if any(bench.kills(each, [file]) for file in bench.tests_of(each.module)):
            outcome = "killed by the tests of its module"
        elif bench.kills(each, bench.wider_tests_of(each.module)):
            outcome = "killed by the tests of what uses it"
        else:
            outcome = SURVIVED
        print(json.dumps([outcome, str(each)]), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4]))
