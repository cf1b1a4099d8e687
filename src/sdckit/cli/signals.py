"""SIGTERM and SIGHUP end a verb as an error does: what is being written is removed, and child processes are ended.

Python runs the handler of a signal between two steps of the main thread. Where that takes long, because a library is at
work, a thread of its own cleans up and ends the process.
"""

import os
import select
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType

SIGNALS = tuple(
    getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)
)  # Ctrl-C is Python's own
GRACE = 3.0  # seconds until the thread stops waiting for the main one


class Terminated(BaseException):
    """The process was asked to end; not an `Exception`, so that nothing but a clean-up catches it."""

    def __init__(self, number: int) -> None:
        self.number = number
        super().__init__(number)

    @property
    def code(self) -> int:
        """The exit code by convention."""
        return 128 + self.number


@contextmanager
def ending_cleanly() -> Iterator[None]:
    """While the block runs, the signals raise `Terminated`; ones that the caller ignores or handles are left alone."""
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [each for each in SIGNALS if signal.getsignal(each) is signal.SIG_DFL]
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, False)
    before = signal.set_wakeup_fd(write_end, warn_on_full_buffer=False)
    ended = threading.Event()
    watcher = threading.Thread(target=_watch, args=(read_end, frozenset(ours), ended), daemon=True)
    watcher.start()
    for each in ours:
        signal.signal(each, _terminate)
    try:
        yield
    finally:
        for each in ours:
            signal.signal(each, signal.SIG_DFL)
        signal.set_wakeup_fd(before)
        ended.set()
        os.close(write_end)
        watcher.join()
        os.close(read_end)


def _terminate(number: int, frame: FrameType | None) -> None:
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN)  # nothing interrupts the clean-up
    raise Terminated(number)


def _watch(read_end: int, numbers: frozenset[int], ended: threading.Event) -> None:
    """Wait for a signal, then for the main thread to end; end the process where that takes too long."""
    while received := os.read(read_end, 1):
        if received[0] not in numbers:
            continue
        if not ended.wait(GRACE):
            clean_up()
            os._exit(128 + received[0])


def clean_up() -> None:
    """Remove what is being written by this process and by those that it has started, and end those."""
    from sdckit.files.temporary import remove_in_use, remove_left_by

    remove_in_use()
    remove_left_by(_end_children())


def _end_children() -> list[int]:
    """Kill the processes that this one has started, such as the workers of a sweep, and wait until they are gone.

    Only the process that removes the shared memory of workers is left: it ends by itself after them.
    """
    killed = []
    for task in _tasks():
        with suppress(OSError, ValueError):
            for child in (task / "children").read_text(encoding="ascii").split():
                if b"resource_tracker" not in Path(f"/proc/{child}/cmdline").read_bytes():
                    os.kill(int(child), signal.SIGKILL)
                    killed.append(int(child))
    for process in killed:
        _wait_for(process)
    return killed


def _wait_for(process: int) -> None:
    """Wait until a process that was killed can write no more."""
    with suppress(OSError):
        handle = os.pidfd_open(process)
        try:
            select.select([handle], [], [], GRACE)
        finally:
            os.close(handle)


def _tasks() -> list[Path]:
    try:
        return [*Path("/proc/self/task").iterdir()]
    except OSError:
        return []
