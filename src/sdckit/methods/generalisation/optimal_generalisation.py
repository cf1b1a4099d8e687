"""Optimal generalisation: the least coarse levels of the hierarchies that give k-anonymity."""

from collections.abc import Mapping, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.hierarchy import ROOT
from sdckit.kernels.lattice import Generalisation, best_generalisation
from sdckit.masking import masking
from sdckit.methods.category_trees import code_table, generalise, tree_of, up_the_tree, with_nodes
from sdckit.methods.generalisation.anonymising import Anonymising
from sdckit.methods.generalisation.key_levels import GeneralisationLoss, levels_of
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param

ALTERNATIVES = 3  # further combinations of levels that the notes name


@masking("optimal-generalisation", kind=Kind.CATEGORICAL, reference="kohlmayer2012")
class OptimalGeneralisation(Anonymising):
    r"""Generalise each key to one level of its hierarchy, so that k records share every combination at the least loss.

    All combinations of levels are searched by branch and bound, so that the one of least loss is found, or one with a
    proven gap to it where the search stops early. Under k-anonymity and other models that a larger class cannot
    violate, whoever is suppressed at some levels is suppressed at all finer ones, which rules out most combinations
    without counting them; of other models this is used only where nothing is suppressed. Records in classes that do
    not satisfy the models are suppressed, all their keys made missing, as long as these are no more than `suppression`
    allows. An attribute without a hierarchy is published in full or as `*` throughout. A missing value stays missing
    and is grouped with the root, which is missing, too, where an attribute has missing values, so that the rows of a
    class look the same. Records outside the research subset lose all keys.

    Formula: $\min_\ell \frac{1}{\text{cells}} \sum \text{loss}(\ell)$,  $\text{loss} = \frac{\text{leaves below the
    node} - 1}{\text{leaves} - 1}$, or 1 if suppressed

    Use it when every record must have the same level of detail, so that tables can be compared, and as little as
    possible may be lost by it.
    """

    loss: GeneralisationLoss = param(
        GeneralisationLoss.NCP,
        "what is minimised: ncp, precision or entropy, means over cells; discernibility or class-size, of the classes",
    )

    max_checked: int = param(
        100_000, "combinations of levels that are counted before the search stops with a proven gap", low=1
    )

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        found = self.search(data, names)
        columns, meanings = {}, []
        for name, level in zip(names, found.levels, strict=True):
            attribute = data.attribute(name)
            nodes = generalise(attribute, level, tree_of(attribute))
            coarser = with_nodes(attribute, nodes)
            published = code_table(coarser, nodes)
            if data.missing(name):  # a hole stays one, so that only without a root do rows of a class look the same
                published = np.where([node == ROOT for node in nodes], np.int32(-1), published)
            codes = np.append(published, np.int32(-1))[data.columns[name]]
            columns[name] = np.where(found.suppressed, -1, codes)
            meanings.append(coarser)
        return data.with_columns(columns, meanings)

    def search(self, data: Microdata, names: Sequence[str]) -> Generalisation:
        """The best levels of these attributes, and which records are suppressed; the same file is searched once."""
        known = _FOUND.setdefault(data, {})
        setting = self, tuple(names)
        if setting not in known:
            known[setting] = self._search(data, names)
        return known[setting]

    def _search(self, data: Microdata, names: Sequence[str]) -> Generalisation:
        problem = self.problem(data, names, missing_apart=False)
        limit = int(self.suppression * int(problem.released.sum()) + 1e-9)
        found = best_generalisation(
            problem.table, problem.levels, problem.rule, limit, self.price(names), self.max_checked
        )
        if found is None:
            self.refuse_impossible(data, names, problem)
            raise SchemaError(
                f"{self.name}: no combination of levels satisfies the models within the limit on suppression; raise "
                "suppression or max_levels, or use weaker models"
            )
        lowest = [
            min(low, len(levels_of(data.attribute(name)).nodes) - 1)
            for name, low in zip(names, self.level_limits(names)[0], strict=True)
        ]
        levels = tuple(level + low for level, low in zip(found.levels, lowest, strict=True))
        others = tuple(
            (tuple(level + low for level, low in zip(node, lowest, strict=True)), loss, suppressed)
            for node, loss, suppressed in found.alternatives
        )
        return found._replace(
            levels=levels, alternatives=others, suppressed=found.suppressed[problem.row_of] | ~problem.released
        )

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """The levels that were found best, how many records were suppressed, and what suppresses less at what loss."""
        found = self.search(original, attributes)
        levels = ", ".join(f"{name} {level}" for name, level in zip(attributes, found.levels, strict=True))
        notes = [
            f"{self.name}: levels of generalisation: {levels}; {int(found.suppressed.sum())} records suppressed; "
            f"{found.checked} combinations checked"
        ]
        if found.gap:
            notes.append(
                f"{self.name}: the search stopped after {found.checked} combinations; no other one loses less by more "
                f"than {found.gap:.4f} (loss {found.loss:.4f}); raise max_checked to search on"
            )
        for other, loss, suppressed in found.alternatives[:ALTERNATIVES]:
            levels = ", ".join(f"{name} {level}" for name, level in zip(attributes, other, strict=True))
            notes.append(f"{self.name}: {suppressed} records suppressed and loss {loss:.4f} at levels {levels}")
        return notes

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value became a node above it, or went missing."""
        return None if released is None else self.image(known, {each.name: each for each in released.attributes})

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """The same, as the hierarchies define what is above each value."""
        above = up_the_tree(known, attributes.values())
        return Candidates(known.records, allowed=above.allowed, may_be_missing=frozenset(known.allowed))


_FOUND: WeakKeyDictionary[Microdata, dict[tuple[OptimalGeneralisation, tuple[str, ...]], Generalisation]] = (
    WeakKeyDictionary()
)  # pins no file
