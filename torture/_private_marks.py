"""The private things of a release, in every form in which a file may contain them, and the search for them."""

import base64
import getpass
import json
import re
import socket
import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sdckit.microdata import Microdata, Role, same_value
from torture._unpacked import unpacked

NUMBERS = tuple(re.compile(rb"\d+(?:" + mark + rb"\d+)?(?:e[+-]?\d+)?") for mark in (rb"\.", b","))
SHORTEST_NUMBER = 8  # characters: a number below occurs by accident
SHORTEST_NAME = 6  # a user or machine name below is an ordinary word as well


@dataclass(frozen=True)
class Marks:
    """What must not be found: pieces of bytes with what they are, and numbers written as text."""

    pieces: dict[bytes, str]
    numbers: dict[bytes, str]

    def found_in(self, content: bytes) -> Iterator[str]:
        """What of these is in a file, compressed or not, each once."""
        seen = set()
        for part in unpacked(content):
            for piece, meaning in self.pieces.items():
                if meaning not in seen and piece in part:
                    seen.add(meaning)
                    yield meaning
            written = {number for form in NUMBERS for number in form.findall(part)}
            for number in written & self.numbers.keys():
                if self.numbers[number] not in seen:
                    seen.add(self.numbers[number])
                    yield self.numbers[number]


def marks_of(original: Microdata, masked: Microdata, key: Path, folder: Path) -> Marks:
    """The private things of a release: identifiers, values that no longer occur, the key, and the machine."""
    pieces: dict[bytes, str] = {}
    numbers: dict[bytes, str] = {}
    for name in original.names(role=Role.IDENTIFIER):
        pieces |= _texts(name, f"the name of the dropped column {name}")
        for value in original.values(name).tolist():
            _add(value, f"an identifier ({name})", pieces, numbers)
    for each in original.attributes:
        if each.name not in masked:
            continue
        present = {same_value(value) for value in masked.values(each.name).tolist()}
        labels = dict(each.value_labels or {})
        gone = [value for value in set(original.values(each.name).tolist()) if same_value(value) not in present]
        for value in gone:
            if not any(str(value) in text for text in present):  # a group is named by its members
                _add(value, f"a value of {each.name} that no longer occurs", pieces, numbers)
            if value in labels:
                pieces |= _texts(labels[value], f"the label of a value of {each.name} that no longer occurs")
    pieces |= _of_key(json.loads(key.read_text(encoding="utf-8")))
    names = [str(folder), str(Path.home()), str(Path.cwd()), getpass.getuser(), socket.gethostname()]
    for text in (each for each in names if len(each) >= SHORTEST_NAME):
        pieces |= _texts(text, "a path or name of this machine")
    return Marks(pieces, numbers)


def _add(value: object, meaning: str, pieces: dict[bytes, str], numbers: dict[bytes, str]) -> None:
    if isinstance(value, str):
        pieces.update(_texts(value, meaning))
    elif isinstance(value, int | float) and len(f"{value:.15g}") >= SHORTEST_NUMBER:
        pieces.update({struct.pack(order, value): f"{meaning}, as a float" for order in ("<d", ">d")})
        for text in {repr(value), f"{value:.15g}", f"{value:.17g}"}:
            numbers[text.encode()] = meaning
            numbers[text.replace(".", ",").encode()] = meaning


def _texts(text: str, meaning: str) -> dict[bytes, str]:
    return {text.encode(encoding): meaning for encoding in ("utf-8", "utf-16-le", "utf-16-be")}


def _of_key(key: dict[str, object]) -> dict[bytes, str]:
    """The secret in every form, which row is whose, and the digests of the original."""
    found: dict[bytes, str] = {}
    secret = bytes.fromhex(str(key["secret"])) if key["secret"] else b""
    if secret:
        forms = [secret, secret.hex().encode(), secret.hex().upper().encode(), base64.b64encode(secret).rstrip(b"=")]
        found |= dict.fromkeys([*forms, str(int.from_bytes(secret, "big")).encode()], "the secret")
    rows, original = key["rows"], key["original"]
    assert isinstance(rows, dict) and isinstance(original, dict)
    if "origin" in rows:
        found |= dict.fromkeys([str(rows["origin"]).encode(), base64.b64decode(rows["origin"])], "which row is whose")
    for name in ("ordered", "unordered"):
        digest = str(original[name])
        found |= dict.fromkeys([digest.encode(), bytes.fromhex(digest)], "a digest of the original")
    return found


def scanned(paths: Iterable[Path], marks: Marks) -> Iterator[tuple[Path, str]]:
    """Each file with something private in it, and what."""
    for path in paths:
        yield from ((path, meaning) for meaning in marks.found_in(path.name.encode() + b"\n" + path.read_bytes()))
