"""A full disk is reported as such, whichever library was writing and whatever its message."""

import errno
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sdckit.errors import DiskFullError

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
    except Exception as problem:
        reason = lack_of_space(problem, Path(os.path.realpath(path)).parent)
        if reason is None:
            raise
        raise DiskFullError(
            f"{path} cannot be written: {reason}; free some space, or write to another folder"
        ) from None


def lack_of_space(problem: Exception, folder: Path) -> str | None:
    """How an error says that there is no space left in a folder; None where it is about something else."""
    if isinstance(problem, OSError) and problem.errno is not None:
        return FULL.get(problem.errno)
    full = any(word in str(problem) for word in WORDS) or free_space(folder, math.inf) < LITTLE
    return "the disk is full, or the file too large for it" if full else None


def free_space(folder: Path, unknown: float) -> float:
    """The bytes that this user may still write in a folder."""
    if not hasattr(os, "statvfs"):
        return unknown
    try:
        space = os.statvfs(folder)
    except OSError:
        return unknown
    return float(space.f_bavail * space.f_frsize)
