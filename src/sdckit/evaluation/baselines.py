"""Baselines: what any masking is compared with: the file unmasked, with shuffled keys, and with constant keys."""

from collections.abc import Callable, Mapping

import numpy as np

from sdckit.graph import Graph
from sdckit.kernels.random_pairs import absent_pairs
from sdckit.microdata import Kind, Microdata, Role
from sdckit.randomness import child, generator
from sdckit.release import Release


def untouched(data: Microdata, seed: int) -> Release:
    """The file unchanged except for identifiers, which are dropped: no loss and the full risk."""
    return Release.in_order(data, _nameless(data))


def shuffled(data: Microdata, seed: int) -> Release:
    """Every key permuted independently: distributions are unchanged, and the relations between keys are lost.

    The edges of a graph are as many as before, between random nodes.
    """
    draws = generator(seed)
    columns = {name: child(draws, "shuffled", name).permutation(data.columns[name]) for name in _keys(data)}
    changed = data.with_columns(columns)
    if isinstance(changed, Graph):
        none = np.zeros(0, dtype=np.int64)
        rng, directed = child(draws, "shuffled", "edges"), changed.directed
        pairs = absent_pairs(len(changed), none, changed.edge_count, rng, directed=directed)
        weights = None if changed.weight is None else rng.permutation(changed.of_edges(changed.weight))
        changed = changed.with_keys(pairs).with_weights(weights)
    return Release.in_order(data, _nameless(changed))


def constant(data: Microdata, seed: int) -> Release:
    """Every key constant: the mean of numbers, the median of ordered categories, else the mode; a graph has no edge."""
    columns = {}
    for name in _keys(data):
        attribute, column, seen = data.attribute(name), data.columns[name], ~data.absent(name)
        if not seen.any():
            continue
        if not attribute.coded:
            value = float(column[seen].mean())
        elif attribute.kind & Kind.ORDERED:
            value = float(np.sort(column[seen])[(seen.sum() - 1) // 2])
        else:
            value = float(np.bincount(column[seen]).argmax())
        columns[name] = np.where(seen, value, column)
    changed = data.with_columns(columns)
    if isinstance(changed, Graph):
        changed = changed.with_keys(changed.edge_keys[:0])
    return Release.in_order(data, _nameless(changed))


BASELINES: Mapping[str, Callable[[Microdata, int], Release]] = {
    "untouched": untouched,
    "shuffled": shuffled,
    "constant": constant,
}


def _keys(data: Microdata) -> tuple[str, ...]:
    return data.names(role=Role.KEY)


def _nameless(data: Microdata) -> Microdata:
    return data.without(data.names(role=Role.IDENTIFIER))
