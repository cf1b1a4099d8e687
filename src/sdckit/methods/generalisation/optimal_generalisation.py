"""Optimal generalisation: the least coarse levels of the hierarchies that give k-anonymity."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.hierarchy import ROOT
from sdckit.kernels.lattice import Generalisation, Levels, best_generalisation
from sdckit.masking import Masking, masking
from sdckit.methods.category_trees import code_table, generalise, texts_of, tree_of, up_the_tree, with_nodes
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param

MOST_NODES = 1_000_000  # combinations of levels that are searched


@masking("optimal-generalisation", kind=Kind.CATEGORICAL, reference="kohlmayer2012")
class OptimalGeneralisation(Masking):
    """Generalise each key to one level of its hierarchy, so that k records share every combination at the least loss.

    All combinations of levels are searched, and none with a smaller loss is missed: whatever lies above a sufficient
    combination is sufficient, and whatever lies below an insufficient one is not. Records in smaller classes are
    suppressed, all their keys made missing, as long as these are no more than `suppression` allows. An attribute
    without a hierarchy is published in full or as `*` throughout. A missing value stays missing and is grouped with the
    root.

    Formula: min over levels ℓ of Σ loss / cells,  loss = (leaves below the node − 1) / (leaves − 1), or 1 if suppressed

    Use it when every record must have the same level of detail, so that tables can be compared, and as little as
    possible may be lost by it.
    """

    suppresses = True
    keeps_missing = True

    group_size: int = param(3, "records that share each combination of keys (the papers' k)", low=1, grid=(2, 3, 5, 10))
    suppression: float = param(
        0.05, "largest share of the records to suppress", low=0, high=1, grid=(0.0, 0.01, 0.05, 0.1)
    )

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        found = self.search(data, names)
        columns, meanings = {}, []
        for name, level in zip(names, found.levels, strict=True):
            attribute = data.attribute(name)
            nodes = generalise(attribute, level, tree_of(attribute))
            coarser = with_nodes(attribute, nodes)
            codes = np.append(code_table(coarser, nodes), np.int32(-1))[data.columns[name]]
            columns[name] = np.where(found.suppressed, -1, codes)
            meanings.append(coarser)
        return data.with_columns(columns, meanings)

    def search(self, data: Microdata, names: Sequence[str]) -> Generalisation:
        """The best levels of these attributes."""
        keys = [levels_of(data.attribute(name)) for name in names]
        nodes = math.prod(len(key.nodes) for key in keys)
        if nodes > MOST_NODES:
            raise SchemaError(f"{self.name}: {nodes:,} combinations of levels are too many; name fewer attributes")
        codes = data.codes(names).astype(np.int64)
        missing = np.array([key.nodes.shape[1] - 1 for key in keys])
        limit = int(self.suppression * len(data) + 1e-9)
        found = best_generalisation(np.where(codes < 0, missing, codes), keys, self.group_size, limit)
        if found is None:
            raise SchemaError(
                f"{self.name}: {len(data)} records cannot be {self.group_size}-anonymous; use a smaller group_size"
            )
        return found

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """The levels that were found best, and how many records were suppressed."""
        found = self.search(original, attributes)
        levels = ", ".join(f"{name} {level}" for name, level in zip(attributes, found.levels, strict=True))
        return [
            f"{self.name}: levels of generalisation: {levels}; {int(found.suppressed.sum())} records suppressed; "
            f"{found.checked} combinations checked"
        ]

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value became a node above it, or went missing."""
        return None if released is None else self.image(known, {each.name: each for each in released.attributes})

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """The same, as the hierarchies say what is above each value."""
        above = up_the_tree(known, attributes.values())
        return Candidates(known.records, allowed=above.allowed, may_be_missing=frozenset(known.allowed))


def levels_of(attribute: Attribute) -> Levels:
    """What each category becomes on each level, up to the root, and what is lost by it."""
    tree, texts = tree_of(attribute), texts_of(attribute)
    height = max(len(tree.ancestors(text)) for text in texts)
    number = {ROOT: 0}
    nodes = np.zeros((height, len(texts) + 1), dtype=np.int64)
    losses = np.zeros((height, len(texts) + 1))
    leaves = len(tree.leaves)
    for level in range(height):
        for code, text in enumerate(texts):
            node = tree.generalise(text, level)
            nodes[level, code] = number.setdefault(node, len(number))
            losses[level, code] = (len(tree.descendants(node)) - 1) / max(leaves - 1, 1)
    return Levels(nodes, losses)
