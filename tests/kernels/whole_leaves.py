"""Spans of trees that are halved into whole leaves."""


def halves(start: int, stop: int, leaf_size: int) -> list[tuple[int, int]]:
    """The spans of a tree in preorder: the left half has the larger half of the leaves, all of them full."""
    leaves = -(-(stop - start) // leaf_size)
    if leaves <= 1:
        return [(start, stop)]
    middle = start + -(-leaves // 2) * leaf_size
    return [(start, stop), *halves(start, middle, leaf_size), *halves(middle, stop, leaf_size)]
