"""Edits: what every record must satisfy, such as a range, a sum or an order between attributes.

An edit is linear: low ≤ Σ coefficient · attribute ≤ high. A bound has one term, an equality has low = high, an order
`net ≤ gross` has the terms gross − net with low = 0, and a ratio `tax ≤ 0.4 · income` is the same with a coefficient.
"""

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError


@dataclass(frozen=True)
class Edit:
    """One linear condition on a record."""

    terms: Mapping[str, float]
    low: float = -np.inf
    high: float = np.inf

    def __post_init__(self) -> None:
        if not self.terms:
            raise SchemaError("an edit needs at least one attribute")
        if self.low > self.high:
            raise SchemaError(f"the edit {self} can never hold: its low end lies above its high end")

    def __str__(self) -> str:
        sides = ""
        for name, weight in self.terms.items():
            sign = ("−" if weight < 0 else "") if not sides else (" − " if weight < 0 else " + ")
            sides += sign + (name if abs(weight) == 1 else f"{abs(weight):g}·{name}")
        if self.low == self.high:
            return f"{sides} = {self.low:g}"
        left = f"{self.low:g} ≤ " if np.isfinite(self.low) else ""
        right = f" ≤ {self.high:g}" if np.isfinite(self.high) else ""
        return f"{left}{sides}{right}"

    def violations(self, columns: Mapping[str, NDArray[Any]], tolerance: float = 1e-9) -> NDArray[np.bool_]:
        """Which records break it; a record with a missing value in it does not."""
        parts = np.array([weight * np.asarray(columns[name], dtype=float) for name, weight in self.terms.items()])
        total = parts.sum(axis=0)
        slack = tolerance * np.maximum(1.0, np.abs(parts).sum(axis=0))  # a sum is as exact as its largest part
        broken: NDArray[np.bool_] = (total < self.low - slack) | (total > self.high + slack)
        return broken


@dataclass(frozen=True)
class Edits:
    """The edits of a file."""

    edits: tuple[Edit, ...] = ()

    @classmethod
    def bounds(cls, **ranges: tuple[float, float]) -> "Edits":
        """Edits that bound single attributes."""
        return cls(tuple(Edit({name: 1.0}, low, high) for name, (low, high) in ranges.items()))

    def __iter__(self) -> Iterator[Edit]:
        return iter(self.edits)

    def __len__(self) -> int:
        return len(self.edits)

    def among(self, names: Container[str]) -> "Edits":
        """The edits that speak of these attributes only."""
        return Edits(tuple(edit for edit in self.edits if all(name in names for name in edit.terms)))

    def bound(self, name: str) -> tuple[float, float]:
        """The declared range of one attribute, infinite where none is."""
        low, high = -np.inf, np.inf
        for edit in self.edits:
            if list(edit.terms) == [name] and edit.terms[name] != 0:
                ends = sorted((edit.low / edit.terms[name], edit.high / edit.terms[name]))
                low, high = max(low, ends[0]), min(high, ends[1])
        return low, high

    def violations(self, columns: Mapping[str, NDArray[Any]]) -> dict[str, int]:
        """How many records break each edit that is broken."""
        counts = {str(edit): int(edit.violations(columns).sum()) for edit in self.edits}
        return {edit: count for edit, count in counts.items() if count}
