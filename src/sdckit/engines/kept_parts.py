"""Kept parts: a run that fails says where its parts are, what is in them, and how it goes on."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sdckit.errors import DiskFullError, SdcError
from sdckit.files.disk_space import free_space, lack_of_space
from sdckit.memory import gigabytes
from sdckit.progress import Cancelled


@contextmanager
def kept_parts(folder: Path, needed: int) -> Iterator[None]:
    """Add to an error of a run that its parts are kept; where the disk is full, say how much the run needs."""
    try:
        yield
    except Cancelled:
        raise
    except Exception as problem:
        message = _message(problem, folder, needed)
        if message is None:
            raise
        kind = DiskFullError if _disk_is_full(problem, folder) else SdcError
        raise kind(f"{message}; {goes_on(folder)}") from None


def goes_on(folder: Path) -> str:
    """What a run that did not end leaves behind."""
    return (
        f"the parts that are finished are kept in {folder}, which has original values: the same command goes on from "
        "them; delete the folder if you do not want to go on"
    )


def _disk_is_full(problem: Exception, folder: Path) -> bool:
    if isinstance(problem, SdcError):
        return isinstance(problem, DiskFullError)
    return lack_of_space(problem, folder) is not None


def _message(problem: Exception, folder: Path, needed: int) -> str | None:
    """The error in one line; None where it is a fault of our own."""
    if _disk_is_full(problem, folder):
        free = free_space(folder, math.nan)
        there = "" if math.isnan(free) else f" and {gigabytes(int(free))} are free"
        taken = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        return (
            f"the disk is full: the parts take about {gigabytes(needed)} in {folder.parent} (estimated; "
            f"{gigabytes(taken)} are written{there}), and the target comes on top; free some space"
        )
    if isinstance(problem, SdcError):
        return str(problem.args[0]) if problem.args else str(problem)
    if isinstance(problem, OSError):
        where = f"{problem.filename}: " if problem.filename else ""
        return f"{where}{problem.strerror or problem}"
    return None
