"""Row blocks: work on independent rows, shared between the available cores."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

BLOCK = 2048  # rows given to a core at a time: enough to hide the overhead, few enough to balance the load


def over_row_blocks(rows: int, work: Callable[[int, int], object], block: int = BLOCK) -> None:
    """Call `work(start, stop)` for consecutive blocks of rows; work that releases the GIL runs on all cores."""
    spans = [(start, min(start + block, rows)) for start in range(0, rows, block)]
    if len(spans) < 2:
        for span in spans:
            work(*span)
        return
    with ThreadPoolExecutor(cores()) as pool:
        for finished in [pool.submit(work, *span) for span in spans]:
            finished.result()


def cores() -> int:
    """How many cores this process may use: as many as `OMP_NUM_THREADS` allows, as in a worker, else all it has."""
    allowed = os.environ.get("OMP_NUM_THREADS", "")
    if allowed.isdecimal() and int(allowed) > 0:
        return int(allowed)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
