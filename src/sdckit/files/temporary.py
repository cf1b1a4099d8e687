"""Temporary files and folders beside what they become: removed whatever happens, at the latest by the next run.

Their names say which process on which computer made them, and that process holds a lock on them. One without a lock,
whose process is gone, was left by a process that was killed.
"""

import os
import re
import shutil
import socket
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from uuid import uuid4

from sdckit.files.ending import ending_of

POSIX = os.name == "posix"  # elsewhere, a file that is open and locked could not be replaced
if POSIX:
    import fcntl

NAME = re.compile(r"\.sdckit-([0-9a-f]{8})-(\d+)-[0-9a-f]{16}(\..*)?")

_in_use: set[Path] = set()
_searched: set[Path] = set()


@contextmanager
def temporary_beside(target: Path, *, folder: bool = False) -> Iterator[Path]:
    """A new file or folder of its owner alone beside the target, locked while the block runs and removed after it."""
    path = target.with_name(f".sdckit-{_computer()}-{os.getpid()}-{uuid4().hex[:16]}{ending_of(target)}")
    _in_use.add(path)
    handle = None
    try:
        if folder:
            path.mkdir(0o700)
            handle = os.open(path, os.O_RDONLY) if POSIX else None
        else:
            handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        if POSIX and handle is not None:
            with suppress(OSError):  # a file system without locks
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif handle is not None:
            os.close(handle)
            handle = None
        yield path
    finally:
        if handle is not None:
            os.close(handle)
        _remove(path)
        _in_use.discard(path)


@contextmanager
def temporary_in_system_folder() -> Iterator[Path]:
    """A new folder of its owner alone where the system keeps such folders, for work that has no target."""
    from tempfile import gettempdir

    beside = Path(gettempdir()) / "sdckit"
    remove_stale(beside.parent)
    with temporary_beside(beside, folder=True) as folder:
        yield folder


def remove_in_use() -> None:
    """Remove what this process has not removed yet, because it is being ended."""
    for path in [*_in_use]:
        _remove(path)


def remove_left_by(processes: Collection[int]) -> None:
    """Remove what processes that this one has ended were writing in the folders that it has looked through."""
    for path, computer, process in (each for folder in [*_searched] for each in _in_folder(folder)):
        if process in processes and computer == _computer():
            _remove(path)


def remove_stale(folder: Path) -> None:
    """Remove what killed processes have left in a folder; looked for once per folder and process."""
    if not POSIX or folder in _searched:
        return
    _searched.add(folder)
    for path, computer, process in _in_folder(folder):
        if _is_stale(path, computer, process):
            _remove(path)


def _in_folder(folder: Path) -> list[tuple[Path, str, int]]:
    """The temporary files and folders in a folder, each with its computer and process."""
    with suppress(OSError), os.scandir(folder) as entries:
        named = [(Path(entry.path), NAME.fullmatch(entry.name)) for entry in entries]
        return [(path, name[1], int(name[2])) for path, name in named if name is not None]
    return []


def _is_stale(path: Path, computer: str, process: int) -> bool:
    if path in _in_use or (computer == _computer() and _lives(process)):
        return False
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _computer() -> str:
    return blake2b(socket.gethostname().encode(), digest_size=4).hexdigest()


def _remove(path: Path) -> None:
    with suppress(OSError):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
