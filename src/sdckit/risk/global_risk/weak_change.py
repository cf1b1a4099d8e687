"""Weak changes: how far apart two nodes of a hierarchy are, from 0 for the same to 1 for nothing in common."""

from dataclasses import dataclass
from typing import ClassVar

from sdckit.errors import ParameterError, near_miss
from sdckit.hierarchy import Hierarchy


@dataclass(frozen=True)
class WeakChange:
    """By depth: one minus the depth of the lowest common ancestor, as a share of the tree's height.

    For postcodes under all their prefixes this is the paper's rule, five minus the leading digits in common, over five.
    A rule of your own is a subclass with another `factor`.
    """

    title: ClassVar[str] = "by-depth"

    def factor(self, tree: Hierarchy, one: str, other: str) -> float:
        """The weak change factor of two nodes, 0 only where they are the same, 1 where only the root is common."""
        return tree.distance(one, other)

    @classmethod
    def from_text(cls, text: str) -> "WeakChange":
        """The rule of that name.

        >>> WeakChange.from_text("by-leaves")
        ByLeaves()
        """
        rules = {rule.title: rule for rule in (WeakChange, ByLeaves, AnyChange)}
        if text not in rules:
            raise ParameterError(f"there is no rule of weak changes {text!r}{near_miss(text, rules)}")
        return rules[text]()

    def __str__(self) -> str:
        return self.title


@dataclass(frozen=True)
class ByLeaves(WeakChange):
    """By leaves: the share of all finest values that are below the lowest common ancestor."""

    title: ClassVar[str] = "by-leaves"

    def factor(self, tree: Hierarchy, one: str, other: str) -> float:
        if one == other:
            return 0.0
        above = tree.ancestors(one)
        common = next(node for node in tree.ancestors(other) if node in above)
        return len(tree.descendants(common)) / len(tree.leaves)


@dataclass(frozen=True)
class AnyChange(WeakChange):
    """Any change counts whole, as for an unordered attribute."""

    title: ClassVar[str] = "any-change"

    def factor(self, tree: Hierarchy, one: str, other: str) -> float:
        return float(one != other)
