"""Key: what the data protector keeps of a release and never publishes.

It has which row belongs to which record, digests of the two files that this is true of, the secret that the draws of
the masking came from, a profile of the original, with which the next file of a series is compared, and the counts
after each step of the masking. With it a shuffled or sampled file is measured as the file in order would be.
"""

import base64
import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.counts import ReleaseCounts
from sdckit.digest import content_digest
from sdckit.draws import Secret
from sdckit.errors import FileError, SchemaError
from sdckit.microdata import Microdata
from sdckit.profile import Profile
from sdckit.recipe import Recipe
from sdckit.release import Release
from sdckit.rows import Matched, Sampled, Unrelated, correspondence, origin_of

FORMAT = "sdckit-key"
VERSION = 1  # of the form: raised when an older reader would misread it
PRIVATE = "Keep this file private: with it, the rows of the release can be traced back to the records."


@dataclass(frozen=True)
class FileDigest:
    """The number of rows of a file, and digests of its content with and without their order."""

    records: int
    ordered: str
    unordered: str

    @classmethod
    def of(cls, data: Microdata) -> "FileDigest":
        """The digests of a file."""
        return cls(len(data), content_digest(data, ordered=True), content_digest(data, ordered=False))

    def same_rows(self, other: "FileDigest") -> bool:
        """Whether both files have the same rows, in any order."""
        return self.unordered == other.unordered


@dataclass(frozen=True, eq=False)
class Key:
    """The private key of a release.

    `original`, `masked`   digests of the two files
    `rows`                 which row belongs to which record
    `secret`               what the draws of the masking came from, where it was drawn here
    `guessable`            whether the draws came from a short seed, which can be found by trying
    `profile`              the columns, categories and ranges of the original, for the next file of a series
    `counts`               the counts after each step of the masking, where they were made

    >>> from sdckit import protect, datasets
    >>> release = protect(datasets.simulate_survey(50, seed=1), "mdav")
    >>> key = Key.of(release)
    >>> bool((key.release(release.original, release.masked).origin == release.origin).all())
    True
    """

    original: FileDigest
    masked: FileDigest
    rows: Matched | Sampled | Unrelated = field(repr=False)
    secret: bytes | None = field(default=None, repr=False)
    guessable: bool = False
    profile: Profile | None = field(default=None, repr=False)
    counts: ReleaseCounts | None = field(default=None, repr=False)

    @classmethod
    def of(cls, release: Release) -> "Key":
        """The key of a release whose rows are known.

        A file format may round values: where the masked file is written, make the key of the file as it is read again.
        """
        if not isinstance(release.rows, Unrelated):
            origin_of(release.rows)  # an error where the rows are not known
        assert isinstance(release.rows, Matched | Sampled | Unrelated)
        secret = release.secret
        return cls(
            FileDigest.of(release.original),
            FileDigest.of(release.masked),
            release.rows,
            secret.value if secret is not None and secret.value else None,
            secret is not None and secret.guessable,
            Profile.of(release.original) if type(release.original) is Microdata else None,
            release.counts,
        )

    def release(self, original: Any, masked: Any, recipe: Recipe | None = None) -> Release:
        """The release of the two files that the key was made of; other files are refused."""
        unlinked = Release(original, masked, recipe, Unrelated())
        self.check_files(FileDigest.of(unlinked.original), FileDigest.of(unlinked.masked))
        known = self.secret is not None or self.guessable
        secret = Secret(self.secret or b"", self.guessable) if known else None
        return replace(unlinked, rows=self.rows, secret=secret, counts=self.counts)

    def check_files(self, original: FileDigest, masked: FileDigest) -> None:
        """Refuse other files than those that the key was made of, and say how they differ."""
        if original == self.original and masked == self.masked:
            return
        if original.same_rows(self.masked) and masked.same_rows(self.original):
            raise SchemaError(
                "the original and the masked file are exchanged, as the key shows; name the original first"
            )
        if not original.same_rows(self.original) and not masked.same_rows(self.masked):
            raise SchemaError(
                "the key belongs to neither of the two files; give the key that was written with this file"
            )
        if masked != self.masked:
            raise SchemaError(_difference("masked file", masked, self.masked))
        raise SchemaError(_difference("original", original, self.original))

    def to_json(self) -> str:
        """The text of a key file."""
        content = {
            "format": FORMAT,
            "version": VERSION,
            "note": PRIVATE,
            "original": asdict(self.original),
            "masked": asdict(self.masked),
            "rows": _rows_to_dict(self.rows),
            "secret": None if self.secret is None else self.secret.hex(),
            "guessable": self.guessable,
            "profile": None if self.profile is None else self.profile.to_dict(),
            "counts": None if self.counts is None else self.counts.to_dict(),
        }
        return json.dumps(content | {"checksum": _checksum(content)}, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, where: str = "the key") -> "Key":
        """The key in the text of a key file; one that was cut short or changed is refused."""
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            raise FileError(f"{where} is not a key file; give what `sdckit protect --key-out` wrote") from None
        if not isinstance(content, dict) or content.get("format") != FORMAT:
            raise FileError(f"{where} is not a key file; give what `sdckit protect --key-out` wrote")
        if content.get("version") != VERSION:
            raise FileError(
                f"{where} is of version {content.get('version')}, and this sdckit reads {VERSION}; update it"
            )
        if content.pop("checksum", None) != _checksum(content):
            raise FileError(f"{where} is damaged: its checksum does not agree; restore it from a copy")
        try:
            original, masked = _digest_from_dict(content["original"]), _digest_from_dict(content["masked"])
            rows = _rows_from_dict(content["rows"], original.records)
            secret = None if content["secret"] is None else bytes.fromhex(content["secret"])
            profile = None if content.get("profile") is None else Profile.from_dict(content["profile"])
            counts = None if content.get("counts") is None else ReleaseCounts.from_dict(content["counts"])
            return cls(original, masked, rows, secret, content["guessable"] is True, profile, counts)
        except (AttributeError, KeyError, TypeError, ValueError, OverflowError, zlib.error):
            raise FileError(f"{where} is not a key file; give what `sdckit protect --key-out` wrote") from None


def _difference(title: str, file: FileDigest, expected: FileDigest) -> str:
    """How a file differs from the one that the key describes, and the cure."""
    if file.same_rows(expected):
        return (
            f"the rows of the {title} were put in another order after the key was written; give the {title} in the "
            "order that it had then"
        )
    if file.records != expected.records:
        return (
            f"the {title} has {file.records:,} rows, and the key describes one of {expected.records:,}: rows were "
            f"left out or added, or it is another file; give the {title} that the key was written with"
        )
    read_alike = " under the schema of that time" if title == "original" else ""
    return (
        f"the {title} is not the one that the key describes: a value was changed since, or it is another file; give "
        f"the {title} that the key was written with{read_alike}"
    )


def _digest_from_dict(content: Mapping[str, Any]) -> FileDigest:
    digest = FileDigest(**content)
    if type(digest.records) is not int or not isinstance(digest.ordered, str) or not isinstance(digest.unordered, str):
        raise TypeError("a digest has a number of records and two texts")
    return digest


def _rows_to_dict(rows: Matched | Sampled | Unrelated) -> dict[str, Any]:
    if isinstance(rows, Unrelated):
        return {"kind": "unrelated"}
    packed = base64.b64encode(zlib.compress(rows.origin.astype("<i8").tobytes())).decode()
    return {"kind": "matched" if isinstance(rows, Matched) else "sampled", "origin": packed}


def _rows_from_dict(content: Mapping[str, str], records: int) -> Matched | Sampled | Unrelated:
    if content["kind"] == "unrelated":
        return Unrelated()
    origin: NDArray[np.int64] = np.frombuffer(zlib.decompress(base64.b64decode(content["origin"])), dtype="<i8")
    return correspondence(origin, records)


def _checksum(content: Mapping[str, Any]) -> str:
    return hashlib.blake2b(json.dumps(content, sort_keys=True).encode(), digest_size=16).hexdigest()
