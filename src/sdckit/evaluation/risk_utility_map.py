"""The risk–utility map: every masking tried with its risks and losses, and the frontier of those worth choosing."""

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.errors import FileError, NotApplicableError, UnknownNameError
from sdckit.formatting import figure, html_table, percent
from sdckit.measure import number

SHUFFLED = "shuffled"  # the baseline that a recipe must lose less than
RELATIONS = "association-loss"
NEARLY = 0.9  # of what shuffled keys lose: what loses so much is no better
NOTHING = 1e-9  # a loss up to here is a rounding error


@dataclass(frozen=True)
class Point:
    """One masking of the file: the steps that made it (none: a baseline), its seed, and the figure of each measure."""

    method: str
    steps: tuple[Mapping[str, Any], ...]
    seed: int
    scores: Mapping[str, float]
    baseline: bool = False

    @property
    def label(self) -> str:
        """Method and parameters as a person reads them."""
        return " → ".join(_step_label(step) for step in self.steps) or self.method

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        return {
            "method": self.method,
            "steps": [dict(step) for step in self.steps],
            "seed": self.seed,
            "baseline": self.baseline,
            "scores": {name: number(value) for name, value in self.scores.items()},
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "Point":
        """The point again; a figure that was not finite is NaN."""
        scores = {name: np.nan if value is None else float(value) for name, value in document["scores"].items()}
        return cls(document["method"], tuple(document["steps"]), document["seed"], scores, document["baseline"])


@dataclass(frozen=True)
class Setting:
    """A method with its parameters over all seeds: the mean of each measure, its standard deviation, and its
    lowest and highest figure."""

    label: str
    method: str
    steps: tuple[Mapping[str, Any], ...]
    seeds: int
    mean: Mapping[str, float]
    deviation: Mapping[str, float]
    lowest: Mapping[str, float]
    highest: Mapping[str, float]
    baseline: bool = False

    @classmethod
    def of(cls, points: Sequence[Point]) -> "Setting":
        """The points of one setting together."""
        first = points[0]
        figures = {
            name: np.array([point.scores[name] for point in points])
            for name in first.scores
            if all(name in point.scores for point in points)
        }
        with np.errstate(invalid="ignore"):  # infinite figures have no standard deviation
            deviation = {name: float(values.std()) for name, values in figures.items()}
        return cls(
            first.label,
            first.method,
            first.steps,
            len(points),
            {name: float(values.mean()) for name, values in figures.items()},
            deviation,
            {name: float(values.min()) for name, values in figures.items()},
            {name: float(values.max()) for name, values in figures.items()},
            first.baseline,
        )


@dataclass(frozen=True, eq=False)
class RiskUtilityMap:
    """The points of a sweep or of a search; which risk and which loss are the axes is chosen when looking.

    `kinds` says of each measure whether it is a risk or a loss, the most important of each first; `skipped` says why a
    method was not tried.
    """

    points: tuple[Point, ...]
    kinds: Mapping[str, str]
    records: int
    skipped: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """The points that differ only in their seed, taken together, in the order of the sweep; baselines too."""
        together: dict[str, list[Point]] = {}
        for point in self.points:
            together.setdefault(point.label, []).append(point)
        return tuple(Setting.of(points) for points in together.values())

    @property
    def risks(self) -> tuple[str, ...]:
        """The risks that may be an axis, the default one first."""
        return self._of_kind("risk")

    @property
    def losses(self) -> tuple[str, ...]:
        """The losses that may be an axis, the default one first."""
        return self._of_kind("loss")

    def _of_kind(self, kind: str) -> tuple[str, ...]:
        measured = {name for point in self.points for name in point.scores}
        return tuple(name for name, each in self.kinds.items() if each == kind and name in measured)

    def axes(self, risk: str | None = None, loss: str | None = None) -> tuple[str, str]:
        """The two axes, checked; by default the first risk and the first loss."""
        chosen = []
        for kind, name, known in (("risk", risk, self.risks), ("loss", loss, self.losses)):
            if not known:
                raise NotApplicableError(
                    f"this map has no {kind} for an axis: none of those measured applies to the file"
                )
            if name is not None and name not in known:
                raise UnknownNameError(f"{kind} in this map", name, known)
            chosen.append(name or known[0])
        return chosen[0], chosen[1]

    def frontier(self, risk: str | None = None, loss: str | None = None) -> tuple[Setting, ...]:
        """The settings that no other beats in both risk and loss, from the safest to the most useful.

        Baselines are left out: they are there to compare with, not to choose.
        """
        risk, loss = self.axes(risk, loss)
        tried = [each for each in self.settings if not each.baseline and risk in each.mean and loss in each.mean]
        figures = np.array([[each.mean[risk], each.mean[loss]] for each in tried]).reshape(-1, 2)
        kept = [tried[index] for index in np.flatnonzero(undominated(figures))]
        return tuple(sorted(kept, key=lambda each: (each.mean[risk], each.mean[loss])))

    def _repr_html_(self) -> str:
        """What a notebook shows: the frontier by the default axes, or every point where one of these is missing."""
        tried = sum(not setting.baseline for setting in self.settings)
        caption = f"{self.records:,} records · {tried} settings tried"
        if not self.risks or not self.losses:
            return html_table(("setting",), [(setting.label,) for setting in self.settings], caption)
        risk, loss = self.axes()
        rows = [(each.label, percent(each.mean[risk]), figure(each.mean[loss])) for each in self.frontier()]
        return html_table(("the frontier", risk, loss), rows, caption)

    def like_shuffled(self, setting: Setting, loss: str) -> bool:
        """Whether a setting loses about as much as the baseline of shuffled keys; False where there is none."""
        shuffled = next((each for each in self.settings if each.baseline and each.method == SHUFFLED), None)
        return shuffled is not None and like_shuffled(setting, shuffled, loss)

    def best(self, max_risk: float, risk: str | None = None, loss: str | None = None) -> Setting | None:
        """The setting of least loss whose risk is within the bound for every seed; None where there is none.

        A setting that loses about as much as the baseline of shuffled keys is left out.
        """
        risk, loss = self.axes(risk, loss)
        safe = [
            each
            for each in self.settings
            if not each.baseline
            and np.isfinite(each.mean.get(loss, np.inf))
            and each.highest.get(risk, np.inf) <= max_risk
            and not self.like_shuffled(each, loss)
        ]
        return min(safe, key=lambda each: each.mean[loss], default=None)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON. It contains seeds: keep it as private as the original."""
        return {
            "records": self.records,
            "kinds": dict(self.kinds),
            "points": [point.to_dict() for point in self.points],
            "skipped": dict(self.skipped),
        }

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> "RiskUtilityMap":
        """The map again."""
        try:
            points = tuple(Point.from_dict(point) for point in document["points"])
            return cls(points, dict(document["kinds"]), int(document["records"]), dict(document["skipped"]))
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
            raise FileError("not a risk–utility map; give the map.json that `sdckit sweep --out` wrote") from None

    def to_csv(self) -> str:
        """One line per point: what was done, the seed, and every measure; `nan` where a figure is not finite."""
        text = io.StringIO()
        names = list(self.kinds)
        table = csv.writer(text, lineterminator="\n")
        table.writerow(["method", "setting", "seed", "baseline", *names])
        for point in self.points:
            # As JSON gives a point back, so that a sweep that went on writes what one in a single run does.
            there = Point.from_dict(point.to_dict()).scores
            figures = [repr(there[name]) if name in there else "" for name in names]
            table.writerow([point.method, point.label, point.seed, str(point.baseline).lower(), *figures])
        return text.getvalue()


def like_shuffled(setting: Setting, shuffled: Setting, loss: str) -> bool:
    """Whether a setting loses about as much as the file with shuffled keys, by a loss or of the relations.

    Where shuffled keys lose nothing, there is nothing to compare with.
    """
    limits = {name: NEARLY * shuffled.mean.get(name, 0.0) for name in (loss, RELATIONS)}
    return any(limit > NOTHING and setting.mean.get(name, 0.0) >= limit for name, limit in limits.items())


def undominated(figures: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which rows (risk, loss) no other row beats: none is at most as large in both and smaller in one.

    >>> undominated(np.array([[0.1, 3.0], [0.2, 1.0], [0.2, 2.0], [0.3, 1.0]])).tolist()
    [True, True, False, False]
    """
    kept = np.zeros(len(figures), dtype=bool)
    least = np.inf
    known = np.flatnonzero(np.isfinite(figures).all(axis=1))
    order = known[np.lexsort(figures[known, ::-1].T)]
    last: tuple[float, float] | None = None
    for row in order:
        risk, loss = float(figures[row, 0]), float(figures[row, 1])
        kept[row] = loss < least or (risk, loss) == last
        if loss < least:
            least, last = loss, (risk, loss)
    return kept


def _step_label(step: Mapping[str, Any]) -> str:
    values = ", ".join(f"{key}={value}" for key, value in step.items() if key not in ("method", "attributes"))
    return f"{step['method']}({values})" if values else str(step["method"])
