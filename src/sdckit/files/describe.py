"""Description of a file: a summary of each attribute, and how many records are unique on the keys."""

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.edit_checks import broken_edits
from sdckit.edit_problems import edit_problems
from sdckit.files.infer_schema import Guess, infer_schema, is_temporal
from sdckit.frames.to_frame import number_series
from sdckit.microdata import Attribute, Microdata, Role

TOP = 5  # most frequent categories shown
GUESSED_ROLE = "its role would be guessed as"  # a reason begins so where a schema declares another role, or none
FAR = 3.5  # robust z-score beyond which a value is an outlier (Iglewicz and Hoaglin, 1993)
NORMAL_MAD = 0.6745  # the median absolute deviation of a standard normal variable
NORMAL_MEAN_DEVIATION = 0.7979  # its mean absolute deviation


@dataclass(frozen=True)
class AttributeDescription:
    """One attribute: its meaning, with the reasons if it was guessed, and a summary of its values."""

    name: str
    label: str
    kind: str
    role: str
    reasons: tuple[str, ...]
    missing: int
    missing_share: float
    distinct: int
    minimum: float | str | None = None
    median: float | str | None = None
    maximum: float | str | None = None
    outliers: int | None = None
    decimals: int | None = None
    top: tuple[tuple[str, int], ...] = ()
    hierarchy: str | None = None

    @property
    def identifies(self) -> bool:
        """Whether the values are, or look like, identifiers of people, and are shown to nobody."""
        return self.role == Role.IDENTIFIER.value or any(
            f"{GUESSED_ROLE} {Role.IDENTIFIER.value}" in reason for reason in self.reasons
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, without those of an identifier."""
        hidden = {"minimum": None, "median": None, "maximum": None, "top": ()} if self.identifies else {}
        return asdict(self) | hidden


@dataclass(frozen=True)
class Description:
    """A summary of a file; a missing key counts as a category of its own in the combinations of keys."""

    records: int
    attributes: tuple[AttributeDescription, ...]
    keys: tuple[str, ...]
    combinations: int
    uniques: int
    uniques_share: float
    records_by_combination_size: tuple[tuple[int, int], ...]
    duplicates: int
    edits_broken: dict[str, int]
    edit_problems: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return asdict(self) | {"attributes": [each.to_dict() for each in self.attributes]}


def describe(data: Microdata, guess: Guess | None = None) -> Description:
    """Describe a file: a summary of each attribute, and how many records are unique on the keys.

    Parameters
    ----------
    guess
        The kinds and roles to describe the file by, by default those that `infer_schema` guesses from names and values.

    Example
    -------
    >>> import polars
    >>> people = polars.DataFrame({"age": [31, 31, 44, 52], "region": ["north", "north", "south", "south"]})
    >>> found = describe(Microdata.from_frame(people))
    >>> found.keys, found.uniques
    (('age', 'region'), 2)
    """
    from sdckit.kernels.equivalence_classes import class_of

    guess = guess or infer_schema(data)
    declared = guess.schema.attributes
    keys = tuple(name for name in data.columns if declared[name].role is Role.KEY)
    sizes = class_of(data.codes(keys)).sizes if keys else np.array([len(data)])
    known = [name for name in data.columns if declared[name].role is not Role.IDENTIFIER]
    distinct_records = len(class_of(data.codes(known)).sizes) if known else len(data)
    uniques = int((sizes == 1).sum())
    return Description(
        records=len(data),
        attributes=tuple(_describe(data, each, guess) for each in data.attributes),
        keys=keys,
        combinations=len(sizes),
        uniques=uniques,
        uniques_share=uniques / len(data),
        records_by_combination_size=tuple((size, int(size * (sizes == size).sum())) for size in range(1, 6)),
        duplicates=len(data) - distinct_records,
        edits_broken={str(each.edit): each.records for each in broken_edits(data)},
        edit_problems=edit_problems(data),
    )


def _describe(data: Microdata, attribute: Attribute, guess: Guess) -> AttributeDescription:
    name, column = attribute.name, data.columns[attribute.name]
    declared = guess.schema.attributes[name]
    present = column[~data.absent(name)]
    values, counts = np.unique(present, return_counts=True)
    kind = declared.kind or attribute.kind
    summary: dict[str, Any] = {}
    if attribute.coded or kind.title in ("unordered", "partially-ordered"):
        order = np.argsort(-counts, kind="stable")[:TOP]
        summary["top"] = tuple((shown(attribute, values[index]), int(counts[index])) for index in order)
    elif len(present):
        ends = np.array([present.min(), np.median(present), present.max()])
        summary["minimum"], summary["median"], summary["maximum"] = readable(data, attribute, ends)
        summary["outliers"] = outliers(present)
    return AttributeDescription(
        name=name,
        label=attribute.label,
        kind=kind.title,
        role=(declared.role or attribute.role).value,
        reasons=tuple(guess.reasons.get(name, ())),
        missing=len(column) - len(present),
        missing_share=(len(column) - len(present)) / len(column),
        distinct=len(values),
        hierarchy=str(attribute.hierarchy) if attribute.hierarchy is not None else None,
        decimals=0 if attribute.integral and not is_temporal(data, name) else attribute.decimals,
        **summary,
    )


def outliers(values: NDArray[np.float64]) -> int:
    """The number of values with a robust z-score beyond 3.5, by the median absolute deviation or the mean one if 0."""
    distance = np.abs(values - np.median(values))
    scale = np.median(distance) / NORMAL_MAD or distance.mean() / NORMAL_MEAN_DEVIATION
    return int((distance > FAR * scale).sum()) if scale > 0 else 0


def shown(attribute: Attribute, value: Any) -> str:
    """A category as text, with its label."""
    category = attribute.categories[value] if attribute.categories is not None else _plain(float(value))
    label = attribute.value_labels.get(category)
    return f"{category} ({label})" if label else str(category)


def _plain(number: float) -> float | int:
    return int(number) if number.is_integer() and not math.isinf(number) else number


def readable(data: Microdata, attribute: Attribute, numbers: NDArray[np.float64]) -> list[float | str]:
    """Numbers of a column as they are shown: dates as dates."""
    if not is_temporal(data, attribute.name):
        return [_plain(float(number)) for number in numbers]
    return [str(moment) for moment in number_series(attribute, numbers, data.form.types[attribute.name])]
