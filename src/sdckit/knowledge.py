"""Knowledge: which attributes an intruder may know, as the literature averages over them.

A rule turns the attributes that can be known into the sets that are tried; a risk is averaged over the sets, each with
the same weight. On a command line a rule is written as its name and its numbers, such as `first-subsets(7)`.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from sdckit.component_text import parsed
from sdckit.errors import ParameterError, near_miss


@dataclass(frozen=True)
class Knowledge:
    """All attributes at once: the worst case."""

    title: ClassVar[str] = "everything"
    lowest: ClassVar[int] = 1  # what its numbers are at least

    def __post_init__(self) -> None:
        if any(number < self.lowest for number in astuple(self)):
            raise ParameterError(f"{self} leaves nothing to know; its numbers must be at least {self.lowest}")

    def sets(self, names: Sequence[str], rng: np.random.Generator) -> list[tuple[str, ...]]:
        """The sets of attributes to try."""
        return [tuple(names)]

    @classmethod
    def from_text(cls, text: str) -> "Knowledge":
        """The rule that is written so.

        >>> Knowledge.from_text("first-subsets(7)")
        FirstSubsets(first=7)
        """
        written = parsed(text)
        name = written.name
        rules = {rule.title: rule for rule in (Knowledge, FirstSubsets, SampledSubsets, FirstAttributes, Blocks)}
        if name not in rules:
            raise ParameterError(f"there is no rule of knowledge {name!r}{near_miss(name, rules)}")
        try:
            return rules[name](*map(int, written.arguments))
        except (TypeError, ValueError):
            raise ParameterError(f"{text!r} is not a rule of knowledge; write it as {rules[name]()}") from None

    def __str__(self) -> str:
        numbers = "+".join(str(number) for number in astuple(self))
        return f"{self.title}({numbers})" if numbers else self.title


@dataclass(frozen=True)
class FirstSubsets(Knowledge):
    """Every non-empty subset of the first attributes: seven give the 127 sets of the comparisons of the 2000s."""

    title: ClassVar[str] = "first-subsets"
    first: int = 7

    def sets(self, names: Sequence[str], rng: np.random.Generator) -> list[tuple[str, ...]]:
        if self.first > 12:
            raise ParameterError(
                f"{self.first} attributes have {2**self.first - 1} subsets; use 12 at most, or sampled-subsets"
            )
        few = names[: self.first]
        return [chosen for size in range(1, len(few) + 1) for chosen in combinations(few, size)]


@dataclass(frozen=True)
class SampledSubsets(Knowledge):
    """Random subsets, `count` of each size from `smallest` to `largest` attributes."""

    title: ClassVar[str] = "sampled-subsets"
    count: int = 10
    smallest: int = 1
    largest: int = 7

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.smallest > self.largest:
            raise ParameterError(
                f"{self} asks for at least {self.smallest} and at most {self.largest} attributes; swap them"
            )

    def sets(self, names: Sequence[str], rng: np.random.Generator) -> list[tuple[str, ...]]:
        drawn = []
        for size in range(min(self.smallest, len(names)), min(self.largest, len(names)) + 1):
            for _ in range(self.count):
                chosen = np.sort(rng.choice(len(names), size, replace=False))
                drawn.append(tuple(names[number] for number in chosen))
        return drawn


@dataclass(frozen=True)
class FirstAttributes(Knowledge):
    """The first attribute, the first two, and so on up to `largest`; 0 goes up to half of them."""

    title: ClassVar[str] = "first-attributes"
    lowest: ClassVar[int] = 0
    largest: int = 0

    def sets(self, names: Sequence[str], rng: np.random.Generator) -> list[tuple[str, ...]]:
        largest = min(self.largest or max(len(names) // 2, 1), len(names))
        return [tuple(names[:size]) for size in range(1, largest + 1)]


@dataclass(frozen=True)
class Blocks(Knowledge):
    """The first `smallest` blocks of `size` attributes, the first `smallest` + 1, and so on up to all."""

    title: ClassVar[str] = "blocks"
    size: int = 2
    smallest: int = 2

    def sets(self, names: Sequence[str], rng: np.random.Generator) -> list[tuple[str, ...]]:
        ends = range(self.size * self.smallest, len(names) + self.size, self.size)
        return [tuple(names[:end]) for end in ends] or [tuple(names)]
