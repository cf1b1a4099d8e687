"""Local generalisation: each class of records is generalised as little as it needs, in rounds of lattice search."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.errors import ParameterError, SchemaError
from sdckit.kernels.class_models import SmallestSize
from sdckit.kernels.class_moves import move_rows
from sdckit.kernels.class_refinement import Partition, Tree
from sdckit.kernels.class_splits import split_classes
from sdckit.kernels.equivalence_classes import class_of
from sdckit.kernels.lattice_rounds import classes_by_rounds
from sdckit.kernels.lattice_rows import Lattice, row_table
from sdckit.kernels.thin_lattice import thinned
from sdckit.masking import masking
from sdckit.methods.category_trees import code_table, texts_of, up_the_tree, with_nodes
from sdckit.methods.generalisation.anonymising import Anonymising, Problem, bound, subset_of
from sdckit.methods.generalisation.covered_population import covered_population, with_population
from sdckit.methods.generalisation.key_levels import GeneralisationLoss, frequencies_of, numbered_tree
from sdckit.methods.generalisation.larger_groups import with_larger_groups
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param

MOST_NODES = 20_000  # combinations of levels that the rounds search; beyond, levels are thinned out
FEWEST_NODES = 1_000
MOST_COUNTS = 1_000_000_000  # of rows on nodes: bounds the time on large files
SINGLY = 1_000  # rows that reach the models nowhere and are placed one by one
OF_CELLS = (GeneralisationLoss.NCP, GeneralisationLoss.PRECISION, GeneralisationLoss.ENTROPY)


class LocalRecoding(NamedTuple):
    """The class of each record, −1 where it is suppressed or not of the subset, and the nodes of each class."""

    of: NDArray[np.int64]
    nodes: NDArray[np.int64]
    names: list[tuple[str | None, ...]]


@masking("local-generalisation", kind=Kind.CATEGORICAL, reference="prasser2020")
class LocalGeneralisation(Anonymising):
    r"""Generalise records in rounds, those first that need the least, so that k share every combination of keys.

    Each round searches the lattice of levels for the node of least loss on which a share of the remaining records is in
    classes that satisfy the models; these records are released at that node. Records that no round releases join the
    class in which they cost least, or are suppressed up to the limit. Classes are then dissolved where their records
    cost less in other classes, and each class is published as the lowest nodes that its records have in common. Equal
    values may therefore be published at different levels. A missing value is a value of its own: where a class mixes it
    with others, the attribute is missing for the whole class. Only rows with identical published values form a class,
    so that a missing value does not count as agreeing with every value, and the models are measured again on the
    release. Records outside the research subset lose all keys.

    Formula: $\ell_r = \operatorname{argmin}_\ell \{\text{loss}(\ell) : \sum_{E \models \text{models}} |E| \ge
    \text{share} \cdot \text{remaining}\}$ in rounds $r = 1, 2, \ldots$;  the classes $E$ that meet the models are
    released

    Use it when as little detail as possible may be lost under k-anonymity or stricter models and analysts can work with
    values at mixed levels; where all records need the same level, use optimal-generalisation.
    """

    suppression: float = param(
        0.0, "largest share of the records to suppress", low=0, high=1, grid=(0.0, 0.01, 0.05, 0.1)
    )
    share: float = param(0.01, "smallest share of the remaining records that a round releases", low=0, high=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.loss not in OF_CELLS:
            raise ParameterError(f"{self.name}: loss = {self.loss} is not one of {', '.join(map(str, OF_CELLS))}")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        found = self.search(data, names)
        columns, meanings = {}, []
        inside = found.of >= 0
        for index, name in enumerate(names):
            attribute, nodes = data.attribute(name), found.nodes[:, index]
            mixed = np.zeros(len(nodes) + 1, dtype=bool)
            mixed[found.of[inside & data.absent(name)]] = True
            used = [found.names[index][number] for number in np.unique(nodes)]
            texts = [text for text in used if text is not None]
            coarser = with_nodes(attribute, texts)
            code_of = np.full(len(found.names[index]), -1, dtype=np.int32)
            numbers = [number for number in np.unique(nodes) if found.names[index][number] is not None]
            code_of[numbers] = code_table(coarser, texts)
            published = np.append(np.where(mixed[:-1], -1, code_of[nodes]), -1)
            columns[name] = published[found.of].astype(np.int32)
            meanings.append(coarser)
        masked = data.with_columns(columns, meanings)
        self.measure_again(data, masked, names, inside)
        return masked

    def search(self, data: Microdata, names: Sequence[str]) -> LocalRecoding:
        """The classes, and the nodes that each is published as."""
        problem = self.problem(data, names, missing_apart=True)
        self.refuse_impossible(data, names, problem)
        trees, texts = [], []
        for name, low, high in zip(names, *self.level_limits(names), strict=True):
            tree, nodes = numbered_tree(data.attribute(name), self.loss, frequencies_of(data, name), low, high)
            trees.append(tree)
            texts.append(nodes)

        def hides(found: Partition) -> bool:
            """Whether the models hold where every person who fits a class is counted: classes may overlap."""
            if not self.subset or not problem.rule.of_population:
                return True
            nodes = [[text[number] for number in found.nodes[:, j]] for j, text in enumerate(texts)]
            covered = covered_population(data, names, nodes)
            used = found.classes.sizes > 0
            counted = with_population(found.classes, covered)
            return bool(problem.rule.sufficient(counted).all()) and bool(used.any())

        partition = self.of_the_file(problem, trees, self.price(names).weights, hides)
        return LocalRecoding(np.where(problem.released, partition.of[problem.row_of], -1), partition.nodes, texts)

    def partition(self, problem: Problem, trees: Sequence[Tree], weights: Sequence[float]) -> Partition:
        """The classes of the distinct rows."""
        table, rule = problem.table, problem.rule
        nodes = min(MOST_NODES, max(FEWEST_NODES, MOST_COUNTS // max(len(table.rows), 1)))
        lattice = Lattice(thinned(problem.levels, nodes))
        found = Partition(table, trees, weights, classes_by_rounds(table, lattice, rule, weights, self.share))
        left = (found.of < 0) & (table.frequencies > 0)
        limit = int(self.suppression * table.frequencies.sum() + 1e-9)
        if table.frequencies[left].sum() > limit:
            rows_left = np.flatnonzero(left)
            top = [levels - 1 for levels in lattice.shape]
            cells = lattice.cells(table.rows[rows_left], top).of  # no class may reach beyond one of these
            apart = np.arange(len(rows_left)) if rule.upward_closed and len(rows_left) <= SINGLY else cells
            groups = [rows_left[apart == group] for group in range(int(apart.max()) + 1)]
            for rows in groups:
                found = found.with_group(rows, rule)
        found = found.refined() if rule.upward_closed else move_rows(found, rule)
        found = split_classes(found, rule)
        suppressed = float(table.frequencies[(found.of < 0)].sum())
        if suppressed > limit or not found.count:
            raise SchemaError(
                f"{self.name}: {suppressed:.0f} records reach the models on no level, more than suppression allows; "
                "raise suppression or max_levels, or use weaker models"
            )
        return found

    def of_the_file(
        self, problem: Problem, trees: Sequence[Tree], weights: Sequence[float], hides: Callable[[Partition], bool]
    ) -> Partition:
        """The partition, with larger groups where the models of the whole file or the population need them."""

        def at(size: int) -> Partition:
            rule = problem.rule._replace(of_classes=[*problem.rule.of_classes, SmallestSize(size)])
            return self.partition(problem._replace(rule=rule), trees, weights)

        def satisfied(found: Partition) -> bool:
            return problem.rule.satisfied(found.classes.sizes) and hides(found)

        found = with_larger_groups(at, satisfied, self.group_size, int(problem.released.sum()))
        if found is None:
            raise SchemaError(f"{self.name}: not even the whole file satisfies {self.models}; use weaker models")
        return found

    def measure_again(
        self, data: Microdata, masked: Microdata, names: Sequence[str], inside: NDArray[np.bool_]
    ) -> None:
        """Measure the models on the rows of the release, counted anew; a broken promise is a defect of this method."""
        released = subset_of(data, self.subset, self.name)
        rule, weights, columns = bound(self.models, self.group_size, data, tuple(names), released, self.name)
        codes = [(values[inside], categories) for values, categories in columns.codes]
        rows = masked.codes(names)[inside].astype(np.int64)
        table, _ = row_table(rows, np.ones(len(rows), dtype=bool), weights[inside], codes)
        found = table.classes(np.arange(len(table.rows)), len(table.rows))
        if self.subset:
            texts = [(*texts_of(masked.attribute(name)), None) for name in names]
            nodes = [[text[code] for code in table.rows[:, index]] for index, text in enumerate(texts)]
            found = with_population(found, covered_population(data, names, nodes))
        if not rule.sufficient(found).all() or not rule.satisfied(found.sizes[found.sizes > 0]):
            raise AssertionError(f"{self.name}: the release breaks its models")

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        """How many classes there are, their sizes, and how many records were suppressed."""
        missing = np.column_stack([masked.absent(name) for name in attributes]).all(axis=1)
        sizes = class_of(masked.codes(attributes)[~missing].astype(np.int64)).sizes
        if not len(sizes):
            return [f"{self.name}: all records are suppressed"]
        return [
            f"{self.name}: {len(sizes)} classes of {sizes.min()} to {sizes.max()} records, {np.mean(sizes):.1f} on "
            f"average; {int(missing.sum())} records without any key"
        ]

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A value became a node above it, or went missing."""
        return None if released is None else self.image(known, {each.name: each for each in released.attributes})

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """The same, as the hierarchies define what is above each value."""
        above = up_the_tree(known, attributes.values())
        return Candidates(known.records, allowed=above.allowed, may_be_missing=frozenset(known.allowed))
