"""Dataset: what a file of records and a graph have in common, and the summary that both give of themselves."""

from dataclasses import asdict, dataclass
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute


@dataclass(frozen=True)
class AttributeSummary:
    """The meaning of one attribute, and how many of its values are missing."""

    name: str
    kind: str
    role: str
    missing: int


@dataclass(frozen=True)
class DatasetSummary:
    """The number of records and the meaning of their attributes; it contains no value of any record."""

    records: int
    attributes: tuple[AttributeSummary, ...]

    def __str__(self) -> str:
        attributes = ", ".join(f"{each.name} ({each.kind}, {each.role})" for each in self.attributes)
        return f"{self.records} records: {attributes}"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self)


@runtime_checkable
class Dataset(Protocol):
    """Records with attributes. A component that needs no more than this works on every kind of data set."""

    def __len__(self) -> int:
        """The number of records."""
        ...

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The meaning of what is known of each record."""
        ...

    def take(self, rows: NDArray[np.int64]) -> Self:
        """The data set of these records, in this order."""
        ...

    def describe(self) -> DatasetSummary:
        """The number of records and the attributes, without any value."""
        ...
