"""Engine: what a plan needs of DuckDB or Spark: kernels on parts, and SQL over columns in parts."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sdckit.engines.parts import Cut, WorkingFile
from sdckit.progress import NoProgress, Progress

T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Relation:
    """Columns of a file in parts as a table for SQL; the names of its columns are plain, such as c0 and c1.

    `columns`  the name in SQL of each column, and a function from a part to its values
    `types`    the Arrow type of each column
    """

    cut: Cut
    read: Callable[[int], Mapping[str, NDArray[Any]]]
    types: Mapping[str, Any]

    @property
    def schema(self) -> Any:
        """The Arrow schema of the table."""
        return pa.schema(list(self.types.items()))

    def batch(self, part: int) -> Any:
        """A part as an Arrow batch."""
        values = self.read(part)
        return pa.RecordBatch.from_arrays(
            [pa.array(np.asarray(values[name]), type=self.types[name]) for name in self.types], schema=self.schema
        )


def relation_of(file: WorkingFile, names: Sequence[str], *, numbered: bool = False) -> Relation:
    """Some columns of a file as the table c0, c1, …; `record` has the number of each record where it is asked for."""
    types = {
        f"c{index}": pa.int32() if file.header.attribute(name).coded else pa.float64()
        for index, name in enumerate(names)
    }
    cut = file.cut

    def read(part: int) -> Mapping[str, NDArray[Any]]:
        columns = file.columns(part, names)
        values = {f"c{index}": plain_values(columns[name]) for index, name in enumerate(names)}
        return values | ({"record": cut.numbers(part)} if numbered else {})

    return Relation(cut, read, types | ({"record": pa.int64()} if numbered else {}))


def plain_values(column: NDArray[Any]) -> NDArray[Any]:
    """The values with one zero: engines need not take −0 and 0 for equal."""
    return column + 0.0 if column.dtype == np.float64 else column


class Engine(Protocol):
    """Runs kernels on parts, and SQL over tables of parts."""

    @property
    def name(self) -> str: ...

    @property
    def distributed(self) -> bool:
        """Whether kernels run at the same time, on this machine or on others."""
        ...

    def run(self, kernel: Callable[[int], T], parts: Sequence[int], progress: Progress = NoProgress()) -> list[T]:
        """What a kernel returns for each part, in the order of the parts; a kernel may be run twice for a part."""
        ...

    def query(self, sql: str, tables: Mapping[str, Relation]) -> Iterator[Any]:
        """The result of a query as Arrow batches, in the order that it asks for."""
        ...

    def close(self) -> None:
        """Give back what the engine holds."""
        ...
