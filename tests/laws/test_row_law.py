"""The law between two releases is learned from records that have a row in both of them."""

import numpy as np

from sdckit.intruder import Intruder
from sdckit.laws.blocks import Equality, Table
from sdckit.laws.release_law import RowClasses
from sdckit.laws.replays import Replay
from sdckit.laws.row_law import _learned
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import Release


def towns(*codes: int) -> Microdata:
    return Microdata((Attribute("town", Kind.UNORDERED, Role.KEY, tuple("abc")),), {"town": np.array(codes)})


def learned_from(here: Replay, there: Replay) -> Equality | Table:
    rows = Intruder().view(Release.in_order(towns(0, 1, 2), towns(0, 1, 2)))
    return _learned(rows, "town", [(here, there)], RowClasses.by(rows.released, ["town"]))


FILE = towns(0, 1, 2)


def test_records_without_a_row_in_one_of_them_are_not_compared():
    here = Replay(towns(0, 1), np.array([0, 1, -1]), FILE)
    there = Replay(towns(0, 2), np.array([0, -1, 1]), FILE)
    assert isinstance(learned_from(here, there), Equality)


def test_the_record_of_the_first_row_is_compared():
    here = Replay(towns(0, 1, 2), np.arange(3), FILE)
    there = Replay(towns(1, 1, 2), np.arange(3), FILE)
    assert isinstance(learned_from(here, there), Table)
