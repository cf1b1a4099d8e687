"""How many records a part has: as many as the memory allows, in a number that suits the disk."""

SMALLEST, LARGEST = 10_000, 1_000_000
COPIES = 12  # of a part at the peak of a kernel: read, hashed, drawn, masked, written
SHARE = 0.25  # of the memory that parts may take; the engine sorts and groups with the rest


def part_size(columns: int, memory: int) -> int:
    """The records of a part.

    >>> part_size(12, 2 * 2**30), part_size(2, 2**29)
    (466033, 699050)
    """
    return int(min(max(SHARE * memory / (8 * COPIES * max(columns, 1)), SMALLEST), LARGEST))
