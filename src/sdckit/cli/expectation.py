"""What to expect of long work on a large file: its time and memory, on stderr, before it begins."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdckit.cli.terminal import Terminal
    from sdckit.release import Release


def expect(
    terminal: "Terminal", release: "Release", work: "Callable[[Release], object] | None", *, at_least: bool = False
) -> None:
    """Print what work on a large release takes, and refuse it where the memory does not suffice.

    `at_least` says that `work` is a part of what will be done; None that there is no quick part to time.
    """
    from sdckit.evaluation.estimate import LARGE, estimate, refuse_without_memory, size

    if size(release) <= LARGE:
        return
    refuse_without_memory(release)
    if terminal.quiet or work is None:
        return
    found = estimate(release, work)
    if found is not None:
        more = ", and more for the slow measures" if at_least else ""
        print(f"{size(release):,} {release.original.unit}s: this takes {found}{more}", file=sys.stderr, flush=True)
