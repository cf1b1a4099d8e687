"""What the private maskings of numbers share: public bounds, nothing missing, and draws that no seed repeats."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from sdckit.draws import Draws
from sdckit.errors import SchemaError
from sdckit.masking import Masking
from sdckit.methods.differential_privacy.opendp_noise import PACKAGE, opendp
from sdckit.methods.differential_privacy.public_bounds import LOWER, UPPER, public_bounds
from sdckit.microdata import Attribute, Microdata
from sdckit.parameters import param

FEWER_NOTED = 0.01  # share of values that were clipped, from which on a note says so


@dataclass(frozen=True, kw_only=True)
class BoundedValues(Masking):
    """A private masking of numbers that lie between public bounds; values beyond are moved to the nearest bound."""

    draws_values = True
    seeded = False
    requires = (PACKAGE,)
    example = {"lower": (-1e4,), "upper": (1e5,)}  # noqa: RUF012  # never changed

    lower: tuple[float, ...] = param((), LOWER)
    upper: tuple[float, ...] = param((), UPPER)

    def applicable(self, data: Microdata, attributes: Sequence[str]) -> tuple[str, ...]:
        """The attributes to mask, which need public bounds; an error where OpenDP is not installed."""
        names = super().applicable(data, attributes)
        self.bounds(data, names)
        opendp()
        return names

    def bounds(self, data: Microdata, names: Sequence[str]) -> dict[str, tuple[float, float]]:
        """The public bounds of each attribute."""
        return public_bounds(self.name, data, names, self.lower, self.upper)

    def stated_bounds(self, data: Microdata, names: Sequence[str]) -> dict[str, tuple[float, float]]:
        """The public bounds; none where they were declared by edits which are not in this file, as in a public one."""
        try:
            return self.bounds(data, names)
        except SchemaError:
            return {}

    def noisy(
        self, values: NDArray[np.float64], low: NDArray[np.float64], high: NDArray[np.float64], draws: Draws
    ) -> NDArray[np.float64]:
        """The released values, from values that lie between the bounds of their columns."""
        raise TypeError(f"{type(self).__name__} must define noisy")

    def protect(self, data: Microdata, attributes: Sequence[str] = (), *, draws: Draws) -> Microdata:
        names = self.applicable(data, attributes)
        self.refuse_missing(data, names)
        low, high = np.array(list(self.bounds(data, names).values())).T
        released = self.noisy(np.clip(data.matrix(names), low, high), low, high, draws.over(len(data)))
        made = data.with_matrix(names, self.published(data, names, released))
        return made.with_columns({}, [replace(made.attribute(name), integral=False) for name in names])

    def decimals(self, attribute: Attribute) -> int | None:
        """Only those declared: that all values of a file are whole depends on every record, and would show."""
        return super().decimals(replace(attribute, integral=False, mean_decimals=None))

    def notes(self, original: Microdata, masked: Microdata, attributes: Sequence[str]) -> list[str]:
        notes = []
        for name, (low, high) in self.bounds(original, attributes).items():
            values = original.matrix((name,))[:, 0]
            beyond = float(((values < low) | (values > high)).mean())
            if beyond >= FEWER_NOTED:
                notes.append(
                    f"{beyond:.1%} of the values of {name!r} lie beyond {low:g} to {high:g} and were moved there"
                )
        return notes
