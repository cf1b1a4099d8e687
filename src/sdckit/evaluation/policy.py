"""A policy: the rules that a release must keep.

```toml
[[rules]]
measure = "distance-linkage"   # any risk or loss, with its parameters as further entries
max = 0.05

[[rules]]
measure = "intersection-attack"
figure = "certain_matches"     # any figure of the score: a detail, "upper", "worst_record", "by_attribute.income" …
max = 0
optional = true                # nothing is wrong where the measure does not apply
note = "nobody is found for sure"
```
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sdckit.catalogue import entries, find
from sdckit.errors import FileError, ParameterError, SdcError, UnknownNameError, near_miss
from sdckit.intruder import Intruder
from sdckit.measure import Measure
from sdckit.schema import read_toml
from sdckit.user_function import with_functions_from

RULE_WORDS = ("measure", "figure", "max", "min", "optional", "note")  # so no parameter of a measure may be called so
FILE_WORDS = (
    "rules",
    "intruder",
    "attributes",
    "edits",
    "steps",
    "grid",
    "release",
)  # tables of one file that holds a whole run
SHARES = ("value", "upper", "worst_record", "bound")  # figures of a risk that cannot leave 0 to 1
ROUNDING = 1e-12  # a figure this near to a limit keeps it: the mean of a thousand times 0.1 is a trace above 0.1
INTRUDER_WORDS = ("attributes", "records", "noise", "missing", "knows_method")


@dataclass(frozen=True)
class Rule:
    """A figure of a measure and the limits that it must keep, inclusive; `given` names the parameters spelt out."""

    measure: Measure
    figure: str = "value"
    max: float = math.inf
    min: float = -math.inf
    optional: bool = False
    note: str = ""
    given: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The measure with the parameters given, as on a command line, and the figure where it is not the value."""
        settings = ",".join(f"{name}={getattr(self.measure, name)}" for name in self.given)
        return (
            self.measure.name
            + (f":{settings}" if settings else "")
            + (f" {self.figure}" if self.figure != "value" else "")
        )

    @property
    def limit(self) -> str:
        """What the figure must keep to."""
        if self.min == self.max:
            return f"= {self.max:.15g}"
        below = f"≤ {self.max:.15g}" if math.isfinite(self.max) else ""
        above = f"≥ {self.min:.15g}" if math.isfinite(self.min) else ""
        return " and ".join(filter(None, (above, below)))

    def allows(self, value: float) -> bool:
        """Whether a figure keeps the limits, but for rounding."""
        return self.min <= value <= self.max or same_but_for_rounding(value, [self.min, self.max])


def same_but_for_rounding(value: float, limits: Iterable[float]) -> bool:
    """Whether a figure is one of these limits, up to the rounding of sums."""
    return any(math.isclose(value, limit, rel_tol=ROUNDING, abs_tol=ROUNDING) for limit in limits)


@dataclass(frozen=True)
class Policy:
    """Rules that a release must keep, and the intruder they are about."""

    rules: tuple[Rule, ...]
    intruder: Intruder = Intruder()

    @classmethod
    def from_toml(cls, source: str | Path) -> "Policy":
        """Read the `rules` and the `intruder` of a TOML file."""
        return cls.from_dict(read_toml(source), str(source), Path(source).parent)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], where: str = "policy", folder: Path | None = None) -> "Policy":
        """The policy in a parsed TOML document; every mistake is an error that names the rule and the near miss.

        A file that a rule names, such as that of an analysis, is looked up in the folder.
        """
        for key, table in document.items():
            if isinstance(table, dict | list) and key not in FILE_WORDS:
                raise FileError(f"{where} has a table {key!r} that is not known{near_miss(key, FILE_WORDS)}")
        tables = document.get("rules")
        if not isinstance(tables, list) or not tables:
            raise FileError(f"{where} has no rules; write [[rules]] with a measure and max = … or min = …")
        rules = tuple(_rule(table, f"{where}, rule {number}", folder) for number, table in enumerate(tables, start=1))
        return cls(rules, _intruder(document.get("intruder", {}), where))


def _rule(table: Any, where: str, folder: Path | None) -> Rule:
    if not isinstance(table, dict) or not isinstance(table.get("measure"), str):
        raise FileError(f'{where} names no measure; write measure = "distance-linkage"')
    name = table["measure"]
    known = [entry.name for kind in ("risk", "loss") for entry in entries(kind)]
    if name not in known:
        raise UnknownNameError(f"risk or loss for {where}:", name, known)
    entry = find(None, name)
    words = [*RULE_WORDS, *(name for each in entry.parameters for name in (each.name, each.formerly) if name)]
    for key in table:
        if key not in words:
            raise ParameterError(f"{where} ({name}) has an entry {key!r} that is not known{near_miss(key, words)}")
    figure, note = (_text(table, key, otherwise, where) for key, otherwise in (("figure", "value"), ("note", "")))
    low, high = _limit(table, "min", where), _limit(table, "max", where)
    if low is None and high is None:
        raise ParameterError(f"{where} ({name}) sets no limit; write max = … or min = …")
    if low is not None and high is not None and low > high:
        raise ParameterError(f"{where} ({name}): min = {low:g} is above max = {high:g}, so nothing could be met")
    for key, limit in (("min", low), ("max", high)):
        if limit is not None and entry.kind == "risk" and figure in SHARES and not 0 <= limit <= 1:
            raise ParameterError(f"{where} ({name}): {key} = {limit:g} is no share; risks are shares, 0.05 for 5 %")
    if not isinstance(table.get("optional", False), bool):
        raise ParameterError(f"{where}: optional = {table['optional']!r} is not true or false")
    given = {key: value for key, value in table.items() if key not in RULE_WORDS}
    try:
        measure = entry.build(**with_functions_from(folder, entry.parameters, given))
    except SdcError as problem:
        raise ParameterError(f"{where}: {problem}") from None
    limits = {"max": math.inf if high is None else high, "min": -math.inf if low is None else low}
    return Rule(measure, figure, optional=table.get("optional", False), note=note, given=tuple(given), **limits)


def _text(table: Mapping[str, Any], key: str, otherwise: str, where: str) -> str:
    value = table.get(key, otherwise)
    if not isinstance(value, str):
        raise ParameterError(f"{where}: {key} = {value!r} is not a text")
    return value


def _limit(table: Mapping[str, Any], key: str, where: str) -> float | None:
    value = table.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ParameterError(f"{where}: {key} = {value!r} is not a number; risks are shares, 0.05 for 5 %")
    return float(value)


def _intruder(table: Any, where: str) -> Intruder:
    if not isinstance(table, dict):
        raise FileError(f"{where}: write [intruder] as a table, such as attributes = ['age', 'income']")
    for key in table:
        if key not in INTRUDER_WORDS:
            raise ParameterError(f"{where}: the intruder has no {key!r}{near_miss(key, INTRUDER_WORDS)}")
    try:
        return Intruder(**table)
    except SdcError as problem:
        raise ParameterError(f"{where}: {problem}") from None
    except (TypeError, ValueError):
        raise ParameterError(f"{where}: an entry of the intruder is of a wrong type") from None
