"""Run `sdckit` and end it by a signal at its n-th operation on a file of the current folder.

`python -m torture._killed NUMBER SIGNAL ARGUMENT …`; with number 0 it is not ended, and the operations are counted into
the file that TORTURE_COUNT names.
"""

import os
import runpy
import sys
from pathlib import Path

OPERATIONS = frozenset(("open", "os.rename", "os.link", "os.remove", "os.mkdir", "os.chmod", "os.rmdir", "os.truncate"))


def main(number: int, signal_number: int, arguments: list[str]) -> None:
    """Run the command line under a hook that counts operations."""
    folder, counted, process = os.getcwd(), 0, os.getpid()

    def hook(event: str, values: tuple[object, ...]) -> None:
        nonlocal counted
        if event not in OPERATIONS or not values or os.getpid() != process:
            return
        path = values[0]
        if not isinstance(path, str | os.PathLike) or not os.path.abspath(os.fspath(path)).startswith(folder):
            return
        counted += 1
        if counted == number:
            os.kill(process, signal_number)

    sys.addaudithook(hook)
    sys.argv = ["sdckit", *arguments]
    try:
        runpy.run_module("sdckit", run_name="__main__", alter_sys=True)
    finally:
        if number == 0 and "TORTURE_COUNT" in os.environ:
            total = counted
            Path(os.environ["TORTURE_COUNT"]).write_text(str(total), encoding="ascii")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
