"""Anonymity models as text, such as `distinct-l-diversity(3)+t-closeness(0.2+income)`, bound to a file as conditions.

The arguments of a model are its numbers, then, for a model of confidential values, the attributes that it is for;
without attributes it is for every confidential attribute that is not masked.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from sdckit.component_text import parsed
from sdckit.errors import ParameterError, SchemaError, near_miss
from sdckit.kernels import class_models as kernel
from sdckit.kernels.class_models import ClassModel, FileModel, Rule, likeness_limits
from sdckit.methods.generalisation.confidential_columns import ConfidentialColumns

BETWEEN_MODELS = re.compile(r"\+(?![^()]*\))")  # a plus outside brackets
FEW_BANDS, MANY_BANDS = 10, 100  # as the measures of l-diversity and of t-closeness count numbers

Condition = ClassModel | FileModel


class Binding(NamedTuple):
    """The file that models are bound to: its confidential values, records, and population, if that is known.

    A population that is `counted`, that of a research subset, is used also by models that name another size.
    """

    columns: ConfidentialColumns
    records: int
    population: float | None
    counted: bool
    owner: str


class Number(NamedTuple):
    """A number of a model, with its bounds; `optional` for a last one that may be left out."""

    title: str
    low: float
    high: float = np.inf
    optional: bool = False


@dataclass(frozen=True)
class Definition:
    """One model: its numbers, whether it is for confidential attributes, and the conditions that it makes."""

    numbers: tuple[Number, ...]
    conditions: Callable[[Sequence[float], tuple[str, ...], Binding], list[Condition]]
    confidential: bool = True


def _of_column(
    make: Callable[[Sequence[float], str, int, ConfidentialColumns], Condition], bands: int = FEW_BANDS
) -> Callable[[Sequence[float], tuple[str, ...], Binding], list[Condition]]:
    """The conditions of a model of confidential values, one for each attribute."""

    def conditions(numbers: Sequence[float], attributes: tuple[str, ...], file: Binding) -> list[Condition]:
        columns = file.columns
        return [make(numbers, name, columns.column(name, bands), columns) for name in columns.names(attributes)]

    return conditions


def _distinct(numbers: Sequence[float], name: str, column: int, columns: ConfidentialColumns) -> Condition:
    make = kernel.DistinctDiversityOfAll if columns.complete(column) else kernel.DistinctDiversity
    return make(column, numbers[0])


def _closeness(kind: str) -> Definition:
    def make(numbers: Sequence[float], name: str, column: int, columns: ConfidentialColumns) -> Condition:
        return kernel.Closeness(column, numbers[0], columns.distance(name, column, kind))

    return Definition((Number("t", 0, 1),), _of_column(make, MANY_BANDS))


def _likeness(enhanced: bool) -> Definition:
    def make(numbers: Sequence[float], name: str, column: int, columns: ConfidentialColumns) -> Condition:
        overall = columns.overall(column)
        high = likeness_limits(overall, numbers[0], enhanced=enhanced)
        return kernel.ShareLimits(column, np.zeros(len(overall)), high)

    return Definition((Number("β", 0),), _of_column(make))


def _disclosure(numbers: Sequence[float], name: str, column: int, columns: ConfidentialColumns) -> Condition:
    share = columns.overall(column) / columns.overall(column).sum()
    return kernel.ShareLimits(column, share * np.exp(-numbers[0]), np.minimum(share * np.exp(numbers[0]), 1.0))


def _alpha_k(numbers: Sequence[float], attributes: tuple[str, ...], file: Binding) -> list[Condition]:
    largest = _of_column(lambda given, name, column, columns: kernel.LargestShare(column, given[0]))
    return [kernel.SmallestSize(numbers[1]), *largest(numbers, attributes, file)]


def _population(own: Sequence[float], model: str, file: Binding) -> float:
    """The size of the population: the one that the model names, else that of the file."""
    if own and not file.counted:
        return own[0]
    if file.population is not None:
        return file.population
    raise SchemaError(
        f"{file.owner}: {model} needs a population; give the sampling weights the role 'weight', name the column of "
        f"the research subset by subset, or write the size of the population as its last number"
    )


def _per_record(own: Sequence[float], model: str, file: Binding) -> float | None:
    """The persons whom each record stands for by the size that the model names; None: as the file's population says."""
    population = _population(own, model, file)
    return max(population / file.records, 1.0) if own and not file.counted else None


def _k_map(numbers: Sequence[float], attributes: tuple[str, ...], file: Binding) -> list[Condition]:
    return [kernel.SmallestPopulation(numbers[0], _per_record(numbers[1:], "k-map", file))]


def _presence(numbers: Sequence[float], attributes: tuple[str, ...], file: Binding) -> list[Condition]:
    return [kernel.Presence(numbers[0], numbers[1], _per_record(numbers[2:], "delta-presence", file))]


def _uniqueness(numbers: Sequence[float], attributes: tuple[str, ...], file: Binding) -> list[Condition]:
    return [kernel.PopulationUniqueness(numbers[0], _population(numbers[1:], "population-uniqueness", file))]


def _no_attack(numbers: Sequence[float], attributes: tuple[str, ...], file: Binding) -> list[Condition]:
    """A class so large that the share of the gain from one re-identification is at most the effort of an attempt."""
    return [kernel.SmallestSize(np.ceil(numbers[0] / numbers[1] - kernel.ROUNDING))]


POPULATION = Number("population", 1, optional=True)
DEFINITIONS = {
    "k-anonymity": Definition((Number("k", 1),), lambda numbers, *_: [kernel.SmallestSize(numbers[0])], False),
    "no-attack": Definition((Number("gain", 0), Number("effort", 1e-9)), _no_attack, False),
    "k-map": Definition((Number("k", 1), POPULATION), _k_map, False),
    "delta-presence": Definition((Number("δ min", 0, 1), Number("δ max", 0, 1), POPULATION), _presence, False),
    "average-risk": Definition((Number("risk", 0, 1),), lambda numbers, *_: [kernel.AverageRisk(numbers[0])], False),
    "population-uniqueness": Definition((Number("share", 0, 1), POPULATION), _uniqueness, False),
    "distinct-l-diversity": Definition((Number("l", 1),), _of_column(_distinct)),
    "entropy-l-diversity": Definition(
        (Number("l", 1),), _of_column(lambda numbers, name, column, _: kernel.EntropyDiversity(column, numbers[0]))
    ),
    "recursive-l-diversity": Definition(
        (Number("c", 0), Number("l", 1)),
        _of_column(lambda numbers, name, column, _: kernel.RecursiveDiversity(column, numbers[0], int(numbers[1]))),
    ),
    "t-closeness": _closeness(""),
    "equal-t-closeness": _closeness("equal"),
    "ordered-t-closeness": _closeness("ordered"),
    "hierarchical-t-closeness": _closeness("hierarchical"),
    "alpha-k-anonymity": Definition((Number("α", 0, 1), Number("k", 1)), _alpha_k),
    "beta-likeness": _likeness(enhanced=False),
    "enhanced-beta-likeness": _likeness(enhanced=True),
    "delta-disclosure": Definition((Number("δ", 0),), _of_column(_disclosure)),
}


@dataclass(frozen=True)
class Model:
    """A model with its numbers, and the confidential attributes that it is for; none: all of them."""

    title: str
    numbers: tuple[float, ...]
    attributes: tuple[str, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> "Model":
        """The model that a text names.

        >>> Model.from_text("recursive-l-diversity(3+2+illness)")
        Model(title='recursive-l-diversity', numbers=(3.0, 2.0), attributes=('illness',))
        """
        written = parsed(text)
        if written.name not in DEFINITIONS:
            raise ParameterError(f"there is no anonymity model {written.name!r}{near_miss(written.name, DEFINITIONS)}")
        definition = DEFINITIONS[written.name]
        numbers = _leading_numbers(written.arguments, len(definition.numbers))
        needed = sum(not each.optional for each in definition.numbers)
        titles = "+".join(each.title for each in definition.numbers)
        if len(numbers) < needed:
            raise ParameterError(f"{text!r}: the model needs {needed} numbers; write {written.name}({titles})")
        attributes = written.arguments[len(numbers) :]
        if attributes and not definition.confidential:
            raise ParameterError(f"{text!r}: {attributes[0]!r} is not a number; write {written.name}({titles})")
        for number, declared in zip(numbers, definition.numbers, strict=False):
            if not declared.low <= number <= declared.high:
                limit = (
                    f"at least {declared.low:g}"
                    if np.isinf(declared.high)
                    else f"{declared.low:g} to {declared.high:g}"
                )
                raise ParameterError(f"{text!r}: {declared.title} = {number:g} is out of range; use {limit}")
        return cls(written.name, numbers, attributes)

    def __str__(self) -> str:
        numbers = (f"{number:.12g}" for number in self.numbers)
        return f"{self.title}({'+'.join([*numbers, *self.attributes])})"

    @property
    def population(self) -> float | None:
        """The size of the population that the model names, if it does."""
        return self.numbers[-1] if self.of_population and len(self.numbers) == len(self.declared) else None

    @property
    def of_population(self) -> bool:
        """Whether the model is about a population."""
        return self.declared[-1].optional

    @property
    def declared(self) -> tuple[Number, ...]:
        """The numbers that the model can have."""
        return DEFINITIONS[self.title].numbers


@dataclass(frozen=True)
class Models:
    """Several models, all of which a release must satisfy."""

    in_words: ClassVar[str] = "anonymity models such as distinct-l-diversity(3)+t-closeness(0.2)"

    models: tuple[Model, ...] = ()

    @classmethod
    def from_text(cls, text: str) -> "Models":
        """The models of a text, separated by plus signs.

        >>> str(Models.from_text("k-anonymity(5) + t-closeness(0.2+income)"))
        'k-anonymity(5)+t-closeness(0.2+income)'
        """
        return cls(tuple(Model.from_text(part) for part in BETWEEN_MODELS.split(text) if part.strip()))

    def __str__(self) -> str:
        return "+".join(map(str, self.models))

    @property
    def population(self) -> float | None:
        """The largest size of the population that a model names."""
        return max((each.population for each in self.models if each.population is not None), default=None)

    @property
    def need_a_population(self) -> bool:
        """Whether a model is about a population whose size it does not name."""
        return any(each.of_population and each.population is None for each in self.models)

    def rule(self, group_size: int, file: Binding) -> Rule:
        """The conditions on a release of this file, with at least so many records in a class."""
        found: list[Condition] = [kernel.SmallestSize(group_size)]
        for model in self.models:
            found += DEFINITIONS[model.title].conditions(model.numbers, model.attributes, file)
        return Rule(
            [each for each in found if isinstance(each, ClassModel)],
            [each for each in found if isinstance(each, FileModel)],
        )


def _leading_numbers(arguments: Sequence[str], most: int) -> tuple[float, ...]:
    numbers: list[float] = []
    for argument in arguments[:most]:
        try:
            numbers.append(float(argument))
        except ValueError:
            break
    return tuple(numbers)
