"""The memory that is free for this process: the least that the system, its control group and its own limits leave."""

import ctypes
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from sdckit.errors import SdcError

GROUPS, OWN_GROUPS = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def free_memory() -> int | None:
    """The bytes of memory that are free; None where the system does not say."""
    return min(
        (each for each in (_of_the_system(), _of_the_group(), _of_the_limits()) if each is not None), default=None
    )


def refuse_without_memory(needed: int, task: str, cure: str) -> None:
    """An error where a task needs more memory than is free: it would be killed, or would never end."""
    free = free_memory()
    if free is not None and needed > free:
        raise SdcError(f"{task} takes about {gigabytes(needed)} and {gigabytes(free)} are free; {cure}")


def give_back() -> None:
    """Give the memory that is free in this process back to the system.

    The C library keeps what was freed in pieces, which would add to the peak of the next task.
    """
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):  # another C library has no such function
            ctypes.CDLL(None).malloc_trim(0)


def gigabytes(size: int) -> str:
    """Bytes as gigabytes, or as megabytes where they are few.

    >>> gigabytes(2**30), gigabytes(50 * 2**30), gigabytes(20 * 2**20)
    ('1.0 GB', '50 GB', '20 MB')
    """
    amount = size / 2**30
    if amount < 0.1:
        return f"{size / 2**20:.0f} MB"
    return f"{amount:.1f} GB" if amount < 10 else f"{amount:.0f} GB"


def _of_the_system() -> int | None:
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None


def _of_the_group() -> int | None:
    """What the control group of this process, and those above it, leave: a container has a limit of its own."""
    return min((free for folder in _groups() if (free := _left_in(folder)) is not None), default=None)


def _groups() -> Iterator[Path]:
    with suppress(OSError):
        for line in OWN_GROUPS.read_text(encoding="utf-8").splitlines():
            _, controllers, name = line.split(":", 2)
            if controllers and "memory" not in controllers.split(","):
                continue
            base = GROUPS / "memory" if controllers else GROUPS
            own = base / name.lstrip("/")
            yield from (folder for folder in (own, *own.parents) if folder.is_relative_to(base))


def _left_in(folder: Path) -> int | None:
    for limit, used in (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes")):
        with suppress(OSError, ValueError):
            allowed = int((folder / limit).read_text(encoding="ascii"))  # "max" is no number: no limit
            return max(allowed - int((folder / used).read_text(encoding="ascii")) + _reclaimable(folder), 0)
    return None


def _reclaimable(folder: Path) -> int:
    """Pages of files that were read, which the system gives back when memory is short."""
    with suppress(OSError, ValueError):
        for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines():
            name, _, pages = line.partition(" ")
            if name in ("inactive_file", "total_inactive_file"):
                return int(pages)
    return 0


def _of_the_limits() -> int | None:
    """What the limits of this process leave (`ulimit -v`)."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        limit = resource.getrlimit(resource.RLIMIT_AS)[0]
        if limit != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            return max(limit - pages * resource.getpagesize(), 0)
    return None
