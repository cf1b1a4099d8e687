"""Graph: nodes with attributes, and the edges between them; never changed in place.

A graph is the microdata of its nodes, which may have no attribute at all, and an adjacency. So whatever masks or
measures microdata does so with the attributes of the nodes, and a component of the domain `Graph` sees the edges too.
Graphs are simple and undirected: what reads a file leaves out self-loops and repeated edges and notes how many.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.attribute import Attribute, Kind, Role
from sdckit.errors import SchemaError
from sdckit.kernels.adjacency import edge_keys, edges_of, from_edges, induced
from sdckit.kernels.neighbourhood_refinement import refined
from sdckit.microdata import Microdata
from sdckit.read_only import read_only, seal

NODE = "node"  # the attribute that holds the labels of the nodes, an identifier
SIGNATURE_ROUNDS = 3  # of refinement in a digest that does not depend on the order of the nodes


@dataclass(frozen=True)
class Cleaned:
    """What was left out of the edges of a file: self-loops, repeated edges, directions and weights."""

    loops: int = 0
    repeated: int = 0

    def notes(self) -> tuple[str, ...]:
        """One sentence for each thing that was left out."""
        found = [(self.loops, "self-loop"), (self.repeated, "repeated edge")]
        return tuple(f"{count:,} {what}{'s' if count > 1 else ''} left out" for count, what in found if count)


@dataclass(frozen=True, eq=False, repr=False)
class Graph(Microdata):
    """A simple undirected graph: `indices[indptr[v]:indptr[v+1]]` are the sorted neighbours of node v.

    `probability`  the probability of each entry of `indices`, of an uncertain graph; None where every edge is certain
    """

    indptr: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    indices: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    probability: NDArray[np.float64] | None = None
    cleaned: Cleaned = Cleaned()

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "indptr", read_only(self.indptr, np.int64))
        object.__setattr__(self, "indices", read_only(self.indices, np.int64))
        if self.probability is not None:
            object.__setattr__(self, "probability", read_only(self.probability, np.float64))
        if self.columns and len(next(iter(self.columns.values()))) != len(self):
            raise SchemaError(
                f"the graph has {len(self)} nodes and the attributes have "
                f"{len(next(iter(self.columns.values())))} values; give one value for each node"
            )

    @classmethod
    def from_edges(
        cls,
        nodes: int,
        one: Any,
        other: Any,
        *,
        attributes: Microdata | None = None,
        labels: Sequence[Any] | None = None,
    ) -> "Graph":
        """The graph of these edges between nodes numbered from 0.

        >>> Graph.from_edges(4, [0, 1, 1], [1, 2, 2]).degrees.tolist()
        [1, 2, 1, 0]
        """
        ends = [np.asarray(each, dtype=np.int64).ravel() for each in (one, other)]
        for end in ends:
            if len(end) and (end.min() < 0 or end.max() >= nodes):
                raise SchemaError(f"an edge names node {int(end.max())}, and the graph has the nodes 0 to {nodes - 1}")
        indptr, indices, loops, repeated = from_edges(nodes, *ends)
        file = attributes if attributes is not None else Microdata((), {})
        graph = cls(
            file.attributes, file.columns, file.edits, file.form, None, indptr, indices, None, Cleaned(loops, repeated)
        )
        return graph if labels is None else graph.labelled(labels)

    @classmethod
    def uncertain(cls, nodes: int, one: Any, other: Any, probability: Any) -> "Graph":
        """The uncertain graph in which each of these edges, named once, exists with its probability."""
        graph = cls.from_edges(nodes, one, other)
        values = np.asarray(probability, dtype=np.float64)
        if graph.cleaned != Cleaned() or (values < 0).any() or (values > 1).any():
            raise SchemaError("an uncertain graph needs every edge once, with a probability from 0 to 1")
        ends = [np.asarray(each, dtype=np.int64) for each in (one, other)]
        keys = np.minimum(*ends) * nodes + np.maximum(*ends)
        return graph.with_probabilities(values[np.argsort(keys)])

    def with_probabilities(self, values: NDArray[np.float64]) -> "Graph":
        """The graph with a probability for each edge, in the order of `edges`."""
        rows = np.repeat(np.arange(len(self)), self.degrees)
        keys = np.minimum(rows, self.indices) * len(self) + np.maximum(rows, self.indices)
        return replace(self, probability=values[np.searchsorted(self.edge_keys, keys)])

    def without_repetition_note(self) -> "Graph":
        """The graph of a file that may name every edge twice."""
        return replace(self, cleaned=replace(self.cleaned, repeated=0))

    def labelled(self, labels: Sequence[Any]) -> "Graph":
        """The graph with labels of its nodes, as an identifier; numbers from 0 in order are no labels."""
        if len(labels) != len(self):
            raise SchemaError(f"there are {len(labels)} labels for {len(self)} nodes; give each node one")
        numbers = _whole_numbers(labels)
        if numbers is not None and np.array_equal(numbers, np.arange(len(self))):
            return self
        if numbers is not None:
            attribute = Attribute(NODE, Kind.DISCRETE, Role.IDENTIFIER, integral=True)
            column: NDArray[Any] = numbers.astype(np.float64)
        else:
            texts = tuple(dict.fromkeys(str(each) for each in labels))
            code = {text: number for number, text in enumerate(texts)}
            attribute = Attribute(NODE, Kind.UNORDERED, Role.IDENTIFIER, categories=texts)
            column = np.array([code[str(each)] for each in labels], dtype=np.int32)
        others = tuple(each for each in self.attributes if each.name != NODE)
        return replace(self, attributes=(attribute, *others), columns={**self.columns, NODE: column})

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __repr__(self) -> str:
        """The numbers of nodes and edges and the attributes, and no edge."""
        attributes = ", ".join(f"{each.name} ({each.kind.title}, {each.role.value})" for each in self.attributes)
        return f"Graph({len(self)} nodes, {self.edge_count} edges{': ' + attributes if attributes else ''})"

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (self.attributes, dict(self.columns), self.edits, self.form, self.lineage)
        return type(self), (*kept, self.indptr, self.indices, self.probability, self.cleaned)

    @property
    def releasable(self) -> bool:
        """A graph without any attribute is a release too."""
        return True

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return len(self.indices) // 2

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """The number of neighbours of each node."""
        return seal(np.diff(self.indptr))

    @cached_property
    def edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The two ends of every edge, the smaller number first, in order."""
        low, high = edges_of(self.indptr, self.indices)
        return seal(low), seal(high)

    @cached_property
    def edge_keys(self) -> NDArray[np.int64]:
        """A number for every edge, sorted: the smaller end times the number of nodes, plus the larger end."""
        return seal(edge_keys(self.indptr, self.indices))

    def neighbours(self, node: int) -> NDArray[np.int64]:
        """The neighbours of a node, sorted."""
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def with_edges(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> "Graph":
        """The same nodes with these edges instead."""
        indptr, indices, _, _ = from_edges(len(self), one, other)
        return replace(self, indptr=indptr, indices=indices, probability=None, cleaned=Cleaned())

    def with_keys(self, keys: NDArray[np.int64]) -> "Graph":
        """The same nodes with the edges of these numbers instead."""
        nodes = max(len(self), 1)
        return self.with_edges(keys // nodes, keys % nodes)

    def take(self, rows: NDArray[np.int64]) -> "Graph":
        """The subgraph of these nodes, in this order; the lineage gives the node that each was."""
        rows = np.asarray(rows, dtype=np.int64)
        if len(np.unique(rows)) < len(rows):
            raise SchemaError("a node is taken twice; a graph has each node once")
        indptr, indices = induced(self.indptr, self.indices, rows)
        probability = None
        if self.probability is not None:
            matrix = self.to_scipy()[rows][:, rows].tocsr()
            matrix.sort_indices()
            probability = matrix.data
        lineage = np.arange(len(self)) if self.lineage is None else self.lineage
        return replace(
            self,
            columns={name: seal(column[rows]) for name, column in self.columns.items()},
            form=replace(self.form, index=None),
            lineage=seal(lineage[rows]),
            indptr=indptr,
            indices=indices,
            probability=probability,
        )

    def with_rows(self, columns: Mapping[str, NDArray[Any]]) -> "Graph":
        """Other rows have no edges: a synthetic file of attributes is made from those of the nodes."""
        raise SchemaError("the rows of a graph are its nodes; synthesise the attributes of the nodes as a file")

    def structure(self, *, ordered: bool) -> bytes:
        """What a digest contains besides the attributes: the edges, or their pattern whatever the order of nodes."""
        if ordered:
            probability = b"" if self.probability is None else self.probability.tobytes()
            return self.indptr.tobytes() + self.indices.tobytes() + probability
        colours = refined(self.indptr, self.indices, SIGNATURE_ROUNDS)
        return np.sort(colours[-1]).tobytes() + len(self).to_bytes(8, "little")

    def to_scipy(self) -> Any:
        """The adjacency as a scipy sparse array in compressed rows; an uncertain graph has its probabilities."""
        from scipy.sparse import csr_array

        values = np.ones(len(self.indices)) if self.probability is None else self.probability
        return csr_array((values, self.indices, self.indptr), shape=(len(self), len(self)))


def _whole_numbers(labels: Sequence[Any]) -> NDArray[np.int64] | None:
    """The labels as whole numbers; None where one is written differently from the number that it is."""
    try:
        numbers = np.array([int(each) for each in labels], dtype=np.int64)
    except (TypeError, ValueError, OverflowError):
        return None
    return (
        numbers
        if all(str(number) == str(label) for number, label in zip(numbers.tolist(), labels, strict=True))
        else None
    )
