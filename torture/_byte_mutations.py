"""Mutations of bytes: flips, cuts, splices and numbers at their limits; of an archive, inside one of its members."""

import io
import re
import zipfile
from collections.abc import Callable

import numpy as np

NUMBERS = (b"0", b"-1", b"1e999", b"NaN", b"9223372036854775808", b"-0.0", b"1e-320", b"00012", b"1,5", b"inf")
PIECES = (b"\x00", b"\xff" * 8, b"\x1b[31m", b"\r", b'"', b"\n\n", b"=1+1", b"\xef\xbb\xbf", b"\xfe\xff", b"{{", b"%s")
Mutation = Callable[[bytes, np.random.Generator], bytes]


def mutated(content: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    """The content with one to four mutations; `other` is a file to splice with."""
    if content[:2] == b"PK" and rng.random() < 0.7:
        return _with_member_mutated(content, rng)
    for _ in range(int(rng.choice([1, 2, 4], p=[0.6, 0.25, 0.15]))):
        if rng.random() < 0.1:
            content = _spliced(content, other, rng)
        else:
            content = MUTATIONS[int(rng.integers(len(MUTATIONS)))](content, rng)
    return content


def _position(content: bytes, rng: np.random.Generator) -> int:
    """A position; one in three is in the first or the last 64 bytes, where formats keep what matters most."""
    if not content:
        return 0
    edge = min(len(content), 64)
    where = rng.random()
    if where < 1 / 6:
        return int(rng.integers(edge))
    if where < 1 / 3:
        return len(content) - 1 - int(rng.integers(edge))
    return int(rng.integers(len(content)))


def _flip_bit(content: bytes, rng: np.random.Generator) -> bytes:
    at = _position(content, rng)
    changed = bytearray(content)
    if changed:
        changed[at] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def _set_bytes(content: bytes, rng: np.random.Generator) -> bytes:
    at, size = _position(content, rng), int(rng.choice([1, 2, 4, 8]))
    value = [b"\x00", b"\xff", b"\x7f", b"\x80", rng.bytes(1)][int(rng.integers(5))]
    return content[:at] + (value * size)[: max(len(content) - at, 0)] + content[at + size :]


def _cut_short(content: bytes, rng: np.random.Generator) -> bytes:
    return content[: _position(content, rng)]


def _delete(content: bytes, rng: np.random.Generator) -> bytes:
    at = _position(content, rng)
    return content[:at] + content[at + int(rng.integers(1, 64)) :]


def _repeat(content: bytes, rng: np.random.Generator) -> bytes:
    at = _position(content, rng)
    return content[:at] + content[at : at + int(rng.integers(1, 200))] * int(rng.integers(2, 6)) + content[at:]


def _insert(content: bytes, rng: np.random.Generator) -> bytes:
    at = _position(content, rng)
    piece = PIECES[int(rng.integers(len(PIECES)))] if rng.integers(2) else rng.bytes(int(rng.integers(1, 16)))
    return content[:at] + piece + content[at:]


def _other_number(content: bytes, rng: np.random.Generator) -> bytes:
    numbers = list(re.finditer(rb"\d+(\.\d+)?", content))
    if not numbers:
        return _flip_bit(content, rng)
    found = numbers[int(rng.integers(len(numbers)))]
    return content[: found.start()] + NUMBERS[int(rng.integers(len(NUMBERS)))] + content[found.end() :]


def _spliced(content: bytes, other: bytes, rng: np.random.Generator) -> bytes:
    return content[: _position(content, rng)] + other[_position(other, rng) :]


def _with_member_mutated(content: bytes, rng: np.random.Generator) -> bytes:
    """An archive in which one member is mutated, or left out."""
    packed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as out:
        names = archive.namelist()
        chosen, left_out = names[int(rng.integers(len(names)))], rng.random() < 0.1
        for name in names:
            member = archive.read(name)
            if name != chosen:
                out.writestr(name, member)
            elif not left_out:
                out.writestr(name, MUTATIONS[int(rng.integers(len(MUTATIONS)))](member, rng))
    return packed.getvalue()


MUTATIONS: tuple[Mutation, ...] = (_flip_bit, _set_bytes, _cut_short, _delete, _repeat, _insert, _other_number)
