"""The memory that a run may take: as the user sets it, else a share of what is free."""

import re

from sdckit.errors import ParameterError
from sdckit.memory import free_memory

UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
SHARE = 0.6  # of the free memory, where no limit is set
UNKNOWN = 4 * 2**30  # where the system does not say what is free
SMALLEST = 2**29  # Python, the libraries and one part
PROCESS = 420 * 2**20  # of this process before it has any data, the code of libraries included


def memory_limit(text: str | None) -> int:
    """The bytes that a run may take.

    >>> memory_limit("2GB"), memory_limit("1500 MiB")
    (2147483648, 1572864000)
    """
    if text is None:
        free = free_memory()
        return UNKNOWN if free is None else max(int(SHARE * free), SMALLEST)
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([KMGT]?)i?B?\s*", text, flags=re.IGNORECASE)
    if found is None:
        raise ParameterError(f"{text!r} is not an amount of memory; write 2GB or 800MB")
    limit = int(float(found[1]) * UNITS[found[2].upper()])
    if limit < SMALLEST:
        raise ParameterError(f"{text} is less than the 512 MB that any run takes; allow more")
    return limit
