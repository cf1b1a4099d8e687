"""The confidential values of a file as codes, for the models that count them in classes."""

from dataclasses import dataclass, field
from functools import partial

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import SchemaError, private
from sdckit.kernels.diversity import Statistic, banded, nominal_distance, ordered_distance, tree_distance
from sdckit.microdata import Attribute, Kind, Microdata, Role


@dataclass(eq=False)
class ConfidentialColumns:
    """The confidential attributes of a file that are not masked, and the columns of codes that models asked for.

    `released` marks the records of the research subset, whose values alone count. Many different numbers become bands
    of equal frequency.
    """

    data: Microdata
    masked: tuple[str, ...]
    released: NDArray[np.bool_]
    owner: str
    codes: list[tuple[NDArray[np.int64], int]] = field(default_factory=list)
    index: dict[tuple[str, int], int] = field(default_factory=dict)

    def names(self, requested: tuple[str, ...]) -> tuple[str, ...]:
        """The attributes that a model is for: those it names, else every confidential one."""
        names = requested or tuple(name for name in self.data.names(role=Role.CONFIDENTIAL) if name not in self.masked)
        if not names:
            raise SchemaError(
                f"{self.owner}: a model of confidential values needs a confidential attribute; declare one, or name "
                "one in the model, as in distinct-l-diversity(3+illness)"
            )
        for name in names:
            self.data.attribute(name)
            if name in self.masked:
                raise SchemaError(
                    f"{self.owner}: {name!r} is masked, so no model can be for it; leave it out of the keys"
                )
            if self.data.absent(name)[self.released].all():
                raise SchemaError(f"{self.owner}: {name!r} has no values at all; leave it out of the model")
        return names

    def column(self, name: str, bands: int) -> int:
        """The number of the column with the codes of an attribute."""
        attribute = self.data.attribute(name)
        entry = (name, 0 if attribute.categories is not None else bands)
        if entry not in self.index:
            self.index[entry] = len(self.codes)
            if attribute.categories is not None:
                self.codes.append((self.data.columns[name].astype(np.int64), len(attribute.categories)))
            else:
                codes = banded(np.where(self.released, self.data.columns[name], np.nan), bands)
                self.codes.append((codes, int(codes.max(initial=0)) + 1))
        return self.index[entry]

    def overall(self, column: int) -> NDArray[np.float64]:
        """How often each code occurs among the released records."""
        codes, categories = self.codes[column]
        counted = codes[self.released & (codes >= 0)]
        return np.bincount(counted, minlength=categories).astype(np.float64)

    def complete(self, column: int) -> bool:
        """Whether no released record lacks a value."""
        return bool((self.codes[column][0][self.released] >= 0).all())

    def distance(self, name: str, column: int, kind: str) -> Statistic:
        """The earth mover's distance of counts from those of the file: equal, ordered or hierarchical."""
        attribute, overall = self.data.attribute(name), self.overall(column)
        if not kind:
            tree = "hierarchical" if attribute.hierarchy is not None else "equal"
            kind = "ordered" if attribute.kind & Kind.ORDERED else tree
        if kind == "ordered":
            return partial(ordered_distance, overall=overall)
        if kind == "equal":
            return partial(nominal_distance, overall=overall)
        return partial(tree_distance, overall=overall, levels=tree_levels(attribute, self.owner))


def tree_levels(attribute: Attribute, owner: str) -> NDArray[np.int64]:
    """The ancestors of each category on each level, as numbers; short branches are stretched at the leaf."""
    if attribute.hierarchy is None or attribute.categories is None:
        raise SchemaError(f"{owner}: {attribute.name!r} has no hierarchy; declare one, or use equal-t-closeness")
    unknown = [category for category in attribute.categories if category not in attribute.hierarchy]
    if unknown:
        raise SchemaError(
            f"{owner}: {attribute.name!r} has the category {private(unknown[0])}, which is not in its hierarchy; add "
            "it to the hierarchy, or use equal-t-closeness"
        )
    paths = [attribute.hierarchy.ancestors(category) for category in attribute.categories]
    height = max(map(len, paths))
    number = {node: position for position, node in enumerate(dict.fromkeys(node for path in paths for node in path))}
    return np.array([[number[node] for node in (*[path[0]] * (height - len(path)), *path)] for path in paths])
