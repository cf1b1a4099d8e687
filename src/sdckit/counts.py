"""Counts of a release: what a data steward reports of it, as values.

They are made of the files by `sdckit.evaluation.release_counts`. The counts after each step of a chain can be made only
while the file is masked, so the private key keeps them.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

SIZES = (2, 3, 5)  # the k of k-anonymity that are counted


@dataclass(frozen=True)
class AttributeCounts:
    """What became of the values of one attribute, among the records that were released."""

    name: str
    present: int
    changed: int
    suppressed: int


@dataclass(frozen=True)
class KeyCounts:
    """How many records violate k-anonymity on the keys at one stage of the masking.

    `violations` counts a missing key as a value of its own, and `violations_any_value` as one that agrees with every
    value; it is None where no key is missing. The expected number of re-identifications is that of an intruder who
    knows the keys of everybody in the file and picks at random among the records that agree.
    """

    stage: str
    records: int
    violations: dict[int, int]
    violations_any_value: dict[int, int] | None
    expected_reidentifications: float


@dataclass(frozen=True)
class StepCounts:
    """What became of the values of each attribute, from the original up to the end of one step."""

    stage: str
    attributes: tuple[AttributeCounts, ...]


@dataclass(frozen=True)
class ReleaseCounts:
    """The counts of a release.

    `stages`      on the keys, before masking and after it, or after each step where that is known
    `attributes`  by attribute in the release, if rows belong to records
    `steps`       by attribute after each step of a chain, where that is known
    """

    keys: tuple[str, ...]
    stages: tuple[KeyCounts, ...]
    attributes: tuple[AttributeCounts, ...]
    steps: tuple[StepCounts, ...] = ()

    def earlier(self, name: str) -> list[tuple[str, AttributeCounts]]:
        """The counts of an attribute after the steps before the last one that altered them; none after one step alone.

        >>> untouched, recoded, holes = (AttributeCounts("age", 9, *two) for two in ((0, 0), (9, 0), (7, 2)))
        >>> steps = tuple(StepCounts(f"step {n}", (of,)) for n, of in enumerate((recoded, recoded, holes, holes), 1))
        >>> ReleaseCounts((), (), (holes,), steps).earlier("age") == [("step 1", recoded)]
        True
        """
        after = [(step.stage, each) for step in self.steps for each in step.attributes if each.name == name]
        altered: list[tuple[str, AttributeCounts]] = []
        for stage, counts in after:
            before = (altered[-1][1].changed, altered[-1][1].suppressed) if altered else (0, 0)
            if (counts.changed, counts.suppressed) != before:
                altered.append((stage, counts))
        return altered[:-1]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "keys": list(self.keys),
            "stages": [
                asdict(each)
                | {
                    "violations": _by_text(each.violations),
                    "violations_any_value": _by_text(each.violations_any_value),
                }
                for each in self.stages
            ],
            "attributes": [asdict(each) for each in self.attributes],
            "steps": [
                {"stage": step.stage, "attributes": [asdict(each) for each in step.attributes]} for step in self.steps
            ],
        }

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> "ReleaseCounts":
        """The counts of these plain values; a TypeError, KeyError or ValueError where they are none."""
        return cls(
            tuple(_text(name) for name in content["keys"]),
            tuple(_key_counts(each) for each in content["stages"]),
            tuple(_attribute_counts(each) for each in content["attributes"]),
            tuple(
                StepCounts(_text(step["stage"]), tuple(_attribute_counts(each) for each in step["attributes"]))
                for step in content["steps"]
            ),
        )


def _by_text(violations: Mapping[int, int] | None) -> dict[str, int] | None:
    return None if violations is None else {str(size): number for size, number in violations.items()}


def _key_counts(content: Mapping[str, Any]) -> KeyCounts:
    any_value = content["violations_any_value"]
    return KeyCounts(
        _text(content["stage"]),
        _number(content["records"]),
        _violations(content["violations"]),
        None if any_value is None else _violations(any_value),
        float(content["expected_reidentifications"]),
    )


def _violations(content: Mapping[str, Any]) -> dict[int, int]:
    return {size: _number(content[str(size)]) for size in SIZES}


def _attribute_counts(content: Mapping[str, Any]) -> AttributeCounts:
    numbers = (_number(content[name]) for name in ("present", "changed", "suppressed"))
    return AttributeCounts(_text(content["name"]), *numbers)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a name is a text")
    return value


def _number(value: Any) -> int:
    if type(value) is not int:
        raise TypeError("a count is a whole number")
    return value
