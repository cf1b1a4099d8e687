"""Differential privacy of a recipe: what each step guarantees, and what the whole release does.

A masking that is differentially private says so by its method `privacy`. The losses of several steps add up. The
guarantee holds for an attribute where the first step that touched it gave it, and later ones used nothing but values
that have it already; what else is in the release has none, and is named.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import Any, Protocol, runtime_checkable

from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.rows import Rows

NEIGHBOURS = "two files of the same length that differ in one record"


@dataclass(frozen=True)
class PrivacyLoss:
    """What one step guarantees: ε and δ for all of its attributes together, and the bounds that these rest on.

    `categories` is the number of categories of each attribute that has any: these are taken to be public.
    """

    method: str
    attributes: tuple[str, ...]
    epsilon: float
    delta: float = 0.0
    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    categories: Mapping[str, int] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "method": self.method,
            "attributes": list(self.attributes),
            "epsilon": self.epsilon,
            "delta": self.delta,
            "bounds": {name: list(ends) for name, ends in self.bounds.items()},
            "categories": dict(self.categories),
        }


def numbers_of_categories(data: Microdata, attributes: Sequence[str]) -> dict[str, int]:
    """The number of categories of each of the attributes that has any."""
    coded = [each for each in map(data.attribute, attributes) if each.categories is not None]
    return {each.name: len(each.categories or ()) for each in coded}


@runtime_checkable
class DifferentiallyPrivate(Protocol):
    """The distribution of the released values changes little where one record is replaced by another."""

    def privacy(self, data: Microdata, attributes: Sequence[str]) -> PrivacyLoss:
        """What is guaranteed for these attributes together; of the data, only what is public may be used."""
        ...


@dataclass(frozen=True)
class PrivacyBudget:
    """The loss of a whole recipe: that of its steps added up, and the attributes that it does and does not cover.

    `read_off` are covered attributes whose categories were read off the values instead of being declared: another file
    might have others, so that the guarantee is conditional on them.
    """

    steps: tuple[PrivacyLoss, ...]
    covered: tuple[str, ...]
    not_covered: tuple[str, ...]
    read_off: tuple[str, ...] = ()

    @property
    def epsilon(self) -> float:
        """The sum over the steps."""
        return float(sum(step.epsilon for step in self.steps))

    @property
    def delta(self) -> float:
        """The sum over the steps."""
        return float(sum(step.delta for step in self.steps))

    @property
    def of_whole_release(self) -> bool:
        """Whether everything in the release is covered."""
        return not self.not_covered

    @property
    def largest_advantage(self) -> float:
        """The most by which an intruder can call members more often than others: (e^ε − 1 + 2δ) / (e^ε + 1)."""
        return min((exp(min(self.epsilon, 700.0)) - 1 + 2 * self.delta) / (exp(min(self.epsilon, 700.0)) + 1), 1.0)

    @property
    def statement(self) -> str:
        """What is guaranteed, in one or two sentences that may be published."""
        bounds = {name: ends for step in self.steps for name, ends in step.bounds.items()}
        between = ", ".join(f"{name} {low:g} to {high:g}" for name, (low, high) in bounds.items())
        names = ", ".join(self.covered)
        covered = (
            f"Differential privacy with ε = {self.epsilon:g} and δ = {self.delta:g} for {names}, with respect to "
            f"{NEIGHBOURS}"
        )
        covered = covered if names else "No attribute of the release is differentially private"
        categories = {name: number for step in self.steps for name, number in step.categories.items()}
        public = [f"the bounds {between}"] if between else []
        if categories:
            counted = ", ".join(f"{name} ({number})" for name, number in categories.items())
            public.append(f"that the categories of {counted} are public")
        covered += f", given {' and '.join(public)}." if public and self.covered else "."
        if self.read_off:
            covered += (
                f" The categories of {', '.join(self.read_off)} are those that occur in this file and were not "
                "declared: without the condition that they are public anyway, there is no guarantee. Declare them in "
                "the schema."
            )
        if self.of_whole_release:
            return covered
        others = ", ".join(self.not_covered)
        return f"{covered} The release as a whole is not differentially private, as {others} have no such guarantee."

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "neighbours": NEIGHBOURS,
            "covered": list(self.covered),
            "not_covered": list(self.not_covered),
            "categories_read_off": list(self.read_off),
            "of_whole_release": self.of_whole_release,
            "steps": [step.to_dict() for step in self.steps],
            "statement": self.statement,
        }


def privacy_budget(recipe: Recipe | None, original: Microdata, released: Microdata) -> PrivacyBudget | None:
    """What a recipe guarantees for the released attributes; None where no step is differentially private."""
    if recipe is None or not any(isinstance(step.masking, DifferentiallyPrivate) for step in recipe.steps):
        return None
    untouched = {each.name for each in original.attributes}
    private: set[str] = set()
    losses = []
    for step, names in zip(recipe.steps, recipe.touched(original), strict=True):
        masking = step.masking
        entering = set(names) | set(masking.also_reads(original, names))
        if isinstance(masking, DifferentiallyPrivate) and entering <= untouched:
            losses.append(masking.privacy(original, names))
            private |= set(names)
        elif not entering <= private or masking.rows is not Rows.KEPT:
            private -= set(names) if masking.rows is Rows.KEPT else private
        untouched -= set(names)
    released_names = [each.name for each in released.attributes]
    covered = tuple(name for name in released_names if name in private)
    occurring = [each.name for each in original.attributes if each.coded and not each.categories_declared]
    return PrivacyBudget(
        tuple(losses),
        covered,
        tuple(name for name in released_names if name not in private),
        tuple(name for name in covered if name in occurring),
    )
