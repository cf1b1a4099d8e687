"""Global recoding by groups: publish the name of the group that a category is put in."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.errors import ParameterError, SchemaError, near_miss, private_text
from sdckit.masking import masking
from sdckit.methods.category_masking import CategoryMasking
from sdckit.methods.category_trees import code_table, propagate, texts_of, turning_table, with_nodes
from sdckit.microdata import Attribute, Kind, Microdata
from sdckit.parameters import param

LONGEST_LABEL = 60  # characters of a label; SPSS takes 120 bytes


@masking("global-recoding-groups", kind=Kind.UNORDERED, reference="hundepool2012")
class GlobalRecodingGroups(CategoryMasking):
    """Replace categories by the name of the group that they are put in.

    The mapping is given category by category; a category that is in no group is unchanged, or becomes the group of all
    others. For an attribute with a hierarchy use global-recoding, whose groups are the nodes of the tree. A missing
    value stays missing.

    Formula: $x' = g(x)$

    Use it when a few categories are best published together, such as widowed, divorced and single as living alone.
    """

    groups: tuple[str, ...] = param((), "categories to put together, as 'single|widowed=alone'")
    others: str = param("", "the group of all categories that are in none; without it they are unchanged")

    def __post_init__(self) -> None:
        super().__post_init__()
        listed = [category for line in self.groups for category in parted(line)[0]]
        repeated = [category for category in listed if listed.count(category) > 1]
        if repeated:
            raise ParameterError(f"{self.name}: groups put {repeated[0]!r} in two groups; a category goes into one")

    @property
    def group_of(self) -> dict[str, str]:
        """The group of each category that is in one."""
        return {
            category: group for line in self.groups for categories, group in [parted(line)] for category in categories
        }

    def became(self, category: str) -> str:
        """What is published for a category; the name of a group is unchanged."""
        groups = self.group_of
        if category in groups or not self.others or category in groups.values():
            return groups.get(category, category)
        return self.others

    def table(self, attribute: Attribute, codes: NDArray[np.int32]) -> tuple[Attribute, NDArray[np.int32]]:
        texts = texts_of(attribute)
        strange = [category for category in self.group_of if category not in texts]
        if strange:
            hint = private_text(near_miss(strange[0], texts))
            raise SchemaError(f"{attribute.name!r} has no category {strange[0]!r}{hint}")
        nodes = [self.became(text) for text in texts]
        merged = with_nodes(replace(attribute, value_labels=group_labels(attribute, nodes)), nodes)
        return merged, code_table(merged, nodes)

    def candidates(self, known: Candidates, released: Microdata | None) -> Candidates | None:
        """A category became its group; one in no group is unchanged."""
        attributes = {} if released is None else {each.name: each for each in released.attributes}
        return None if released is None else Candidates(known.records, allowed=self._became(known, attributes))

    def image(self, known: Candidates, attributes: Mapping[str, Attribute]) -> Candidates | None:
        """The same, as the groups are published."""
        return Candidates(known.records, allowed=self._became(known, attributes, hidden=True))

    def _became(
        self, known: Candidates, attributes: Mapping[str, Attribute], *, hidden: bool = False
    ) -> dict[str, NDArray[np.bool_]]:
        allowed = {}
        for name, before in known.allowed.items():
            groups = ((self.became(text),) for text in texts_of(attributes[name]))
            allowed[name] = propagate(before, turning_table(attributes[name], groups, hidden=hidden))
        return allowed


def group_labels(attribute: Attribute, nodes: Sequence[str]) -> dict[Any, str]:
    """The labels of values, where a category that now stands for several has the labels of all of them."""
    labels = dict(attribute.value_labels)
    texts, categories = texts_of(attribute), attribute.categories or ()
    members: dict[str, list[str]] = {}
    for category, node in zip(categories, nodes, strict=True):
        members.setdefault(node, []).append(attribute.value_labels.get(category, str(category)))
    for text, category in zip(texts, categories, strict=True):
        if category in labels and len(members.get(text, ())) > 1:
            joined = " / ".join(dict.fromkeys(members[text]))
            first, others = members[text][0], len(members[text]) - 1
            labels[category] = joined if len(joined) <= LONGEST_LABEL else f"{first} and {others} other categories"
    return labels


def parted(line: str) -> tuple[list[str], str]:
    """The categories of a group and its name."""
    categories, equals, group = line.rpartition("=")
    if not equals or not group.strip():
        raise ParameterError(
            f"global-recoding-groups: groups = {line!r} names no group; write it as 'single|widowed=alone'"
        )
    return [category.strip() for category in categories.split("|") if category.strip()], group.strip()
