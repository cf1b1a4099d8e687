"""Measure and Score: the contract Release → Score. Risk and loss are both 0 when good, and shares lie in 0..1."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from sdckit.formatting import between, figure, html_table, percent
from sdckit.intruder import Intruder
from sdckit.parameters import Component, param

if TYPE_CHECKING:
    from sdckit.release import Release

S = TypeVar("S", bound="Measure")


@dataclass(frozen=True)
class Score:
    """A figure with what one must know to read it.

    `by_record`     the figure of each record of the original file, in its order (NaN: not judged)
    `interval`      where the figure would lie for other records of the same kind, at 95 %
    `baseline`      what an intruder without the release reaches, or a loss measure on no masking
    `bound`         a proven limit that the true figure cannot exceed
    """

    value: float
    by_record: NDArray[np.float64] | None = field(default=None, repr=False)
    by_attribute: Mapping[str, float] | None = None
    interval: tuple[float, float] | None = None
    baseline: float | None = None
    bound: float | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    kind: str = ""

    def to_dict(self, *, by_record: bool = False) -> dict[str, Any]:
        """Plain values for JSON; the figures of single records only on request."""
        told: dict[str, Any] = {
            "name": self.name,
            "kind": self.kind,
            "value": number(self.value),
            "interval": None if self.interval is None else [number(end) for end in self.interval],
            "baseline": None if self.baseline is None else number(self.baseline),
            "bound": None if self.bound is None else number(self.bound),
            "by_attribute": None
            if self.by_attribute is None
            else {name: number(value) for name, value in self.by_attribute.items()},
            "details": {key: plain(value) for key, value in self.details.items()},
        }
        if by_record and self.by_record is not None:
            told["by_record"] = [number(value) for value in self.by_record]
        return told

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        read = figure if self.kind == "loss" else percent
        headings = (self.name or "score", "95% interval", "baseline", "proven bound")
        return html_table(
            headings, [(read(self.value), between(self.interval, read), read(self.baseline), read(self.bound))]
        )


def number(value: float) -> float | None:
    """A float for JSON, which knows no NaN and no infinity."""
    return float(value) if math.isfinite(value) else None


def plain(value: Any) -> Any:
    """A value that JSON can hold."""
    if isinstance(value, np.ndarray):
        return [plain(each) for each in value.tolist()]
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return number(value)
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


class Measure(Component):
    """A function from a release to a score.

    `anytime`  it searches for as many seconds as its parameter `budget` gives, so the figure depends on the machine;
               what it finds is never above its bound
    `prominence`  above 0, the figure is one of the main figures of a report; of several, the highest comes first
    `heading`  what the figure is a share of, in a few words, for a table; by default the title of its module
    `example`  values of the parameters without which it applies to no release; the checks of its contract take these
    """

    kind: ClassVar[str] = ""
    anytime: ClassVar[bool] = False
    prominence: ClassVar[int] = 0
    heading: ClassVar[str] = ""
    example: ClassVar[Mapping[str, Any]] = {}

    def measure(self, release: "Release", intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        """The score; raises NotApplicableError where the release has not what it takes."""
        raise TypeError(f"{type(self).__name__} must define measure")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(param,))
def risk(name: str, *, reference: str) -> Callable[[type[S]], type[S]]:
    """Enter a disclosure risk into the catalogue."""
    return _entering("risk", name, reference)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(param,))
def loss(name: str, *, reference: str) -> Callable[[type[S]], type[S]]:
    """Enter an information loss into the catalogue."""
    return _entering("loss", name, reference)


def _entering(kind: str, name: str, reference: str) -> Callable[[type[S]], type[S]]:
    def enter(component: type[S]) -> type[S]:
        component.kind, component.name, component.reference = kind, name, reference
        return dataclass(frozen=True, kw_only=True)(component)

    return enter
