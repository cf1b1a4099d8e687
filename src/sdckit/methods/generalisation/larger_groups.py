"""Models of a whole file, such as a limit on the average risk, reached by larger groups."""

from collections.abc import Callable
from typing import TypeVar

Partition = TypeVar("Partition")


def with_larger_groups(
    at: Callable[[int], Partition], satisfied: Callable[[Partition], bool], smallest: int, largest: int
) -> Partition | None:
    """The partition at the smallest group size, found by doubling and bisection, that satisfies the models of the file.

    None if not even one group of all records does. Where larger groups can break a model again, a smaller size that
    satisfies it may be missed.
    """
    best = at(smallest)
    if satisfied(best):
        return best
    low = high = smallest
    while not satisfied(best):
        if high >= largest:
            return None
        low, high = high, min(2 * high, largest)
        best = at(high)
    while high - low > 1:
        middle = (low + high) // 2
        tried = at(middle)
        if satisfied(tried):
            best, high = tried, middle
        else:
            low = middle
    return best
