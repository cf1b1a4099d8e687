"""A lattice with fewer nodes: levels left out, the finest and the coarsest kept."""

from collections.abc import Sequence
from math import prod

from sdckit.kernels.lattice_rows import Levels


def thinned(keys: Sequence[Levels], most: int) -> list[Levels]:
    """The levels of each key, some left out until there are at most so many combinations.

    The key with the most levels loses one of its inner levels; once there are none, the key with the most nodes loses
    its finest level.
    """
    kept = [list(range(len(key.nodes))) for key in keys]
    while prod(map(len, kept)) > most:
        longest = max(kept, key=len)
        if len(longest) > 2:
            longest.pop(len(longest) // 2)
        else:
            open_keys = [index for index, levels in enumerate(kept) if len(levels) == 2]
            kept[max(open_keys, key=lambda index: int(keys[index].nodes.max()))].pop(0)
    return [
        key if len(levels) == len(key.nodes) else Levels(key.nodes[levels], key.losses[levels])
        for key, levels in zip(keys, kept, strict=True)
    ]
