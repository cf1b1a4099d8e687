"""Graph: nodes with attributes, and the edges between them; never changed in place.

A graph is the microdata of its nodes, which may have no attribute at all, and an adjacency. So whatever masks or
measures microdata does so with the attributes of the nodes, and a component of the domain `Graph` sees the edges too.
Graphs are simple: what reads a file leaves out self-loops and repeated edges and notes how many. Edges may have
directions, and weights, which repeated edges add up; what uses neither takes the `plain` graph.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.cleaned_edges import Cleaned
from sdckit.errors import SchemaError
from sdckit.kernels.adjacency import arcs_of, edge_keys, edges_of, from_arcs, from_edges, reversed_arcs
from sdckit.kernels.edge_values import at_both_ends, at_one_end, summed_by_edge
from sdckit.kernels.neighbourhood_refinement import refined
from sdckit.microdata import Microdata
from sdckit.node_labels import NODE, label_attribute
from sdckit.read_only import read_only, seal

SIGNATURE_ROUNDS = 3  # of refinement in a digest that does not depend on the order of the nodes


@dataclass(frozen=True, eq=False, repr=False)
class Graph(Microdata):
    """A simple graph: `indices[indptr[v]:indptr[v+1]]` are the sorted nodes that node v is linked with, or links to.

    `probability`  the probability of each entry of `indices`, of an uncertain graph; None where every edge is certain
    `weight`       the weight of each entry of `indices`; None where edges have none
    `directed`     whether an edge leads from one node to another; otherwise each appears at both of its ends
    """

    unit: ClassVar[str] = "node"

    indptr: NDArray[np.int64] = field(default_factory=lambda: np.zeros(1, dtype=np.int64))
    indices: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    probability: NDArray[np.float64] | None = None
    cleaned: Cleaned = Cleaned()
    weight: NDArray[np.float64] | None = None
    directed: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "indptr", read_only(self.indptr, np.int64))
        object.__setattr__(self, "indices", read_only(self.indices, np.int64))
        for name in ("probability", "weight"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, read_only(getattr(self, name), np.float64))
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
        labels: Sequence[Any] | NDArray[Any] | None = None,
        directed: bool = False,
        weight: Any = None,
    ) -> "Graph":
        """The graph of these edges between nodes numbered from 0, where directed from `one` to `other`.

        >>> Graph.from_edges(4, [0, 1, 1], [1, 2, 2]).degrees.tolist()
        [1, 2, 1, 0]
        """
        ends = [np.asarray(each, dtype=np.int64).ravel() for each in (one, other)]
        for end in ends:
            if len(end) and (end.min() < 0 or end.max() >= nodes):
                raise SchemaError(f"an edge names node {int(end.max())}, and the graph has the nodes 0 to {nodes - 1}")
        make = from_arcs if directed else from_edges
        indptr, indices, loops, repeated = make(nodes, *ends)
        file = attributes if attributes is not None else Microdata((), {})
        graph = cls(
            file.attributes,
            file.columns,
            file.edits,
            file.form,
            None,
            indptr,
            indices,
            None,
            Cleaned(loops, repeated),
            directed=directed,
        )
        if weight is not None:
            graph = graph.with_weights(graph._summed(ends[0], ends[1], _checked_weights(weight, len(ends[0]))))
        return graph if labels is None else graph.labelled(labels)

    def _summed(
        self, one: NDArray[np.int64], other: NDArray[np.int64], values: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """The sum of the values of each edge, in the order of `edges`; those of self-loops are left out."""
        low, high = (one, other) if self.directed else (np.minimum(one, other), np.maximum(one, other))
        return summed_by_edge(self.edge_keys, len(self), low, high, values)

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
        return replace(self, probability=self._at_both_ends(values))

    def with_weights(self, values: NDArray[np.float64] | None) -> "Graph":
        """The graph with a weight for each edge, in the order of `edges`; None: without weights."""
        return replace(self, weight=None if values is None else self._at_both_ends(values))

    def _at_both_ends(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        return values if self.directed else at_both_ends(self.indptr, self.indices, self.edge_keys, values)

    def without_repetition_note(self) -> "Graph":
        """The graph of a file that may name every edge twice."""
        return replace(self, cleaned=replace(self.cleaned, repeated=0))

    def labelled(self, labels: Sequence[Any] | NDArray[Any]) -> "Graph":
        """The graph with labels of its nodes, as an identifier; numbers from 0 in order are no labels."""
        if len(labels) != len(self):
            raise SchemaError(f"there are {len(labels)} labels for {len(self)} nodes; give each node one")
        found = label_attribute(labels)
        if found is None:
            return self
        attribute, column = found
        others = tuple(each for each in self.attributes if each.name != NODE)
        return replace(self, attributes=(attribute, *others), columns={**self.columns, NODE: column})

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def __repr__(self) -> str:
        """The numbers of nodes and edges and the attributes, and no edge."""
        attributes = ", ".join(f"{each.name} ({each.kind.title}, {each.role.value})" for each in self.attributes)
        edges = f"{self.edge_count} {self.kind_of_edges}"
        return f"Graph({len(self)} nodes, {edges}{': ' + attributes if attributes else ''})"

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (self.attributes, dict(self.columns), self.edits, self.form, self.lineage)
        edges = (self.indptr, self.indices, self.probability, self.cleaned, self.weight, self.directed)
        return type(self), (*kept, *edges)

    @property
    def releasable(self) -> bool:
        """A graph without any attribute is a release too."""
        return True

    @property
    def node_attributes(self) -> tuple[str, ...]:
        """What is known of the nodes besides their labels."""
        return tuple(each.name for each in self.attributes if each.name != NODE)

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return len(self.indices) if self.directed else len(self.indices) // 2

    @property
    def kind_of_edges(self) -> str:
        """What the edges are called: edges, directed edges, weighted edges or uncertain edges."""
        kinds = (self.directed, "directed"), (self.weight is not None, "weighted")
        return ", ".join([name for has, name in kinds if has]) + " edges" if any(has for has, _ in kinds) else "edges"

    @property
    def known_links(self) -> str:
        """What somebody knows who knows the edges."""
        return f"the {self.kind_of_edges.removesuffix('edges')}links"

    @cached_property
    def degrees(self) -> NDArray[np.int64]:
        """The number of edges of each node, in both directions."""
        return seal(self.degrees_by_direction.sum(axis=1))

    @cached_property
    def degrees_by_direction(self) -> NDArray[np.int64]:
        """The numbers of edges from and to each node, in two columns; one column where edges have no direction."""
        out = np.diff(self.indptr)
        columns = [out, np.bincount(self.indices, minlength=len(self))] if self.directed else [out]
        return seal(np.column_stack(columns).astype(np.int64))

    @cached_property
    def edges(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The two ends of every edge, in order: from and to, or the smaller number first."""
        low, high = (arcs_of if self.directed else edges_of)(self.indptr, self.indices)
        return seal(low), seal(high)

    @cached_property
    def edge_keys(self) -> NDArray[np.int64]:
        """A number for every edge, sorted: its first end times the number of nodes, plus the other end."""
        if self.directed:
            low, high = self.edges
            return seal(low * len(self) + high)
        return seal(edge_keys(self.indptr, self.indices))

    def of_edges(self, values: NDArray[np.float64] | None) -> NDArray[np.float64]:
        """Probabilities or weights of entries as those of edges, in the order of `edges`; 1 where there are none."""
        if values is None:
            return np.ones(self.edge_count)
        return values if self.directed else at_one_end(self.indptr, self.indices, values)

    @cached_property
    def adjacencies(self) -> tuple[tuple[NDArray[np.int64], NDArray[np.int64]], ...]:
        """Row pointers and neighbours: one adjacency, or where edges have directions those out of and into nodes."""
        out = (self.indptr, self.indices)
        return (out, reversed_arcs(*out)) if self.directed else (out,)

    @cached_property
    def undirected(self) -> "Graph":
        """The graph without directions: two nodes that are linked either way are linked; weights are added up."""
        if not self.directed:
            return self
        edges = Graph.from_edges(len(self), *self.edges, weight=self.weight)
        return replace(self, indptr=edges.indptr, indices=edges.indices, weight=edges.weight, directed=False)

    @cached_property
    def plain(self) -> "Graph":
        """The graph without directions and weights."""
        return self.undirected if self.undirected.weight is None else replace(self.undirected, weight=None)

    def neighbours(self, node: int) -> NDArray[np.int64]:
        """The neighbours of a node, sorted."""
        return self.indices[self.indptr[node] : self.indptr[node + 1]]

    def with_edges(self, one: NDArray[np.int64], other: NDArray[np.int64]) -> "Graph":
        """The same nodes with these edges instead."""
        indptr, indices, _, _ = (from_arcs if self.directed else from_edges)(len(self), one, other)
        return replace(self, indptr=indptr, indices=indices, probability=None, weight=None, cleaned=Cleaned())

    def with_keys(self, keys: NDArray[np.int64]) -> "Graph":
        """The same nodes with the edges of these numbers instead."""
        nodes = max(len(self), 1)
        return self.with_edges(keys // nodes, keys % nodes)

    def with_some_edges(self, kept: NDArray[np.bool_]) -> "Graph":
        """The same nodes with those edges, in the order of `edges`, that are kept."""
        low, high = self.edges
        some = self.with_edges(low[kept], high[kept])
        if self.probability is not None:
            some = some.with_probabilities(self.of_edges(self.probability)[kept])
        return some if self.weight is None else some.with_weights(self.of_edges(self.weight)[kept])

    def take(self, rows: NDArray[np.int64]) -> "Graph":
        """The subgraph of these nodes, in this order; the lineage gives the node that each was."""
        rows = np.asarray(rows, dtype=np.int64)
        if len(np.unique(rows)) < len(rows):
            raise SchemaError("a node is taken twice; a graph has each node once")
        number = np.full(len(self), -1, dtype=np.int64)
        number[rows] = np.arange(len(rows))
        one, other = (number[end] for end in self.edges)
        both = (one >= 0) & (other >= 0)
        one, other = one[both], other[both]
        made = Graph.from_edges(len(rows), one, other, directed=self.directed)
        probability, weight = (
            None if given is None else made._at_both_ends(made._summed(one, other, self.of_edges(given)[both]))
            for given in (self.probability, self.weight)
        )
        lineage = np.arange(len(self)) if self.lineage is None else self.lineage
        return replace(
            self,
            columns={name: seal(column[rows]) for name, column in self.columns.items()},
            form=replace(self.form, index=None),
            lineage=seal(lineage[rows]),
            indptr=made.indptr,
            indices=made.indices,
            probability=probability,
            weight=weight,
        )

    def as_records(self) -> Microdata:
        """The attributes of the nodes as a file of records."""
        return Microdata(self.attributes, self.columns, self.edits, self.form, self.lineage)

    def with_rows(self, columns: Mapping[str, NDArray[Any]]) -> "Graph":
        """Other rows have no edges: a synthetic file of attributes is made from those of the nodes."""
        raise SchemaError("the rows of a graph are its nodes; synthesise the attributes of the nodes as a file")

    def structure(self, *, ordered: bool) -> bytes:
        """What a digest contains besides the attributes: the edges, or their pattern whatever the order of nodes."""
        values = [each for each in (self.probability, self.weight) if each is not None]
        mark = b"directed" if self.directed else b""
        if ordered:
            return self.indptr.tobytes() + self.indices.tobytes() + b"".join(each.tobytes() for each in values) + mark
        colours = refined(self.plain.indptr, self.plain.indices, SIGNATURE_ROUNDS)
        weights = b"" if self.weight is None else np.sort(self.weight).tobytes()
        return np.sort(colours[-1]).tobytes() + len(self).to_bytes(8, "little") + weights + mark

    def to_scipy(self) -> Any:
        """The adjacency as a scipy sparse array in compressed rows, with probabilities or weights where there are any.

        Row i of a directed graph has the nodes that node i links to.
        """
        from scipy.sparse import csr_array

        given = self.weight if self.probability is None else self.probability
        values = np.ones(len(self.indices)) if given is None else given
        return csr_array((values, self.indices, self.indptr), shape=(len(self), len(self)))


def _checked_weights(weight: Any, edges: int) -> NDArray[np.float64]:
    values = np.asarray(weight, dtype=np.float64)
    if len(values) != edges:
        raise SchemaError(f"there are {len(values)} weights for {edges} edges; give each edge one")
    if not np.isfinite(values).all():
        raise SchemaError("a weight of an edge is missing or infinite; give each edge a number")
    return values
