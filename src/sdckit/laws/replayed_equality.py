"""Equality with a replay: record and row are in the same group of a file that the intruder masked again."""

from collections.abc import Sequence

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.blocks import Block, Equality
from sdckit.laws.release_law import RowClasses
from sdckit.laws.replays import FEWEST, Replay, moved, same
from sdckit.laws.values import equal_codes

DOUBT = 1e-3  # of a replay: that ties were broken in another order
FAILED = 0.5  # share of the records in groups of another size than in the release: the replay was another


def always_equal(view: AttackerView, done: Sequence[Replay], names: Sequence[str], rows: RowClasses) -> list[Block]:
    """The equality with replays that draw and yet gave the same every time, as the release does; else empty.

    After n equal results the next one differs with a probability of about 1 / (n + 2), by the rule of succession.
    """
    if len(done) < FEWEST or any((again.row_of < 0).any() or not same(done[0], again, names) for again in done):
        return []
    return replayed_equality(view, done[0], names, rows, doubt=1 / (len(done) + 2))


def replayed_equality(
    view: AttackerView, again: Replay, names: Sequence[str], rows: RowClasses, *, doubt: float = 0.0
) -> list[Block]:
    """Record and row are in the same group of the replay; empty where the release is not what the replay gives.

    A group that has as many records as rows is certain. Others come from ties that were broken in another order: among
    these the equality is likely, not certain. A replay that is in doubt has to give all groups, and none is certain.
    """
    of_record, of_row = [], []
    for name in names:
        mine, theirs = equal_codes(moved(again, name), view.released.columns[name])
        of_record.append(mine)
        of_row.append(theirs)
    groups = class_of(np.concatenate([np.column_stack(of_record), np.column_stack(of_row)])).of
    own, row = groups[: len(view)], groups[len(view) :]
    count = int(groups.max()) + 1
    people, released = np.bincount(own, minlength=count), np.bincount(row, minlength=count)
    fits = people == released if len(view) == len(view.released) else people >= released
    if fits[own].mean() < (1.0 if doubt else 1 - FAILED):
        return []
    certain = np.where(fits, np.arange(count), count)
    share = released[row] / len(row)
    label = tuple(names)
    first = rows.first
    if doubt:
        return [Equality(label, own, row[first], np.log(doubt * share[first]))]
    blocks: list[Block] = [Equality(label, certain[own], certain[row][first], np.full(len(first), -np.inf))]
    if not fits[own].all():
        blocks.append(Equality(label, own, row[first], np.log(DOUBT * share[first])))
    return blocks
