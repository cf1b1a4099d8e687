"""A full disk is reported as such, whichever library was writing and whatever its message."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sdckit.errors import FileError

FULL = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the quota is used up",
    errno.EFBIG: "the file is too large here",
}
WORDS = (
    "os error 28",
    "No space left on device",
    "os error 122",
    "Disk quota exceeded",
    "os error 27",
    "File too large",
)
LITTLE = 64 * 2**10  # bytes: a writer that fails with less left has met the end of the disk


@contextmanager
def without_space(path: str | Path) -> Iterator[None]:
    """While the block writes a file, a failure for lack of space is an error that says so."""
    try:
        yield
    except OSError as problem:
        if problem.errno in FULL:
            raise _error(path, FULL[problem.errno]) from None
        raise
    except Exception as problem:
        if any(word in str(problem) for word in WORDS) or _is_full(path):
            raise _error(path, "the disk is full, or the file too large for it") from None
        raise


def _error(path: str | Path, reason: str) -> FileError:
    return FileError(f"{path} cannot be written: {reason}; free some space, or write to another folder")


def _is_full(path: str | Path) -> bool:
    if not hasattr(os, "statvfs"):
        return False
    try:
        space = os.statvfs(Path(os.path.realpath(path)).parent)
    except OSError:
        return False
    return space.f_bavail * space.f_frsize < LITTLE
