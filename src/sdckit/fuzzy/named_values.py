"""Values that a recipe writes as a name and numbers: `noise-clustering(1.5+2)`, `time-warping(3)`, `linear+0.3+0.8`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Self


@dataclass(frozen=True)
class NamedValue:
    """A value of one of several classes, each with a `title` and numbers as its fields.

    `noun`     what the classes are called in messages
    `numeric`  the title of the class whose first number may be written alone
    """

    title: ClassVar[str] = ""
    noun: ClassVar[str] = "value"
    numeric: ClassVar[str] = ""

    @classmethod
    def variants(cls) -> dict[str, type[Self]]:
        """Every class with a title, by that title."""
        found = {each.title: each for each in cls.__subclasses__() if each.title}
        for child in cls.__subclasses__():
            found |= child.variants()
        return found

    @classmethod
    def from_arguments(cls, name: str, arguments: Sequence[str]) -> Self:
        """The value of that name with these numbers."""
        known = cls.variants()
        if name not in known and cls.numeric and not arguments:
            try:
                number = float(name)
            except ValueError:
                pass
            else:
                return cls.from_number(number)
        if name not in known:
            raise ValueError(f"there is no {cls.noun} {name!r}; there are {', '.join(known)}")
        accepted = [each.name for each in fields(known[name])]
        if len(arguments) > len(accepted):
            raise ValueError(f"the {cls.noun} {name} takes at most {len(accepted)} numbers: {', '.join(accepted)}")
        kind: Callable[..., Self] = known[name]
        try:
            numbers = [float(each) for each in arguments]
        except ValueError:
            raise ValueError(f"the {cls.noun} {name} takes numbers, not {'+'.join(arguments)!r}") from None
        return kind(*numbers)

    @classmethod
    def from_number(cls, number: float) -> Self:
        """The value that is written as a number alone."""
        if not cls.numeric:
            raise TypeError(f"a {cls.noun} is not written as a number")
        kind: Callable[..., Self] = cls.variants()[cls.numeric]
        return kind(float(number))

    def __str__(self) -> str:
        """As a recipe writes it; numbers after the first are left out where all from there on have their default."""
        values = [getattr(self, each.name) for each in fields(self)]
        while len(values) > 1 and values[-1] == fields(self)[len(values) - 1].default:
            values.pop()
        return f"{self.title}({'+'.join(f'{value:.12g}' for value in values)})"
