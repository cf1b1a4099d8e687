"""What the methods that search for an anonymous release share: models, research subset, loss and limits of levels."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError
from sdckit.kernels.class_models import Classes, Rule
from sdckit.kernels.lattice_counts import ClassLoss, Price
from sdckit.kernels.lattice_rows import Levels, RowTable, row_table
from sdckit.masking import Masking
from sdckit.methods.generalisation.anonymity_models import Binding, Models
from sdckit.methods.generalisation.by_attribute import ByAttribute
from sdckit.methods.generalisation.confidential_columns import ConfidentialColumns
from sdckit.methods.generalisation.key_levels import GeneralisationLoss, frequencies_of, levels_of, within_levels
from sdckit.microdata import Microdata, Role
from sdckit.parameters import param

TRUE = {"1", "true", "yes"}
MODELS = (
    "further models that every class must satisfy, such as distinct-l-diversity(3)+t-closeness(0.2+income); see the "
    "guide on anonymity models"
)
SUBSET = "column that is 1, true or yes for the records to release; the others are the population (research subset)"


class Problem(NamedTuple):
    """A file as a search sees it: distinct rows, the row of each record, the levels of the keys, and the rule."""

    table: RowTable
    row_of: NDArray[np.int64]
    levels: list[Levels]
    rule: Rule
    released: NDArray[np.bool_]


@dataclass(frozen=True, kw_only=True)
class Anonymising(Masking):
    """A generalisation of categories to nodes of their hierarchies under anonymity models."""

    suppresses = True
    keeps_missing = True

    group_size: int = param(3, "records that share each combination of keys (the papers' k)", low=1, grid=(2, 3, 5, 10))
    suppression: float = param(
        0.05, "largest share of the records to suppress", low=0, high=1, grid=(0.0, 0.01, 0.05, 0.1)
    )
    models: Models = param(Models(), MODELS)
    subset: str = param("", SUBSET)
    loss: GeneralisationLoss = param(GeneralisationLoss.NCP, "what is minimised: ncp, precision or entropy")
    importance: ByAttribute = param(ByAttribute(), "weights of attributes in the loss, 1 by default: age=2+sex=0.5")
    min_levels: ByAttribute = param(ByAttribute(), "lowest level of attributes, 0 by default: age=1")
    max_levels: ByAttribute = param(ByAttribute(), "highest level of attributes, the root by default: age=2")
    suppression_price: float = param(1.0, "loss of a suppressed cell, where the root counts 1", low=0)

    def problem(self, data: Microdata, names: Sequence[str], *, missing_apart: bool) -> Problem:
        """The file as the search sees it."""
        released = subset_of(data, self.subset, self.name)
        levels = []
        for name, low, high in zip(names, *self.level_limits(names), strict=True):
            attribute, counted = data.attribute(name), frequencies_of(data, name)
            every = levels_of(attribute, self.cell_loss, counted, missing_apart=missing_apart)
            levels.append(within_levels(every, low, high))
        codes = data.codes(names).astype(np.int64)
        missing = np.array([each.nodes.shape[1] - 1 for each in levels])
        rule, weights, columns = bound(self.models, self.group_size, data, tuple(names), released, self.name)
        table, rows = row_table(np.where(codes < 0, missing, codes), released, weights, columns.codes)
        return Problem(table, rows.of, levels, rule, released)

    @property
    def cell_loss(self) -> GeneralisationLoss:
        """The loss of cells by which nodes are ordered."""
        of_classes = {each.value for each in ClassLoss}
        return GeneralisationLoss.NCP if self.loss.value in of_classes else self.loss

    def price(self, names: Sequence[str]) -> Price:
        """What the search minimises."""
        of_classes = {each.value: each for each in ClassLoss}
        weights = self.importance.of(names, 1.0, self.name)
        return Price(tuple(weights), self.suppression_price, of_classes.get(self.loss.value))

    def level_limits(self, names: Sequence[str]) -> tuple[list[int], list[int | None]]:
        """The lowest and the highest level of each attribute; None: the root."""
        low = [int(level) for level in self.min_levels.of(names, 0, self.name)]
        high = [None if level == np.inf else int(level) for level in self.max_levels.of(names, np.inf, self.name)]
        for name, least, most in zip(names, low, high, strict=True):
            if most is not None and most < least:
                raise SchemaError(f"{self.name}: max_levels of {name!r} is below its min_levels; raise one of them")
        return low, high

    def refuse_impossible(self, data: Microdata, names: Sequence[str], problem: Problem) -> None:
        """Raise an error if not even all records in one class satisfy the rule, naming the model that fails."""
        if problem.rule.sufficient(_in_one_class(problem.table)).all():
            return
        records = int(problem.released.sum())
        if records < self.group_size:
            raise SchemaError(
                f"{self.name}: {records} records cannot be {self.group_size}-anonymous; use a smaller group_size"
            )
        for model in self.models.models:
            alone = replace(self, models=Models((model,)), group_size=1).problem(data, names, missing_apart=True)
            if not alone.rule.sufficient(_in_one_class(alone.table)).all():
                raise SchemaError(f"{self.name}: not even the whole file satisfies {model}; use a weaker model")


def _in_one_class(table: RowTable) -> Classes:
    return table.classes(np.zeros(len(table.rows), dtype=np.int64), 1)


def subset_of(data: Microdata, column: str, owner: str) -> NDArray[np.bool_]:
    """Which records are released: those of the research subset, all of them where none is named."""
    if not column:
        return np.ones(len(data), dtype=bool)
    values = data.values(column)
    texts = [str(value).removesuffix(".0").casefold() for value in values.tolist()]
    chosen = np.array([text in TRUE for text in texts], dtype=bool)
    if not chosen.any():
        raise SchemaError(f"{owner}: no value of {column!r} is 1, true or yes, so the research subset is empty")
    return chosen


def bound(
    models: Models, group_size: int, data: Microdata, masked: tuple[str, ...], released: NDArray[np.bool_], owner: str
) -> tuple[Rule, NDArray[np.float64], ConfidentialColumns]:
    """The rule for a file, the persons of the population whom each record stands for, and the confidential columns.

    With a research subset the whole file is the population and each record stands for one person; with survey weights
    each record stands for its weight; else for an equal part of the population that a model names. Without a subset, a
    model that names a population uses that one.
    """
    weight = data.names(role=Role.WEIGHT)
    weights, population = np.ones(len(data)), None
    if not released.all():
        population = float(len(data))
    elif weight and not data.attribute(weight[0]).coded and models.need_a_population:
        weights = data.matrix(weight[:1])[:, 0]
        if not (weights > 0).all():
            raise SchemaError(f"{owner}: weights in {weight[0]!r} are zero, negative or missing; drop these records")
        population = float(weights.sum())
    elif models.population is not None:
        population = models.population
        weights *= max(population / len(data), 1.0)
    columns = ConfidentialColumns(data, masked, released, owner)
    rule = models.rule(group_size, Binding(columns, len(data), population, not released.all(), owner))
    return rule, weights, columns
