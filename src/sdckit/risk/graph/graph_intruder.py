"""What the graph intruders share: a law of degrees and edges, joint inference over matchings, and scored claims."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.digest import content_digest
from sdckit.graph import Graph
from sdckit.graph_law import Floats, GraphLaw
from sdckit.graph_measure import GraphMeasure
from sdckit.intruder import AttackerView, Intruder
from sdckit.kernels.intervals import wilson
from sdckit.laws.release_law import ReleaseLaw
from sdckit.matching.graph import CandidateGraph
from sdckit.matching.posterior import posterior
from sdckit.measure import Score
from sdckit.parameters import param
from sdckit.randomness import child, generator
from sdckit.release import Release
from sdckit.risk.graph.claims import BLOCK, Claims, claims_by_shares, claims_of, joined
from sdckit.risk.graph.coherent_parts import ENOUGH
from sdckit.risk.graph.every_matching import of_every_matching
from sdckit.risk.graph.judged_rounds import Judged, Trial, judged
from sdckit.risk.graph.known_graph import KnownGraph, known_graph, with_unknown_links
from sdckit.risk.graph.large_graphs import can_be_listed
from sdckit.risk.graph.neighbour_refinement import JOINT, LISTED, UNLISTED, graphs_again
from sdckit.risk.graph.node_attributes import NodeAttributes
from sdckit.risk.graph.pair_likelihoods import ProfilePair
from sdckit.risk.graph.published_blocks import claims_by_block, claims_within_blocks
from sdckit.risk.intruder.calibration import calibration, is_calibrated

UNLIKE = "the release differs from the graphs masked again, on which its confidence rests"
DIFFERS = "its confidence differs from how often it is correct"
MOST_NEW = (
    "at least half of the released edges are new; what this attack does not find, an intruder who knows a single node "
    "for certain may find as a whole"
)
LEFT_OUT = (
    "nodes were left out of the release, so that each node is judged by itself; an intruder who recognises neighbours "
    "may find more"
)
SURE = 0.95  # confidence from which a claim is a sure one


@dataclass(frozen=True, kw_only=True)
class GraphIntruder(GraphMeasure):
    """A risk that is the share of nodes whose likeliest released node is theirs."""

    drawn: ClassVar[bool] = True

    targets: int = param(
        1000, "nodes attacked at most, chosen by the content of the graph; 0: all that are known", low=0, every=0
    )

    def law(self, view: KnownGraph, release: Release, intruder: Intruder, rng: np.random.Generator) -> GraphLaw:
        """How likely released degrees and edges are; it never sees the true rows."""
        raise TypeError(f"{type(self).__name__} must define law")

    def attribute_law(self, view: AttackerView, rng: np.random.Generator) -> ReleaseLaw:
        """How likely the attributes of each released node are for each known one; it never sees the true rows."""
        raise TypeError(f"{type(self).__name__} must define attribute_law")

    def graphs_again(
        self, view: KnownGraph, law: GraphLaw, release: Release, count: int, rng: np.random.Generator
    ) -> tuple[GraphLaw, list[tuple[Graph, GraphLaw]]]:
        """The known graph masked again, node by node, each time with its law; and the law as far as they correct it."""
        raise TypeError(f"{type(self).__name__} must define graphs_again")

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        view = known_graph(release, intruder, seed, plain=False)
        truth = release.true_rows(view.targets)
        rng = generator(int(content_digest(release.masked.only(()), ordered=False), 16))
        law = self.law(view, release, intruder, child(rng, "law"))
        attributes = self._attributes(release, intruder, seed, child(rng, "attributes"))
        chosen = np.arange(len(view.targets))
        if self.targets and len(chosen) > self.targets:
            chosen = np.sort(child(rng, "targets").choice(len(chosen), self.targets, replace=False))
        whole = len(view.targets) == len(view.known) == len(view.released)
        jointly = whole and len(view.known) <= JOINT
        best = Judged()
        claims = None
        exactly = of_every_matching(view, law, attributes) if whole else None
        if exactly is not None:
            own = np.arange(len(view.released))
            claims = claims_of(exactly[view.targets[chosen]], np.ones_like(own), own, truth[chosen])
        elif law.blocks is not None:
            rows, nodes = release.true_rows(np.arange(len(view.known))), view.targets[chosen]
            if attributes is None:
                claims = claims_by_block(view, law, rows, nodes)
            else:
                claims = claims_within_blocks(view, law, attributes, rows, nodes, child(rng, "chain"))
        elif whole and law.kept > 0 and (jointly or can_be_listed(view.known, view.released, law)):
            again = child(rng, "again")
            law, best, claims = self._judged(view, law, attributes, release, intruder, truth, chosen, again)
        if claims is None:
            pair = ProfilePair.of_graphs(view.known, view.released, law, attributes)
            if jointly:
                claims = claims_of(*self._jointly(view, pair, chosen, child(rng, "chain")), truth[chosen])
            else:
                claims = self._one_by_one(view, pair, chosen, truth[chosen])
                best = Judged(doubt=LEFT_OUT if len(view.released) < len(view.known) else None)
        sure = claims.confidence >= SURE
        bins = calibration(claims.confidence, claims.correct)
        return Score(
            float(claims.correct.mean()),
            by_record=release.on_records(view.targets[chosen], claims.correct),
            interval=wilson(float(claims.correct.sum()), len(chosen)),
            baseline=1.0 / len(view.released),
            details={
                "attributes": () if attributes is None else tuple(attributes.law.sources),
                "laws": {} if attributes is None else attributes.sources,
                "records_attacked": len(chosen),
                "expected_found": float(claims.confidence.mean()),
                "expected_found_is_bound": attributes is None and (law.blocks is not None or exactly is not None),
                "sure_claims": int(sure.sum()),
                "sure_claims_correct": float(claims.correct[sure].sum()),
                "calibration": [each.to_dict() for each in bins],
                "calibrated": is_calibrated(bins),
                "rows_left_open": float(claims.rows_open.mean()),
                "posterior_of_true_row": float(claims.of_truth.mean()),
                "edges_assumed_kept": float(law.kept),
                "matched_jointly": law.blocks is None and (jointly or best.calibration is not None),
                "rounds_of_refinement": best.rounds,
                "calibration_reason": best.doubt
                or (None if is_calibrated(bins) else UNLIKE if best.weights else DIFFERS),
            },
        )

    def _attributes(
        self, release: Release, intruder: Intruder, seed: int | None, rng: np.random.Generator
    ) -> NodeAttributes | None:
        """What the known attributes of the nodes say; None where none is known that the release still has."""
        if not intruder.known_attributes(release):
            return None
        view = replace(intruder, also=()).view(release, seed=seed)
        return NodeAttributes.of_view(view, self.attribute_law(view, rng), len(release.original))

    def _judged(
        self,
        view: KnownGraph,
        law: GraphLaw,
        attributes: NodeAttributes | None,
        release: Release,
        intruder: Intruder,
        truth: NDArray[np.int64],
        chosen: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> tuple[GraphLaw, Judged, Claims | None]:
        """The claims as far as refinement helps, restated as it was right in graphs masked again; None without any.

        These are known as incompletely as the original.
        """
        count = graphs_again(view.released)
        law, again = self.graphs_again(view, law, release, count, rng)
        known = with_unknown_links(view.known, intruder.missing, child(rng, "unknown"))
        if law.kept <= 0 or not again:
            return law, Judged(), None
        drawn = [None if attributes is None else attributes.drawn(child(rng, "drawn", each)) for each in range(count)]
        trials = [Trial.of_graphs(known, graph, each, got) for (graph, each), got in zip(again, drawn, strict=False)]
        trial = Trial.of_graphs(view.known, view.released, law, attributes)
        best = judged(trial, trials)
        stuck = trial.evidence[-1].preserved < ENOUGH * law.kept
        if stuck and law.exists is None and view.released.edge_count >= 2 * view.known.edge_count:
            best = replace(best, doubt=MOST_NEW)
        confidence = best.calibration.expected(trial.evidence[best.stage]) if best.calibration else None
        claims = claims_by_shares(trial.stages[best.stage].shares, view.targets[chosen], confidence, truth[chosen])
        return law, best, claims

    def _one_by_one(
        self, view: KnownGraph, pair: "ProfilePair", chosen: NDArray[np.int64], truth: NDArray[np.int64]
    ) -> Claims:
        """The posterior of each target by itself: every row is as likely beforehand as to have none in a sample."""
        parts, known, released = [], pair.known, pair.released
        targets, absent = view.targets[chosen], max(len(view.known) - len(view.released), 0)
        for start in range(0, len(targets), BLOCK):
            some = slice(start, start + BLOCK)
            scores = pair.log_likelihoods(known.of[targets[some]])
            top = scores.max(axis=1, keepdims=True)
            top = np.where(np.isfinite(top), top, 0.0)
            weights = np.exp(np.where(np.isfinite(scores).any(axis=1, keepdims=True), scores - top, 0.0))
            nobody = absent * np.exp(np.minimum(-top, 700.0))
            weights /= (weights * released.sizes).sum(axis=1, keepdims=True) + nobody
            parts.append(claims_of(weights, released.sizes, released.of, truth[some]))
        return joined(parts)

    def _jointly(
        self,
        view: KnownGraph,
        pair: "ProfilePair",
        chosen: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
        """The posterior over one-to-one matchings: of a row of each class, the sizes of classes, and whose is whose."""
        known, released = pair.known, pair.released
        count, listed = len(known.sizes), min(LISTED, len(released.sizes))
        classes, scores = np.empty((count, listed), dtype=np.int64), np.empty((count, listed))
        left_out = np.empty(count)
        for start in range(0, count, BLOCK):
            some = np.arange(start, min(start + BLOCK, count))
            block = pair.log_likelihoods(some)
            block = np.where(np.isfinite(block).any(axis=1, keepdims=True), block, 0.0)
            best = np.argpartition(-block, listed - 1, axis=1)[:, :listed]
            classes[some], scores[some] = np.sort(best, axis=1), np.take_along_axis(block, np.sort(best, axis=1), 1)
            weights = np.exp(block - block.max(axis=1, keepdims=True)) * released.sizes
            inside = np.take_along_axis(weights, best, 1).sum(axis=1)
            left_out[some] = 1 - inside / weights.sum(axis=1)
        of = known.of[view.targets]
        possible = np.isfinite(scores[of])
        starts = np.concatenate([[0], np.cumsum(possible.sum(axis=1))])
        graph = CandidateGraph.of(starts, classes[of][possible], scores[of][possible], released.sizes)
        graph = graph.with_unlisted(np.maximum(left_out[of], UNLISTED))
        found = posterior(graph, rng, of, chosen)
        dense = np.zeros((len(chosen), len(released.sizes)))
        of_row = found.probability / graph.capacity[graph.classes]
        for line, target in enumerate(chosen):
            edges = slice(starts[target], starts[target + 1])
            dense[line, graph.classes[edges]] = of_row[edges]
        return dense, released.sizes, released.of
