"""Receipt: what a data subject can check about a published file with her own values alone.

It has her values, a digest of the published file, and the permutation distance between the two. It does not contain
which row is hers: all of it follows from her values and the published file, whatever the order of its rows. It is
private, as it contains her values.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sdckit.digest import content_digest
from sdckit.errors import FileError
from sdckit.formatting import figure, percent
from sdckit.microdata import Microdata
from sdckit.subject_distance import AttributeDistance, OwnValue, SubjectDistance, subject_distance

FORMAT = "sdckit-receipt"
VERSION = 1  # of the form: raised when an older reader would misread it
PRIVATE = "Private: this receipt contains the values of one person. It does not say which row is hers."
LIMITS = (
    "An attribute that was released unchanged does not protect you: where a single row has your exact value, the value "
    "points at that row. A nearest row need not be yours: the receipt does not say which row is. A large distance does "
    "not show that nobody can find you: an intruder who knows the method may exclude rows or weigh them. A distance of "
    "0 means that some row looks like you; then the number of such rows is what hides you."
)


@dataclass(frozen=True)
class Receipt:
    """The values of one subject, a published file, and the distance between the two.

    >>> import polars
    >>> file = Microdata.from_frame(polars.DataFrame({"age": [30, 41, 52, 64], "pay": [40, 10, 20, 30]}))
    >>> receipt = Receipt.of([OwnValue("age", 30.0, "30"), OwnValue("pay", 10.0, "10")], file)
    >>> receipt.found.distance, receipt.found.rows
    (1, 1)
    >>> receipt.differences(file)
    []
    """

    own: tuple[OwnValue, ...]
    digest: str
    found: SubjectDistance

    @classmethod
    def of(cls, own: Sequence[OwnValue], released: Microdata) -> "Receipt":
        """The receipt of a subject for a published file."""
        return cls(tuple(own), content_digest(released, ordered=False), subject_distance(own, released))

    def differences(self, released: Microdata) -> list[str]:
        """What a published file does not confirm; nothing where the receipt is true of it."""
        differences = []
        names = [each.name for each in self.own]
        absent = [name for name in names if name not in released]
        if absent:
            return [f"the published file has no column {absent[0]!r}"]
        if content_digest(released, ordered=False) != self.digest:
            same_length = len(released) == self.found.records
            why = (
                "its values differ" if same_length else f"it has {len(released):,} records, not {self.found.records:,}"
            )
            differences.append(f"the file is not the one that the receipt was written for: {why}")
        now = subject_distance(self.own, released)
        if now.distance != self.found.distance:
            differences.append(
                f"the nearest row is at a distance of {now.distance} ranks, and the receipt says {self.found.distance}"
            )
        elif now.rows != self.found.rows:
            differences.append(
                f"{now.rows} rows are at the distance of {now.distance} ranks, and the receipt says {self.found.rows}"
            )
        for attribute, other in zip(now.attributes, self.found.attributes, strict=True):
            if not _agree(attribute, other):
                differences.append(f"the figures of {attribute.name!r} differ from those in the receipt")
        return differences

    def to_json(self) -> str:
        """The text of a receipt file."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "note": PRIVATE,
            "own": [asdict(each) for each in self.own],
            "digest": self.digest,
            "found": self.found.to_dict(),
        }
        return json.dumps(content | {"checksum": _checksum(content)}, indent=1, ensure_ascii=False) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str = "the receipt") -> "Receipt":
        """The receipt in the text of a file; one that was cut short or changed is refused."""
        wrong = FileError(f"{where} is not a receipt; give what `sdckit receipt --out` wrote")
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            raise wrong from None
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise wrong
        if content.get("version") != VERSION:
            raise FileError(
                f"{where} is of version {content.get('version')}, and this sdckit reads {VERSION}; update it"
            )
        if content.pop("checksum", None) != _checksum(content):
            raise FileError(f"{where} was changed: its checksum does not agree; ask for another copy")
        try:
            return cls(
                tuple(OwnValue(**_with_tuples(each)) for each in content["own"]),
                content["digest"],
                _found_from_dict(content["found"]),
            )
        except (KeyError, TypeError):
            raise wrong from None

    def to_text(self, file: str) -> str:
        """The receipt for a person to read; `file` names the published file."""
        found = self.found
        nearest = f"{found.rows:,} of {found.records:,} released rows are" if found.rows != 1 else "One released row is"
        lines = [
            "RECEIPT OF A DATA SUBJECT",
            PRIVATE,
            "",
            f"Published file: {file}, {found.records:,} records, digest {self.digest}",
            "Your values (check that they are yours): " + ", ".join(f"{each.name} {each.text}" for each in self.own),
            "",
            f"Your permutation distance: {found.distance:,} ranks ({percent(found.share)} of the records).",
            f"{nearest} at this distance. Every other row is farther from your values in some attribute.",
            "",
        ]
        lines += [f"  {each.name}: {_in_words(each, found)}" for each in found.attributes]
        return "\n".join([*lines, "", LIMITS, f"To check it: sdckit receipt {file} --verify RECEIPT.json", ""])


def _in_words(each: AttributeDistance, found: SubjectDistance) -> str:
    exact = f"your exact value is in {each.exact_rows:,} row{'' if each.exact_rows == 1 else 's'}"
    if each.nearest_ranks is None:
        return f"{exact}; {each.rows:,} within the distance"
    first, last = each.nearest_ranks
    ranks = f"rank {first:,}" if first == last else f"ranks {first:,} to {last:,}"
    deviation = "" if each.standard_deviation is None else f", standard deviation {figure(each.standard_deviation)}"
    near = f"nearest released value at {ranks}"
    return f"{exact}; {near}; within {found.distance:,} ranks: {each.low} to {each.high}{deviation}"


def _agree(one: AttributeDistance, other: AttributeDistance) -> bool:
    """Whether two figures are the same, except for rounding of the standard deviation."""
    deviations = (one.standard_deviation, other.standard_deviation)
    if None in deviations or not math.isclose(deviations[0] or 0.0, deviations[1] or 0.0, rel_tol=1e-9, abs_tol=1e-12):
        return one == other
    return {**asdict(one), "standard_deviation": 0} == {**asdict(other), "standard_deviation": 0}


def _with_tuples(content: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in content.items()}


def _found_from_dict(content: Mapping[str, Any]) -> SubjectDistance:
    attributes = tuple(AttributeDistance(**_with_tuples(each)) for each in content["attributes"])
    return SubjectDistance(content["distance"], content["rows"], content["records"], attributes)


def _checksum(content: Mapping[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()
