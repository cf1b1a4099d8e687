"""The coordinates in which group means satisfy edits, and the edits as linear constraints on them.

Attributes that are linked by products are averaged in logarithms (geometric means), all others directly (arithmetic
means). Where a product and a sum share an attribute no mean satisfies both: the attributes are averaged directly, and
one attribute of the product, which no other edit links, is computed from the others.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sdckit.edit_alternatives import Alternative, alternatives
from sdckit.edit_arithmetic import Monomial, monomial
from sdckit.edit_conditions import Comparison, Condition, LinearComparison
from sdckit.edits import Edits
from sdckit.fuzzy.linear_constraints import LinearConstraints
from sdckit.microdata import Microdata, Role

STRICT = 1e-6  # of the standard deviations: how far within a strict inequality a corrected mean lies
SIGNS = {"==": (0.0, 0.0), "<=": (-np.inf, 0.0), "<": (-np.inf, 0.0), ">=": (0.0, np.inf), ">": (0.0, np.inf)}


class Range(NamedTuple):
    """low ≤ Σ coefficient · coordinate ≤ high, or < where strict."""

    coefficients: dict[str, float]
    low: float
    high: float
    strict: bool


@dataclass(frozen=True)
class Derived:
    """An attribute that is computed from others: factor · Π other^exponent."""

    name: str
    exponents: dict[str, float]
    factor: float


@dataclass(frozen=True)
class EditSpace:
    """The attributes that are averaged, which of them in logarithms, and which are computed from others."""

    names: tuple[str, ...]
    logarithmic: frozenset[str]
    derived: tuple[Derived, ...]

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        computed: Sequence[str],
        edits: Iterable[Sequence[Alternative]],
        without_logs: Iterable[str] = (),
    ) -> "EditSpace":
        """The space for the edits, each by its alternatives; only comparisons of the computed attributes matter."""
        listed = [
            [tuple(each for each in alternative if is_computed(each, computed)) for alternative in edit]
            for edit in edits
        ]
        literals = [each for edit in listed for alternative in edit for each in alternative]
        links = [names_in(each) for each in literals if is_computed(each, names)]
        products = [each for each in literals if is_computed(each, names) and isinstance(each, Comparison)]
        mixing = {name for each in literals if is_computed(each, names) and _is_sum(each) for name in names_in(each)}
        mixing |= set(without_logs)
        logarithmic: set[str] = set()
        for part in linked(links):
            if mixing.isdisjoint(part) and any(set(names_in(each)) <= part for each in products):
                logarithmic |= {name for each in products for name in names_in(each) if name in part}
                logarithmic |= {name for each in literals if is_ratio(each) for name in names_in(each) if name in part}
        sure = [alternative[0] for (alternative, *others) in listed if not others and len(alternative) == 1]
        derived = [found for each in sure if (found := _derived(each, links, logarithmic)) is not None]
        return cls(tuple(names), frozenset(logarithmic), tuple(derived))

    def signs(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sign of each value that is averaged in logarithms, 1 for all others and for missing ones."""
        in_logs = [name in self.logarithmic for name in self.names]
        return np.where(np.isnan(values) | ~np.array(in_logs, dtype=bool), 1.0, np.sign(values))

    def coordinates(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Logarithms of magnitudes, or the values; a zero has the mean logarithm of its column."""
        out = values.copy()
        for index, name in enumerate(self.names):
            if name in self.logarithmic:
                column = np.abs(values[:, index])
                logs = np.log(np.where(column > 0, column, 1.0))
                usual = logs[column > 0].mean() if (column > 0).any() else 0.0
                out[:, index] = np.where(column == 0, usual, np.where(np.isnan(column), np.nan, logs))
        return out

    def values(self, coordinates: NDArray[np.float64], signs: NDArray[np.float64]) -> NDArray[np.float64]:
        """The values at these coordinates, with these signs, and those that are computed from them."""
        in_logs = np.array([name in self.logarithmic for name in self.names], dtype=bool)
        out = coordinates.copy()
        out[:, in_logs] = signs[in_logs] * np.exp(coordinates[:, in_logs])
        for each in self.derived:
            columns = [out[:, self.names.index(name)] ** exponent for name, exponent in each.exponents.items()]
            with np.errstate(all="ignore"):
                computed = each.factor * np.prod(columns, axis=0)
            index = self.names.index(each.name)
            out[:, index] = np.where(np.isfinite(computed), computed, out[:, index])
        return out

    def constraints(
        self, conditions: Iterable[Condition], signs: NDArray[np.float64], scale: NDArray[np.float64]
    ) -> LinearConstraints:
        """Comparisons as linear constraints on the coordinates of records with these signs; others are left out."""
        sign_of = dict(zip(self.names, signs.tolist(), strict=True))
        equal, values, at_most, limits = [], [], [], []
        for condition in conditions:
            for each in self._ranges(condition, sign_of):
                row = np.array([each.coefficients.get(name, 0.0) for name in self.names])
                margin = STRICT * float(np.abs(row) @ scale) if each.strict else 0.0
                if each.low == each.high:
                    equal.append(row)
                    values.append(each.low)
                    continue
                ends = (row, each.high - margin), (-row, -each.low - margin)
                for side, limit in ends:
                    if np.isfinite(limit):
                        at_most.append(side)
                        limits.append(limit)
        empty = np.empty((0, len(self.names)))
        return LinearConstraints(
            np.array(equal) if equal else empty,
            np.array(values),
            np.array(at_most) if at_most else empty,
            np.array(limits),
        )

    def expresses(self, condition: Condition) -> bool:
        """Whether positive values in this space can be made to satisfy a comparison, directly or as computed ones."""
        computed = {each.name for each in self.derived}
        return bool(self._ranges(condition, dict.fromkeys(self.names, 1.0))) or (
            isinstance(condition, Comparison) and not computed.isdisjoint(names_in(condition))
        )

    def _ranges(self, condition: Condition, sign_of: dict[str, float]) -> list[Range]:
        if not is_computed(condition, self.names):
            return []
        inside = [name in self.logarithmic for name in names_in(condition)]
        if isinstance(condition, LinearComparison):
            edit = condition.edit
            if not any(inside):
                return [Range(dict(edit.terms), edit.low, edit.high, condition.strict)]
            return _log_ranges(condition, sign_of) if all(inside) else []
        return _product_range(condition, sign_of) if all(inside) and isinstance(condition, Comparison) else []


def is_computed(condition: Condition, names: Sequence[str]) -> bool:
    """Whether a condition is a sum or a product of these attributes alone, which a mean can be made to satisfy."""
    if isinstance(condition, Comparison) and _monomials(condition) is None:
        return False
    return isinstance(condition, LinearComparison | Comparison) and all(name in names for name in names_in(condition))


def ways_to_satisfy(data: Microdata, names: Sequence[str]) -> list[tuple[Alternative, ...]]:
    """The alternatives of each edit of a file that names one of the attributes; edits with too many are left out."""
    edits = [edit for edit in data.edits.among(data.columns) if any(name in names for name in edit.attributes)]
    return [way for edit in edits if (way := alternatives(edit))]


def sure_conditions(ways: Iterable[Sequence[Alternative]], computed: Sequence[str]) -> list[Condition]:
    """The comparisons of computed attributes that every record has to satisfy."""
    return [each for way in ways if len(way) == 1 for each in way[0] if is_computed(each, computed)]


def linked_blocks(blocks: Sequence[Sequence[str]], edits: Edits) -> list[Sequence[str]]:
    """Blocks of attributes, those joined that an edit links."""
    joined = list(blocks)
    for edit in edits:
        touched = [block for block in joined if any(name in block for name in edit.attributes)]
        if len(touched) > 1:
            one = [name for block in touched for name in block]
            joined = [one if block is touched[0] else block for block in joined if block not in touched[1:]]
    return joined


def sampling_weights(data: Microdata) -> NDArray[np.float64] | None:
    """The sampling weights of a file, 0 where one is missing or negative; None where it has none."""
    names = data.names(role=Role.WEIGHT)
    if not names:
        return None
    weights = np.maximum(np.nan_to_num(data.matrix(names[:1])[:, 0]), 0.0)
    return np.asarray(weights, dtype=np.float64) if weights.any() else None


def names_in(condition: Condition) -> tuple[str, ...]:
    """The attributes of a condition, each once."""
    return tuple(dict.fromkeys(condition.names()))


def is_ratio(condition: Condition) -> bool:
    """Whether a comparison is a · x ≤ b · y, which means of either kind satisfy."""
    if not isinstance(condition, LinearComparison) or len(condition.edit.terms) != 2:
        return False
    one, other = condition.edit.terms.values()
    return one * other < 0 and condition.edit.low in (0, -np.inf) and condition.edit.high in (0, np.inf)


def linked(sets: Iterable[Iterable[str]]) -> list[set[str]]:
    """Names joined into parts: two names of one set are in one part."""
    parts: list[set[str]] = []
    for names in map(set, sets):
        touching = [part for part in parts if part & names]
        parts = [part for part in parts if not part & names] + [names.union(*touching)]
    return parts


def _is_sum(condition: Condition) -> bool:
    return isinstance(condition, LinearComparison) and len(condition.edit.terms) > 1 and not is_ratio(condition)


def _monomials(condition: Comparison) -> tuple[Monomial, Monomial] | None:
    left, right = monomial(condition.left), monomial(condition.right)
    exact = not condition.tolerance and not condition.share
    return (left, right) if exact and left is not None and right is not None else None


def _log_ranges(condition: LinearComparison, sign_of: dict[str, float]) -> list[Range]:
    """A bound or a ratio of attributes of known signs, in logarithms."""
    edit = condition.edit
    terms = {name: coefficient * sign_of[name] for name, coefficient in edit.terms.items()}
    if len(terms) == 1:
        ((name, factor),) = terms.items()
        if factor == 0:
            return []
        low, high = sorted((edit.low / factor, edit.high / factor))
        if high <= 0:
            return []
        return [Range({name: 1.0}, np.log(low) if low > 0 else -np.inf, np.log(high), condition.strict)]
    (one, a), (other, b) = terms.items()
    if a * b >= 0:
        return []
    end = float(np.log(-b / a))  # a · |x| + b · |y| ≤ 0, that is |x| ≤ (−b / a) · |y| where a > 0
    low, high = (edit.low, edit.high) if a > 0 else (-edit.high, -edit.low)
    return [
        Range({one: 1.0, other: -1.0}, end if low == 0 else -np.inf, end if high == 0 else np.inf, condition.strict)
    ]


def _product_range(condition: Comparison, sign_of: dict[str, float]) -> list[Range]:
    sides = _monomials(condition)
    if sides is None:
        return []
    signs = [
        np.sign(side.factor) * np.prod([sign_of[name] ** e for name, e in side.exponents.items()])
        for side in sides
        if not any(sign_of[name] == 0 for name in side.exponents)
    ]
    if len(signs) < 2 or signs[0] != signs[1] or signs[0] == 0:
        return []
    left, right = sides
    exponents = dict(left.exponents)
    for name, exponent in right.exponents.items():
        exponents[name] = exponents.get(name, 0.0) - exponent
    end = float(np.log(abs(right.factor)) - np.log(abs(left.factor)))
    low, high = SIGNS[condition.sign]
    if signs[0] < 0:
        low, high = -high, -low
    return [Range(exponents, end + low, end + high, condition.sign in "<>")]


def _derived(condition: Condition, links: Sequence[tuple[str, ...]], logarithmic: set[str]) -> Derived | None:
    """The attribute of a product that no other edit links to anything, as a function of the others."""
    if not isinstance(condition, Comparison) or condition.sign != "==" or names_in(condition)[0] in logarithmic:
        return None
    sides = _monomials(condition)
    if sides is None or (names_in(condition) not in links):
        return None
    exponents = dict(sides[0].exponents)
    for name, exponent in sides[1].exponents.items():
        exponents[name] = exponents.get(name, 0.0) - exponent
    by_edits = sorted(exponents, key=lambda name: sum(name in link for link in links))
    for name in by_edits:
        exponent, several = exponents[name], [link for link in links if name in link and len(link) > 1]
        if len(several) == 1 and abs(exponent) == 1:
            others = {other: -each / exponent for other, each in exponents.items() if other != name}
            return Derived(name, others, (sides[1].factor / sides[0].factor) ** (1 / exponent))
    return None
