"""Measure and Score: the contract Release → Score. Risk and loss are both 0 at best, and shares lie in 0..1."""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, TypeVar, dataclass_transform, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import NotApplicableError
from sdckit.formatting import between, figure, html_table, percent
from sdckit.intruder import Intruder
from sdckit.microdata import Kind, Microdata, Role
from sdckit.parameters import Component, param

if TYPE_CHECKING:
    from sdckit.release import Release

S = TypeVar("S", bound="Measure")


class Finds(Enum):
    """What the figure of a risk counts."""

    RECORDS = "records"  # the share of records that an attack re-identifies
    VALUES = "values"  # what is learnt of values, or how exposed records are, without pointing at a row


class Need(Enum):
    """What a measure needs besides the original and the masked file."""

    ROWS = "rows"  # which row belongs to which record
    RECIPE = "recipe"  # how the file was masked
    TRUTH = "truth"  # the true links themselves, to learn from: no intruder has them


class Cost(Enum):
    """How long a measure takes."""

    QUICK = "quick"  # seconds for 10,000 records: measured by default, unless it declares otherwise
    SLOW = "slow"  # on request: `--all`, or by name


@dataclass(frozen=True)
class Score:
    """A figure with what is needed to interpret it.

    `by_record`     the figure of each record of the original file, in its order (NaN: not evaluated)
    `interval`      where the figure would lie for other records of the same kind, at 95 %
    `baseline`      what an intruder without the release reaches, or the figure of a loss without masking
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
        payload: dict[str, Any] = {
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
            payload["by_record"] = [number(value) for value in self.by_record]
        return payload

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        read = figure if self.kind == "loss" else percent
        headings = (self.name or "score", "95% interval", "baseline", "proven bound")
        return html_table(
            headings, [(read(self.value), between(self.interval, read), read(self.baseline), read(self.bound))]
        )


def number(value: float) -> float | None:
    """A float for JSON, which has no NaN and no infinity."""
    return float(value) if math.isfinite(value) else None


def plain(value: Any) -> Any:
    """A value that JSON can write."""
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

    `finds`    what its figure counts, for a risk
    `needs`    what it needs besides the two files
    `uses`     what it takes into account where it is available, so that the figure may differ without it
    `cost`     how long it takes; slow ones are measured on request
    `by_default`  False for a quick measure that is measured on request too, since a main figure says more
    `for_synthesis`  True for an attack that needs no correspondence of rows, as those on synthetic data; a quick one
               is measured by default where the rows were synthesised
    `sees`     the kinds of attributes that it looks at
    `reads_confidential`  False where it reads what an intruder knows, weights and households, and nothing else
    `headline` its position among the main figures, from 1; None: it is not one of them
    `extends`  the risk of the same intruder who uses less: a limit of that risk is one of this risk too
    `role`     a file has an attribute of this role wherever the measure applies
    `domain`   the kind of data set it is a measure of
    `anytime`  it searches for as many seconds as its parameter `budget` gives, so the figure depends on the machine;
               what it finds is never above its bound
    `heading`  what the figure is a share of, in a few words, for a table; by default the title of its module
    `former_details`  former names of its details, which old policies still use, with the present ones
    `example`  values of the parameters without which it applies to no release; the checks of its contract take these
    """

    kind: ClassVar[str] = ""
    finds: ClassVar[Finds] = Finds.VALUES
    needs: ClassVar[frozenset[Need]] = frozenset()
    uses: ClassVar[frozenset[Need]] = frozenset()
    cost: ClassVar[Cost] = Cost.QUICK
    by_default: ClassVar[bool] = True
    for_synthesis: ClassVar[bool] = False
    sees: ClassVar[Kind] = Kind.ANY
    reads_confidential: ClassVar[bool] = True
    headline: ClassVar[int | None] = None
    extends: ClassVar[str] = ""
    role: ClassVar[Role | None] = None
    domain: ClassVar[type] = Microdata
    anytime: ClassVar[bool] = False
    heading: ClassVar[str] = ""
    former_details: ClassVar[Mapping[str, str]] = {}
    example: ClassVar[Mapping[str, Any]] = {}

    def measure(self, release: "Release", intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        """The score; raises NotApplicableError where the release lacks what the measure needs."""
        raise TypeError(f"{type(self).__name__} must define measure")


class Composite(Measure):
    """A measure whose figure is made of the scores of others, its parts.

    A caller that measures several things measures each part once and lets the composite combine the scores.
    """

    def parts(self) -> tuple[Measure, ...]:
        """The measures that the figure is made of; their names differ."""
        raise TypeError(f"{type(self).__name__} must define parts")

    def combine(self, scores: Mapping[str, Score | NotApplicableError]) -> Score:
        """The score, from those of the parts by name, or the reason why a part does not apply."""
        raise TypeError(f"{type(self).__name__} must define combine")

    def measure(self, release: "Release", intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        """Measure the parts and combine them."""
        scores: dict[str, Score | NotApplicableError] = {}
        for part in self.parts():
            try:
                scores[part.name] = part.measure(release, intruder, seed=seed)
            except NotApplicableError as reason:
                scores[part.name] = reason
        return self.combine(scores)


@runtime_checkable
class WeighsAttributes(Protocol):
    """A risk that can say how much each known attribute adds to its figure, at the cost of several measurements."""

    def worth_of_attributes(
        self, release: "Release", intruder: Intruder = Intruder(), *, seed: int | None = None
    ) -> Mapping[str, float] | None:
        """By how much the figure falls if an attribute were not known; None where there are too many attributes."""
        ...


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(param,))
def risk(
    name: str,
    *,
    reference: str,
    finds: Finds = Finds.VALUES,
    needs: Iterable[Need] = (),
    cost: Cost = Cost.QUICK,
    by_default: bool = True,
    sees: Kind = Kind.ANY,
    headline: int | None = None,
    heading: str = "",
    extends: str = "",
    role: Role | None = None,
    domain: type = Microdata,
) -> Callable[[type[S]], type[S]]:
    """Enter a disclosure risk into the catalogue.

    A risk with `finds=Finds.RECORDS` is an attack: its figure is the share of records that it re-identifies. Those with
    a `headline` are the main attacks, and every quick one counts for `worst-case`.
    """
    declared = {"finds": finds, "needs": frozenset(needs), "cost": cost, "by_default": by_default, "sees": sees}
    declared |= {"headline": headline, "extends": extends, "role": role}
    return _entering("risk", name, reference, declared | {"heading": heading, "domain": domain})


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(param,))
def loss(
    name: str,
    *,
    reference: str,
    needs: Iterable[Need] = (),
    cost: Cost = Cost.QUICK,
    sees: Kind = Kind.ANY,
    headline: int | None = None,
    heading: str = "",
    domain: type = Microdata,
) -> Callable[[type[S]], type[S]]:
    """Enter an information loss into the catalogue."""
    declared = {"needs": frozenset(needs), "cost": cost, "sees": sees, "headline": headline}
    return _entering("loss", name, reference, declared | {"heading": heading, "domain": domain})


def _entering(kind: str, name: str, reference: str, declared: Mapping[str, Any]) -> Callable[[type[S]], type[S]]:
    def enter(component: type[S]) -> type[S]:
        component.kind, component.name, component.reference = kind, name, reference
        for key, value in declared.items():
            setattr(component, key, value)
        return dataclass(frozen=True, kw_only=True)(component)

    return enter
