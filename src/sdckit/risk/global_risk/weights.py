"""Disclosure risk weights: how much a record counts by the sizes of its clusters in the release and the original."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.component_text import parsed
from sdckit.errors import ParameterError, near_miss

FALLS, RISES = -1, 1


@dataclass(frozen=True)
class Weights:
    """All clusters count equally: the weights of the maximal disclosure risk."""

    title: ClassVar[str] = "equal"

    @property
    def by_larger_size(self) -> bool:
        """Whether a weight is a falling function of the larger of the two sizes alone."""
        return True

    def __call__(self, released: NDArray[np.int64], original: NDArray[np.int64]) -> NDArray[np.float64]:
        """The weights for cluster sizes in the release and in the original, as shares of that for sizes 1 and 1."""
        return np.ones(len(released))

    @classmethod
    def from_text(cls, text: str) -> "Weights":
        """The weights that are written so.

        >>> Weights.from_text("up-to(3)"), Weights.from_text("matrix(2 1;1 1)")
        (UpTo(largest=3), GivenWeights(rows=((2.0, 1.0), (1.0, 1.0))))
        """
        written = parsed(text)
        name, rest = written.name, "+".join(written.arguments)
        known = {each.title: each for each in (Weights, Uniques, UpTo, InverseSize, GivenWeights)}
        if name not in known:
            raise ParameterError(f"there are no weights {name!r}{near_miss(name, known)}")
        try:
            if name == GivenWeights.title:
                return GivenWeights(tuple(tuple(map(float, row.split())) for row in rest.split(";")))
            if name == UpTo.title:
                return UpTo(int(rest)) if rest else UpTo()
            return InverseSize(float(rest)) if name == InverseSize.title and rest else known[name]()
        except ValueError:
            raise ParameterError(f"{text!r} is not a rule for weights; write them as {known[name]()}") from None

    def __str__(self) -> str:
        return self.title


@dataclass(frozen=True)
class Uniques(Weights):
    """Only records that are unique in both files count: the weights of the minimal disclosure risk."""

    title: ClassVar[str] = "uniques"

    def __call__(self, released: NDArray[np.int64], original: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray((released == 1) & (original == 1), dtype=np.float64)


@dataclass(frozen=True)
class UpTo(Weights):
    """Clusters count fully up to a size, in both files, and not at all beyond."""

    title: ClassVar[str] = "up-to"
    largest: int = 3

    def __post_init__(self) -> None:
        if self.largest < 1:
            raise ParameterError(f"up-to({self.largest}) leaves no cluster that counts; use at least 1")

    def __call__(self, released: NDArray[np.int64], original: NDArray[np.int64]) -> NDArray[np.float64]:
        return np.asarray(np.maximum(released, original) <= self.largest, dtype=np.float64)

    def __str__(self) -> str:
        return f"{self.title}({self.largest})"


@dataclass(frozen=True)
class InverseSize(Weights):
    """The weight falls with the larger size, and by a factor for each record that the sizes differ by."""

    title: ClassVar[str] = "inverse-size"
    fading: float = 1.0

    def __post_init__(self) -> None:
        if not 0 < self.fading <= 1:
            raise ParameterError(f"inverse-size({self.fading:g}) does not decrease; use more than 0 and at most 1")

    @property
    def by_larger_size(self) -> bool:
        return self.fading == 1.0

    def __call__(self, released: NDArray[np.int64], original: NDArray[np.int64]) -> NDArray[np.float64]:
        fading: NDArray[np.float64] = self.fading ** np.abs(released - original).astype(np.float64)
        return fading / np.maximum(released, original)

    def __str__(self) -> str:
        return f"{self.title}({self.fading:g})"


@dataclass(frozen=True)
class GivenWeights(Weights):
    """A matrix of your own, one row for each size in the release, checked by the rules; sizes beyond it count 0."""

    title: ClassVar[str] = "matrix"
    rows: tuple[tuple[float, ...], ...] = ((1.0,),)

    def __post_init__(self) -> None:
        widths = {len(row) for row in self.rows}
        if len(widths) != 1 or not min(widths):
            raise ParameterError("the weight matrix needs at least one row, and rows of the same length")
        object.__setattr__(self, "rows", tuple(tuple(map(float, row)) for row in self.rows))
        broken = broken_rules(np.array(self.rows))
        if broken:
            raise ParameterError(f"the weight matrix breaks {broken[0]}")

    @property
    def by_larger_size(self) -> bool:
        return False

    def __call__(self, released: NDArray[np.int64], original: NDArray[np.int64]) -> NDArray[np.float64]:
        matrix = np.array(self.rows)
        padded = np.zeros((matrix.shape[0] + 1, matrix.shape[1] + 1))
        padded[:-1, :-1] = matrix / matrix[0, 0]
        weights: NDArray[np.float64] = padded[
            np.minimum(released - 1, matrix.shape[0]), np.minimum(original - 1, matrix.shape[1])
        ]
        return weights

    def __str__(self) -> str:
        return f"{self.title}({';'.join(' '.join(f'{weight!r}' for weight in row) for row in self.rows)})"


def broken_rules(matrix: NDArray[np.float64], records: int | None = None) -> list[str]:
    """The rules of a disclosure risk weight matrix that this one breaks, each with the first cell where it does.

    R9, that all weights add up to the number of records, only fixes the scale; it is checked where the number is given.
    """
    broken = []
    if (matrix < 0).any():
        row, column = np.argwhere(matrix < 0)[0] + 1
        broken.append(f"rule R0: no weight is negative, but w[{row},{column}] = {matrix[row - 1, column - 1]:g}")
    if not matrix[0, 0] > 0:
        broken.append(f"rule R0: the first weight is positive, but w[1,1] = {matrix[0, 0]:g}")
    height, width = matrix.shape
    i, j = np.meshgrid(np.arange(height), np.arange(width), indexing="ij")
    right, down, diagonal = matrix[:, 1:] - matrix[:, :-1], matrix[1:] - matrix[:-1], matrix[1:, 1:] - matrix[:-1, :-1]
    to_right, to_down, to_diagonal = (i[:, :-1], j[:, :-1]), (i[:-1], j[:-1]), (i[:-1, :-1], j[:-1, :-1])
    in_full = to_diagonal[1] - to_diagonal[0] <= width - height  # diagonals that reach the last row
    upper = to_diagonal[0] <= to_diagonal[1]
    rules = (
        ("R1: a row falls to the right of the diagonal", FALLS, right, to_right[0] <= to_right[1], (0, 1)),
        (
            "R2: a column rises down to the diagonal",
            RISES,
            down,
            (to_down[0] < to_down[1]) & (to_down[1] < height),
            (1, 0),
        ),
        ("R3: a column beyond the last row rises downwards", RISES, down, to_down[1] >= height, (1, 0)),
        ("R4: a diagonal falls from the first row to the last", FALLS, diagonal, upper & in_full, (1, 1)),
        ("R5: a diagonal falls from the first row to the last column", FALLS, diagonal, upper & ~in_full, (1, 1)),
        ("R6: a column falls below the diagonal", FALLS, down, to_down[0] >= to_down[1], (1, 0)),
        ("R7: a row rises up to the diagonal", RISES, right, to_right[0] > to_right[1], (0, 1)),
        ("R8: a diagonal below the main one falls", FALLS, diagonal, ~upper, (1, 1)),
    )
    for rule, direction, steps, where, step in rules:
        wrong = np.argwhere(where & (direction * steps < 0))
        if len(wrong):
            row, column = wrong[0] + 1
            relation = "<" if direction == FALLS else ">"
            there = f"w[{row + step[0]},{column + step[1]}]"
            broken.append(f"rule {rule}, but w[{row},{column}] {relation} {there}")
    if records is not None and not np.isclose(matrix.sum(), records):
        broken.append(f"rule R9: the weights add up to the {records} records, but their sum is {matrix.sum():g}")
    return broken
