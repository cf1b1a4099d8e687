"""The file of eight records on which the individual risk and SUDA are printed (sdcMicro 5.8.1)."""

import polars as pl

from sdckit.microdata import Microdata
from sdckit.release import Release

ROWS = [(1, 2, 5, 1), (1, 2, 1, 1), (1, 2, 1, 1), (3, 3, 1, 5), (4, 3, 1, 4), (4, 3, 1, 1), (6, 2, 1, 5), (1, 2, 5, 1)]
WEIGHTS = [18, 45.5, 39, 17, 541, 8, 5, 92]
KEYS = ("key1", "key2", "key3", "key4")


def file_of(rows, weights=None, **more) -> Microdata:
    """Keys of text (None missing), weights where there are some, and other columns with their roles."""
    columns = {
        f"key{column + 1}": pl.Series([row[column] for row in rows]).cast(pl.String) for column in range(len(rows[0]))
    }
    roles = dict.fromkeys(columns, "key")
    if weights is not None:
        columns["w"] = pl.Series(weights, dtype=pl.Float64)
        roles["w"] = "weight"
    for role, column in more.items():
        columns[role] = pl.Series(column)
        roles[role] = role
    return Microdata.from_frame(pl.DataFrame(columns), roles=roles)


def untouched(data: Microdata) -> Release:
    """The file released as it is."""
    return Release.in_order(data, data)


FRANCDAT = untouched(file_of(ROWS, WEIGHTS))
