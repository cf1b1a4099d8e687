"""A crisp microaggregation as a parameter of another masking, written by its name: `mdav`, `z-score-projection`."""

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from sdckit.component_text import parsed
from sdckit.methods.microaggregation.blocks import Microaggregation

OWN = ("group_size", "block_size")  # parameters that the masking which uses the groups has itself


@dataclass(frozen=True)
class Grouping:
    """How records are grouped: by a microaggregation of the catalogue, with its parameters.

    >>> str(Grouping.from_text("v-mdav:gain=0.3"))
    'v-mdav:gain=0.3'
    """

    in_words: ClassVar[str] = "a microaggregation that makes groups, such as mdav or z-score-projection"

    masking: Microaggregation

    @classmethod
    def from_text(cls, text: str) -> "Grouping":
        """The grouping of that name, with parameters as in `v-mdav:gain=0.3`."""
        from sdckit.catalogue import build

        written = parsed(text)
        found = build("masking", written.name, **written.values)
        if not isinstance(found, Microaggregation) or type(found).partition is Microaggregation.partition:
            raise ValueError(f"{written.name} makes no groups; use a microaggregation such as mdav")
        if any(name in written.values for name in OWN):
            raise ValueError(f"{text!r}: give group_size and block_size to the masking itself")
        return cls(found)

    def labels(self, values: NDArray[np.float64], group_size: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """The group of each record of a block of attributes."""
        return replace(self.masking, group_size=group_size, block_size=0).partition(values, rng)

    def __str__(self) -> str:
        defaults = type(self.masking)().parameters()
        changed = [
            f"{name}={value}"
            for name, value in self.masking.parameters().items()
            if name not in OWN and value != defaults[name]
        ]
        return f"{self.masking.name}:{','.join(changed)}" if changed else self.masking.name
