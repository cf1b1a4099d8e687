"""A number for some of the attributes, as text: `age=2+sex=0.5`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from sdckit.errors import ParameterError, SchemaError, near_miss


@dataclass(frozen=True)
class ByAttribute:
    """A number for each attribute that is named."""

    in_words: ClassVar[str] = "a number for each attribute, as in age=2+sex=1"

    numbers: tuple[tuple[str, float], ...] = ()

    @classmethod
    def from_text(cls, text: str) -> "ByAttribute":
        """The numbers of a text.

        >>> ByAttribute.from_text("age=2+sex=0.5")
        ByAttribute(numbers=(('age', 2.0), ('sex', 0.5)))
        """
        numbers = []
        for part in filter(None, map(str.strip, text.split("+"))):
            name, equals, number = part.rpartition("=")
            if not equals:
                raise ParameterError(f"{text!r}: write an attribute and a number, as in age=2+sex=1")
            try:
                value = float(number)
            except ValueError:
                raise ParameterError(f"{text!r}: {number!r} is not a number; write it as in age=2+sex=1") from None
            if not 0 <= value < float("inf"):
                raise ParameterError(f"{text!r}: {name} = {number} is out of range; use a number of at least 0")
            numbers.append((name.strip(), value))
        return cls(tuple(numbers))

    def __str__(self) -> str:
        return "+".join(f"{name}={number:.12g}" for name, number in self.numbers)

    def of(self, names: Sequence[str], default: float, owner: str) -> list[float]:
        """The number of each attribute; one that is not masked is an error with the nearest name."""
        known = dict(self.numbers)
        for name in known:
            if name not in names:
                raise SchemaError(f"{owner}: {name!r} is not among the masked attributes{near_miss(name, names)}")
        return [known.get(name, default) for name in names]
