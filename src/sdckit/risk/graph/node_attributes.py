"""What the attributes of nodes say about who is who: the law of an intruder of microdata, beside that of the links."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sdckit.intruder import AttackerView
from sdckit.kernels.equivalence_classes import class_of
from sdckit.laws.blocks import Equality, Floats, Indices, Table
from sdckit.laws.release_law import Candidates, ReleaseLaw

UNKNOWN = -1  # the class of a node whose attributes the intruder does not know
TABLE = 4_000_000  # pairs of classes whose likelihoods are kept
LISTED = 200  # likeliest classes of each node, where not all are compared
COMPARED = 30_000_000  # pairs up to which a row is compared with what anybody may have


@dataclass(frozen=True, eq=False)
class NodeAttributes:
    """The likelihood of each released node for each known one by their attributes; both are given by class.

    `law`          the law of the attributes, over known nodes and classes of equal released nodes
    `of_known`     the class of each known node, by its attributes; −1 where these are not known
    `first`        a record of the law in each class of known nodes
    `of_released`  the class of each released node, as the law numbers them
    """

    law: ReleaseLaw
    of_known: Indices
    first: Indices
    of_released: Indices

    @classmethod
    def of_view(cls, view: AttackerView, law: ReleaseLaw, nodes: int) -> "NodeAttributes":
        """The attributes of a release as an intruder sees them; the known graph has so many nodes."""
        # Equal records may be in different groups of a method that was applied again.
        codes = [block.of_record for block in law.blocks if isinstance(block, Equality | Table)]
        alike = class_of(np.column_stack([view.known.codes(view.attributes), *codes]))
        of_known = np.full(nodes, UNKNOWN, dtype=np.int64)
        of_known[view.records] = alike.of
        return cls(law, of_known, alike.first(), law.rows.of)

    @property
    def sources(self) -> dict[str, str]:
        """Where the law of each attribute comes from."""
        return {name: source.value for name, source in self.law.sources.items()}

    def log_likelihoods(self, classes: Indices) -> Floats:
        """For known classes, how much likelier a released node of each class is than one at random, as a logarithm."""
        known = classes >= 0
        out = np.zeros((len(classes), len(self.law.rows.sizes)))
        out[known] = self._table[classes[known]] if self._is_small else self._compared(classes[known])
        return out

    def of_nodes(self, nodes: Indices | slice) -> Floats:
        """The same for known nodes and all released nodes."""
        return self.log_likelihoods(self.of_known[nodes])[:, self.of_released]

    def of_pairs(self, nodes: Indices, released: Indices) -> Floats:
        """The same for pairs of a known and a released node, by the likeliest classes where there are many pairs."""
        if self._is_small:
            return np.where(
                self.of_known[nodes] >= 0, self._table[self.of_known[nodes], self.of_released[released]], 0.0
            )
        known, classes = self.of_known[nodes], self.of_released[released]
        parts = self.law.of_pairs(self.first[known], classes)
        scores = np.sum(list(parts.values()), axis=0)
        return np.where(known >= 0, self._mixed(np.exp(scores - self._log_total[known])), 0.0)

    def drawn(self, rng: np.random.Generator) -> "NodeAttributes":
        """The attributes that the known nodes may have got: node i has those of a released node drawn by the law."""
        sizes = self.law.rows.sizes
        of_released = rng.choice(len(sizes), len(self.of_known), p=sizes / sizes.sum())
        listed = self.likeliest
        ends = np.concatenate([[0.0], np.cumsum(np.exp(listed.log_likelihood) * sizes[listed.classes])])
        mine = np.flatnonzero((self.of_known >= 0) & (np.append(np.diff(listed.starts), 0)[self.of_known] > 0))
        low, high = (ends[listed.starts[self.of_known[mine] + step]] for step in (0, 1))
        drawn = np.searchsorted(ends, low + rng.random(len(mine)) * (high - low), side="right") - 1
        drawn = np.clip(drawn, listed.starts[self.of_known[mine]], listed.starts[self.of_known[mine] + 1] - 1)
        of_released[mine] = listed.classes[drawn]
        return replace(self, of_released=of_released.astype(np.int64))

    @cached_property
    def likeliest(self) -> Candidates:
        """The likeliest classes of each known class, the likelihoods relative to the largest."""
        found = self.law.candidates(LISTED, self.first)
        return found._replace(log_likelihood=found.log_likelihood - np.repeat(self._top(found), np.diff(found.starts)))

    @cached_property
    def _log_total(self) -> Floats:
        """The mean likelihood of a row for each known class, as a logarithm, from the likeliest classes."""
        found = self.law.candidates(LISTED, self.first)
        top, sizes = self._top(found), self.law.rows.sizes
        of = np.repeat(np.arange(len(top)), np.diff(found.starts))
        weight = np.bincount(of, np.exp(found.log_likelihood - top[of]) * sizes[found.classes], len(top))
        return np.asarray(top + np.log(np.maximum(weight, 1e-300) / sizes.sum()))

    @staticmethod
    def _top(found: Candidates) -> Floats:
        listed = np.diff(found.starts)
        top = np.zeros(len(listed))
        top[listed > 0] = np.maximum.reduceat(found.log_likelihood, found.starts[:-1][listed > 0])
        return top

    def _mixed(self, ratio: Floats) -> Floats:
        """The logarithm of a likelihood ratio, where another explanation of the two files is possible."""
        with np.errstate(divide="ignore"):
            return np.asarray(np.log((1 - self.law.doubt) * ratio + self.law.doubt))

    @property
    def _is_small(self) -> bool:
        return len(self.first) * len(self.law.rows.sizes) <= TABLE

    @cached_property
    def _table(self) -> Floats:
        return self._compared(np.arange(len(self.first)))

    def _compared(self, classes: Indices) -> Floats:
        return self._of_rows(classes) - self._anybody

    @cached_property
    def _anybody(self) -> Floats:
        """How likely a row of each class is for a known node at random, relative to a row at random."""
        count = np.bincount(self.of_known[self.of_known >= 0], minlength=len(self.first))
        total = np.zeros(len(self.law.rows.sizes))
        if len(self.first) * len(total) > COMPARED:
            return total
        for part in np.array_split(np.arange(len(self.first)), -(-len(self.first) * len(total) // TABLE)):
            total += count[part] @ np.exp(self._of_rows(part))
        return np.where(total > 0, np.log(np.maximum(total, 1e-300) / max(count.sum(), 1)), 0.0)

    def _of_rows(self, classes: Indices) -> Floats:
        """For known classes, the log-probability of one row of each class, relative to that of a row at random."""
        rows = len(self.law.rows.sizes)
        parts = self.law.of_pairs(np.repeat(self.first[classes], rows), np.tile(np.arange(rows), len(classes)))
        scores = np.sum(list(parts.values()), axis=0).reshape(len(classes), rows)
        top = scores.max(axis=1, keepdims=True, initial=-np.inf)
        scores = np.where(np.isfinite(top), scores - np.where(np.isfinite(top), top, 0.0), 0.0)
        share = np.exp(scores)
        sizes = self.law.rows.sizes
        share *= sizes.sum() / (share @ sizes)[:, None]
        return self._mixed(share)
