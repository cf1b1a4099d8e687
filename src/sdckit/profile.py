"""Profile: what a file looked like when it was masked, so that the next file of the series can be compared with it.

It has categories and ranges of the original, so it is private; the key of a release keeps it.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from sdckit.frames.to_frame import polars_series
from sdckit.microdata import Microdata, Role

MOST_CATEGORIES = 1_000  # of a column whose categories are kept


@dataclass(frozen=True)
class ColumnProfile:
    """One column: its form, the share of missing values, and its range or its categories.

    `numeric` says that it has numbers or dates; `lowest` and `highest` are as people write them, such as dates.
    """

    numeric: bool
    missing_share: float
    lowest: float | None = None
    highest: float | None = None
    lowest_text: str = ""
    highest_text: str = ""
    categories: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Profile:
    """The columns of a file by name; of identifiers only the name is kept."""

    records: int
    columns: Mapping[str, ColumnProfile]
    identifiers: tuple[str, ...] = ()

    @classmethod
    def of(cls, data: Microdata) -> "Profile":
        """The profile of a file.

        >>> import polars
        >>> Profile.of(Microdata.from_frame(polars.DataFrame({"age": [31, None, 47]}))).columns["age"].highest_text
        '47'
        """
        identifiers = data.names(role=Role.IDENTIFIER)
        columns = {each.name: _column(data, each.name) for each in data.attributes if each.name not in identifiers}
        return cls(len(data), columns, identifiers)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "Profile":
        """The profile from JSON; a KeyError or TypeError where it is none."""
        columns = {}
        for name, table in document["columns"].items():
            listed = table["categories"]
            columns[name] = ColumnProfile(**{**table, "categories": None if listed is None else tuple(listed)})
        return cls(int(document["records"]), columns, tuple(document["identifiers"]))


def _column(data: Microdata, name: str) -> ColumnProfile:
    attribute, column, absent = data.attribute(name), data.columns[name], data.absent(name)
    share = float(absent.mean()) if len(absent) else 0.0
    seen = np.flatnonzero(~absent)
    if attribute.categories is not None:
        from sdckit.frames.from_frame import as_category_text

        used = np.unique(column[seen])
        texts = tuple(as_category_text(attribute.categories[code]) for code in used)
        return ColumnProfile(False, share, categories=texts if len(texts) <= MOST_CATEGORIES else None)
    if not len(seen):
        return ColumnProfile(True, share)
    ends = [seen[np.argmin(column[seen])], seen[np.argmax(column[seen])]]
    low, high = (str(each) for each in polars_series(data.take(np.array(ends)), attribute).to_list())
    return ColumnProfile(True, share, float(column[ends[0]]), float(column[ends[1]]), low, high)
