"""Measurement: which measures are taken of a release, and each figure measured once, however many others use it."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from sdckit.catalogue import entries, find
from sdckit.component_table import build_from_table
from sdckit.component_text import parsed
from sdckit.errors import NotApplicableError, ParameterError
from sdckit.intruder import Intruder
from sdckit.measure import Composite, Cost, Finds, Measure, Need, Score, WeighsAttributes
from sdckit.memory import give_back
from sdckit.microdata import Microdata, Role
from sdckit.parameters import parameters_of
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.user_function import TYPED_BY_USER

MEASURES = ("risk", "loss")
SYNTHESIS = "synthesis"  # the family of maskings whose releases are attacked as synthetic data


def quick_measures(domain: type = Microdata, *, synthesised: bool = False) -> tuple[Measure, ...]:
    """What is assessed by default: measures that take seconds for 10,000 records, unless they declare otherwise.

    Where rows or values were synthesised, the quick attacks on synthetic data are among them.
    """
    return tuple(
        each
        for each in all_measures(domain)
        if each.cost is Cost.QUICK and (each.by_default or (synthesised and each.for_synthesis))
    )


def has_synthetic_values(recipe: Recipe | None) -> bool:
    """Whether a step replaces values by draws from a model of the file."""
    steps = () if recipe is None else recipe.steps
    return any(find("masking", step.masking.name).family == SYNTHESIS for step in steps)


def all_measures(domain: type = Microdata) -> tuple[Measure, ...]:
    """Every measure of this kind of data set with its default parameters, risks first."""
    return tuple(entry.build() for kind in MEASURES for entry in entries(kind, domain))


def domains_of(data: Microdata) -> tuple[type, ...]:
    """The domains whose measures a data set is assessed by: its own, then that of attributes where it has any."""
    named = data.names(role=(Role.KEY, Role.CONFIDENTIAL, Role.OTHER))
    own: type = type(data)
    return (own, Microdata) if named and own is not Microdata else (own,)


def headline_measures(data: Microdata) -> tuple[Measure, ...]:
    """The quick measures that sum a release up, the most important first; what a sweep maps by default.

    A loss that does not see every kind of key in the file comes after those that do; what extends a risk, before it.
    """
    chosen = [each for each in quick_measures(type(data)) if each.headline is not None and not each.example]
    chosen.sort(key=lambda each: (each.kind != "risk", not sees_keys(each, data), each.headline))
    return tuple(measure for each in chosen for measure in (*extensions_of(each, data), each))


def extensions_of(measure: Measure, data: Microdata) -> tuple[Measure, ...]:
    """The attacks of the same intruder who uses more, of those that apply to such a file."""
    if measure.finds is not Finds.RECORDS:
        return ()
    risks = (
        entry.component for domain in dict.fromkeys((measure.domain, type(data))) for entry in entries("risk", domain)
    )
    found = [each for each in risks if issubclass(each, Measure) and each.extends == measure.name]
    return tuple(each() for each in found if each.role is None or data.names(role=each.role))


def main_attacks(domain: type = Microdata) -> tuple[Measure, ...]:
    """The attacks among the main figures that an intruder can carry out, the most important first."""
    chosen = [
        each
        for each in quick_measures(domain)
        if each.headline is not None and each.finds is Finds.RECORDS and Need.TRUTH not in each.needs
    ]
    return tuple(sorted(chosen, key=lambda each: each.headline or 0))


def without_recipe(measure: Measure | type[Measure]) -> Measure | None:
    """What an attack on the recipe is compared with where there is none: the main attack that needs no recipe."""
    if measure.finds is not Finds.RECORDS or Need.RECIPE not in measure.needs:
        return None
    return next((each for each in main_attacks(measure.domain) if Need.RECIPE not in each.needs), None)


def sees_keys(measure: Measure, data: Microdata) -> bool:
    """Whether a measure looks at attributes of every kind that a key of the file has."""
    kinds = [data.attribute(name).kind for name in data.names(role=Role.KEY)]
    return all(kind & measure.sees for kind in kinds)


def measure_named(measure: str | Measure) -> Measure:
    """A measure, or the one that a text such as `interval-disclosure:widest=0.2` names."""
    if isinstance(measure, Measure):
        return measure
    written = parsed(measure)
    built = build_from_table(find(None, written.name), written.values, allowed=TYPED_BY_USER)
    if not isinstance(built, Measure):
        raise ParameterError(f"{written.name!r} is a masking; name a risk or a loss")
    return built


def of_every_record(measure: Measure) -> Measure:
    """The measure of all records instead of some of them, as its parameters declare; a value that was set stays."""
    changed = {
        each.name: each.every
        for each in parameters_of(type(measure))
        if each.every is not None and getattr(measure, each.name) == each.default
    }
    return type(measure)(**measure.parameters() | changed) if changed else measure


def of_few_records(measure: Measure, records: int) -> Measure:
    """The measure of so many records at most, for a first figure; one that declares no such number stays as it is."""
    changed = {
        each.name: records
        for each in parameters_of(type(measure))
        if each.every is not None and not 0 < getattr(measure, each.name) <= records
    }
    return type(measure)(**measure.parameters() | changed) if changed else measure


def named_measures(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """The measures named, each once."""
    several = [measures] if isinstance(measures, str | Measure) else list(measures)
    built = tuple(measure_named(each) for each in several)
    names = [measure.name for measure in built]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"the measure {name!r} is named twice; assess twice to compare its parameters")
    if not built:
        raise ParameterError("no measure is named; name one, or leave out the list to use the default ones")
    return built


@dataclass(eq=False)
class Measurement:
    """The scores of one release by one intruder; a figure that is part of another is measured once.

    `every`  measure all records where a measure takes some of them by default
    """

    release: Release
    intruder: Intruder = Intruder()
    seed: int | None = None
    every: bool = False
    _scores: dict[str, Score | NotApplicableError] = field(default_factory=dict, repr=False)

    def score(self, measure: Measure) -> Score:
        """The score of a measure; raises NotApplicableError where it does not apply."""
        result = self._result(measure)
        if isinstance(result, NotApplicableError):
            raise result
        return result

    def score_by_attribute(self, measure: Measure) -> Score:
        """The score with what each attribute adds to it, also where that takes measurements of its own."""
        measure = self._taken(measure)
        score = self.score(measure)
        if score.by_attribute is not None or not isinstance(measure, WeighsAttributes):
            return score
        key = f"{measure!r} by attribute"
        if key not in self._scores:
            worth = measure.worth_of_attributes(self.release, self.intruder, seed=self.seed)
            reason = "it has no figures by attribute, as the intruder knows too many attributes"
            self._scores[key] = NotApplicableError(reason) if worth is None else replace(score, by_attribute=worth)
        found = self._scores[key]
        if isinstance(found, NotApplicableError):
            raise found
        return found

    def _result(self, measure: Measure) -> Score | NotApplicableError:
        measure = self._taken(measure)
        key = repr(measure)
        if key not in self._scores:
            try:
                score = self._measured(measure)
                self._scores[key] = replace(score, name=measure.name, kind=measure.kind)
            except NotApplicableError as reason:
                self._scores[key] = reason
        return self._scores[key]

    def _taken(self, measure: Measure) -> Measure:
        return of_every_record(measure) if self.every else measure

    def _measured(self, measure: Measure) -> Score:
        if not isinstance(measure, Composite):
            try:
                return measure.measure(self.release, self.intruder, seed=self.seed)
            finally:
                give_back()
        return measure.combine({part.name: self._result(part) for part in measure.parts()})
