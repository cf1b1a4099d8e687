"""A policy: the rules that a release must meet.

```toml
[[rules]]
measure = "distance-linkage"   # any risk or loss, with its parameters as further entries
max = 0.05

[[rules]]
measure = "intersection-attack"
figure = "certain_matches"     # any figure of the score: a detail, "upper", "worst_record", "by_attribute.income" …
max = 0
optional = true                # the rule is met where the measure does not apply
note = "nobody is re-identified with certainty"
```
"""

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdckit.catalogue import Entry
from sdckit.component_table import build_from_table, measure_entry, plain_value
from sdckit.errors import FileError, ParameterError, SdcError, near_miss
from sdckit.intruder import Intruder
from sdckit.intruder_table import intruder_from_table, intruder_to_table, is_number
from sdckit.measure import Measure
from sdckit.parameters import parameters_of
from sdckit.schema import read_toml
from sdckit.user_function import AllowedCode

RULE_WORDS = ("measure", "figure", "max", "min", "optional", "note")  # so no parameter of a measure may be called so
FILE_WORDS = (
    "rules",
    "intruder",
    "attributes",
    "edits",
    "steps",
    "measures",
    "grid",
    "release",
    "reference",
)  # of a whole run
SHARES = ("value", "upper", "worst_record", "bound")  # figures of a risk that cannot leave 0 to 1
ROUNDING = 1e-12  # a figure this near to a limit meets it: the mean of a thousand times 0.1 is slightly above 0.1


@dataclass(frozen=True)
class Rule:
    """A figure of a measure and its inclusive limits; `given` names the parameters that were set."""

    measure: Measure
    figure: str = "value"
    max: float = math.inf
    min: float = -math.inf
    optional: bool = False
    note: str = ""
    given: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """A detail by a former name is the one of the present name."""
        object.__setattr__(self, "figure", self.measure.former_details.get(self.figure, self.figure))

    @property
    def title(self) -> str:
        """The measure with the parameters given, as on a command line, and the figure where it is not the value."""
        values = ",".join(f"{name}={getattr(self.measure, name)}" for name in self.given)
        measure = f"{self.measure.name}:{values}" if values else self.measure.name
        return measure if self.figure == "value" else f"{measure} {self.figure}"

    @property
    def limit(self) -> str:
        """The limits in words."""
        if self.min == self.max:
            return f"= {self.max:.15g}"
        below = f"≤ {self.max:.15g}" if math.isfinite(self.max) else ""
        above = f"≥ {self.min:.15g}" if math.isfinite(self.min) else ""
        return " and ".join(filter(None, (above, below)))

    def allows(self, value: float) -> bool:
        """Whether a figure is within the limits, except for rounding."""
        return self.min <= value <= self.max or same_but_for_rounding(value, [self.min, self.max])


def same_but_for_rounding(value: float, limits: Iterable[float]) -> bool:
    """Whether a figure equals one of these limits, up to the rounding of a sum."""
    return any(math.isclose(value, limit, rel_tol=ROUNDING, abs_tol=ROUNDING) for limit in limits)


@dataclass(frozen=True)
class Policy:
    """Rules that a release must meet, and the intruder they are about."""

    rules: tuple[Rule, ...]
    intruder: Intruder = Intruder()

    @classmethod
    def from_toml(cls, source: str | Path, *, allow_code: Iterable[str | Path] = ()) -> "Policy":
        """Read the `rules` and the `intruder` of a TOML file.

        A rule runs code of one's own, such as an analysis, only from the files in `allow_code`.
        """
        return cls.from_dict(read_toml(source), str(source), Path(source).parent, allow_code=allow_code)

    @classmethod
    def from_dict(
        cls,
        document: Mapping[str, Any],
        where: str = "policy",
        folder: Path | None = None,
        *,
        allow_code: Iterable[str | Path] = (),
    ) -> "Policy":
        """The policy in a parsed TOML document; a mistake is an error that names the rule, the entry and the cure.

        A file that a rule names, such as that of an analysis, is looked up in the folder, and must be in `allow_code`.
        """
        allowed = AllowedCode.naming(allow_code)
        for key, table in document.items():
            if isinstance(table, dict | list) and key not in FILE_WORDS:
                raise FileError(f"{where} has no table {key!r}{near_miss(key, FILE_WORDS)}")
            if key in RULE_WORDS:
                raise FileError(f"{where}: {key} is outside of every rule and has no effect; write it below [[rules]]")
        tables = document.get("rules")
        if not isinstance(tables, list) or not tables:
            raise FileError(f"{where} has no rules; write [[rules]] with a measure and max = … or min = …")
        rules = tuple(
            _rule(table, f"{where}, rule {number}", folder, allowed) for number, table in enumerate(tables, start=1)
        )
        return cls(rules, intruder_from_table(document.get("intruder", {}), where))

    def to_dict(self) -> dict[str, Any]:
        """The policy as a document; what has its default is left out."""
        intruder = intruder_to_table(self.intruder)
        return ({"intruder": intruder} if intruder else {}) | {"rules": [_rule_to_table(rule) for rule in self.rules]}


def _rule(table: Any, where: str, folder: Path | None, allowed: AllowedCode) -> Rule:
    for _, error in rule_errors(table):
        raise ParameterError(f"{where}: {error}")
    entry = measure_entry(table["measure"])
    given = {key: value for key, value in table.items() if key not in RULE_WORDS}
    try:
        measure = build_from_table(entry, given, folder, allowed)
    except SdcError as problem:
        raise ParameterError(f"{where}: {problem}") from None
    return Rule(
        measure,
        table.get("figure", "value"),
        max=float(table.get("max", math.inf)),
        min=float(table.get("min", -math.inf)),
        optional=table.get("optional", False),
        note=table.get("note", ""),
        given=tuple(each.name for each in entry.parameters if {each.name, each.formerly} & given.keys()),
    )


def rule_errors(table: Any) -> Iterator[tuple[str, SdcError]]:
    """All mistakes in one table of rules, each with its key, except for the values of the measure's own parameters."""
    if not isinstance(table, dict) or not isinstance(table.get("measure"), str):
        yield "measure", FileError('it names no measure; write measure = "distance-linkage"')
        return
    try:
        entry = measure_entry(table["measure"])
    except SdcError as problem:
        yield "measure", problem
        return
    words = [*RULE_WORDS, *(name for each in entry.parameters for name in (each.name, each.formerly) if name)]
    for key in table:
        if key not in words:
            yield key, ParameterError(f"{entry.name} has no entry {key!r}{near_miss(key, words)}")
    for key in ("figure", "note"):
        if not isinstance(table.get(key, ""), str):
            yield key, ParameterError(f"{key} = {table[key]!r} is not a text")
    if not isinstance(table.get("optional", False), bool):
        yield "optional", ParameterError(f"optional = {table['optional']!r} is not true or false")
    yield from _limit_errors(table, entry)


def _limit_errors(table: Mapping[str, Any], entry: Entry) -> Iterator[tuple[str, SdcError]]:
    limits = {key: table[key] for key in ("min", "max") if key in table}
    if not limits:
        yield "max", ParameterError(f"{entry.name} has no limit; write max = … or min = …")
    numbers = {key: limit for key, limit in limits.items() if is_number(limit) and math.isfinite(limit)}
    for key, limit in limits.items():
        if key not in numbers:
            yield key, ParameterError(f"{key} = {limit!r} is not a number; risks are shares, 0.05 for 5 %")
        elif entry.kind == "risk" and table.get("figure", "value") in SHARES and not 0 <= limit <= 1:
            yield key, ParameterError(f"{entry.name}: {key} = {limit:g} is not a share; risks are shares, 0.05 for 5 %")
    if len(numbers) == 2 and numbers["min"] > numbers["max"]:
        low, high = numbers["min"], numbers["max"]
        yield (
            "min",
            ParameterError(f"{entry.name}: min = {low:g} is above max = {high:g}; no figure could satisfy both"),
        )


def _rule_to_table(rule: Rule) -> dict[str, Any]:
    measure = rule.measure
    defaults = {each.name: each.default for each in parameters_of(type(measure))}
    values = {
        name: plain_value(value, f"{measure.name}: {name}")
        for name, value in measure.parameters().items()
        if value is not None and (name in rule.given or value != defaults[name])
    }
    entries = {
        "figure": None if rule.figure == "value" else rule.figure,
        "max": rule.max if math.isfinite(rule.max) else None,
        "min": rule.min if math.isfinite(rule.min) else None,
        "optional": rule.optional or None,
        "note": rule.note or None,
    }
    return {"measure": measure.name} | values | {key: value for key, value in entries.items() if value is not None}
