"""Subgraph attack: a node is looked for by some links around it."""

from typing import ClassVar

import numpy as np

from sdckit.graph import Graph
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import Intruder
from sdckit.kernels.intervals import wilson
from sdckit.measure import Cost, Finds, Need, Score, risk
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.graph.known_graph import known_graph, size_details

STEPS = 2_000  # of the search around one candidate
Links = list[list[int]]  # for each node of a pattern, in order, the earlier ones that it is linked with


@risk(
    "subgraph-attack",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    cost=Cost.SLOW,
    domain=Graph,
    heading="Re-identified by some links around them",
    reference="hay2008",
)
class SubgraphAttack(GraphMeasure):
    r"""Share of nodes re-identified by an intruder who knows a few links around each.

    For every target a connected subgraph of known links is grown at random. The candidates are the released nodes
    around which such a subgraph exists; other links may exist too, as the intruder knows no absent ones.

    Formula: $\frac{1}{n} \sum_i \frac{[\text{row of } i \in C(i)]}{|C(i)|}$,  $C(i) = \{r : Q(i) \subset G' \text{ with
    } i \text{ at } r\}$, $|E(Q(i))|$ = `links`

    Intruder: knows some links around somebody, such as a chain of acquaintances, and not whether there are others.

    Use it when single links may be known and whole neighbourhoods may not.
    """

    drawn: ClassVar[bool] = True

    links: int = param(5, "links known around a node (the paper's edge facts)", low=1, high=10, grid=(3, 5))
    targets: int = param(100, "nodes attacked at most; 0: all that are known", low=0, every=0)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = known_graph(release, intruder, seed)
        rng = child(generator(seed or 0), "subgraphs")
        targets = view.targets
        if self.targets and len(targets) > self.targets:
            targets = np.sort(rng.choice(targets, self.targets, replace=False))
        truth = release.true_rows(targets)
        near = [set(view.released.neighbours(node).tolist()) for node in range(len(view.released))]
        sizes, found = np.zeros(len(targets), dtype=np.int64), np.zeros(len(targets))
        for number, target in enumerate(targets):
            pattern = known_links(view.known, int(target), self.links, rng)
            candidates = [row for row in range(len(near)) if embeds(near, pattern, [row])]
            sizes[number] = len(candidates)
            found[number] = 1 / len(candidates) if truth[number] in candidates else 0.0
        return Score(
            float(found.mean()),
            by_record=release.on_records(targets, found),
            interval=wilson(float(found.sum()), len(found)),
            baseline=1.0 / len(view.released),
            details={"records_attacked": len(targets)} | size_details(sizes),
        )


def known_links(graph: Graph, node: int, links: int, rng: np.random.Generator) -> Links:
    """A connected subgraph grown from a node by random links, as the earlier neighbours of each of its nodes."""
    members: list[int] = [node]
    pattern: Links = [[]]
    for _ in range(links):
        choices = [
            (position, other)
            for position, member in enumerate(members)
            for other in graph.neighbours(member).tolist()
            if other not in members or not _has(pattern, position, members.index(other))
        ]
        if not choices:
            break
        position, other = choices[int(rng.integers(len(choices)))]
        if other not in members:
            members.append(other)
            pattern.append([position])
        else:
            one, two = sorted((position, members.index(other)))
            pattern[two].append(one)
    return pattern


def _has(pattern: Links, one: int, other: int) -> bool:
    low, high = min(one, other), max(one, other)
    return low in pattern[high]


def embeds(near: list[set[int]], pattern: Links, chosen: list[int], steps: list[int] | None = None) -> bool:
    """Whether the rest of a pattern can be found in a graph, its first nodes being these.

    A search that takes too long ends with yes: a candidate is excluded only by proof.
    """
    steps = [STEPS] if steps is None else steps
    steps[0] -= 1
    if len(chosen) == len(pattern) or steps[0] < 0:
        return True
    earlier = pattern[len(chosen)]
    possible = set.intersection(*(near[chosen[position]] for position in earlier)) - set(chosen)
    return any(embeds(near, pattern, [*chosen, node], steps) for node in possible)
