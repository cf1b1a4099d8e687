"""Pseudonyms: identifiers replaced by keyed codes, which only the key turns back.

A reversible pseudonym is the identifier enciphered by a Feistel network of four rounds whose round function is
HMAC-SHA-256 (Luby and Rackoff 1988): equal identifiers get equal pseudonyms under one key, and nobody without the key
can compute or undo them. A one-way pseudonym is the HMAC itself: with the key it can be computed again from an
identifier, and nothing turns it back. Whoever has pseudonyms and key has the identifiers: keep them apart.
"""

import base64
import hashlib
import hmac
import os
from collections.abc import Iterable
from dataclasses import dataclass, field

from sdckit.errors import FileError, ParameterError, private

FORMAT = "sdckit-pseudonym-key"
KEY_BYTES = 32
BLOCK = 16  # bytes: identifiers are padded to a multiple, which hides their exact length
CHECK = 4  # bytes that show whether a pseudonym was made with this key
ROUNDS = 4


@dataclass(frozen=True)
class PseudonymKey:
    """The secret that pseudonyms are made with.

    >>> key = PseudonymKey(bytes(32))
    >>> key.identifier(key.pseudonym("Ada Lovelace", "name"), "name")
    'Ada Lovelace'
    >>> key.pseudonym("Ada Lovelace", "name") == PseudonymKey(bytes([1] * 32)).pseudonym("Ada Lovelace", "name")
    False
    """

    secret: bytes = field(repr=False)

    def __post_init__(self) -> None:
        if len(self.secret) != KEY_BYTES:
            raise ParameterError(f"a pseudonym key has {KEY_BYTES} bytes and this one has {len(self.secret)}")

    @classmethod
    def drawn(cls) -> "PseudonymKey":
        """A new key from the operating system's entropy."""
        return cls(os.urandom(KEY_BYTES))

    def to_text(self) -> str:
        """The text of a key file."""
        note = "# Keep this file private and apart from the pseudonyms: it turns them back."
        return f"{FORMAT} 1\n{note}\n{self.secret.hex()}\n"

    @classmethod
    def from_text(cls, text: str, where: str = "the key") -> "PseudonymKey":
        """The key in the text of a key file."""
        lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
        try:
            title, secret = lines
            if title != f"{FORMAT} 1":
                raise ValueError(title)
            return cls(bytes.fromhex(secret))
        except (ValueError, ParameterError):
            raise FileError(
                f"{where} is not a pseudonym key; give what `sdckit pseudonymise --key-out` wrote"
            ) from None

    def pseudonym(self, identifier: str, domain: str) -> str:
        """The reversible pseudonym of an identifier; the domain, as a rule the column, keeps columns apart."""
        key = self._key(domain)
        text = identifier.encode()
        content = hmac.digest(key, b"check" + text, hashlib.sha256)[:CHECK] + text + b"\x80"
        content += bytes(-len(content) % BLOCK)
        return _to_code(_feistel(content, key, range(ROUNDS)))

    def identifier(self, pseudonym: str, domain: str) -> str:
        """The identifier behind a reversible pseudonym; an error where it was made with another key or domain."""
        key = self._key(domain)
        try:
            content = _feistel(_from_code(pseudonym), key, range(ROUNDS)[::-1]).rstrip(b"\x00")
            check, text = content[:CHECK], content[CHECK:-1]
            if content[-1:] != b"\x80" or check != hmac.digest(key, b"check" + text, hashlib.sha256)[:CHECK]:
                raise ValueError("another key")
            return text.decode()
        except ValueError:
            raise ParameterError(
                f"{private(pseudonym)} was not made with this key for the column {domain!r}: give the key and the "
                "column that it was made with; a one-way pseudonym cannot be turned back"
            ) from None

    def one_way(self, identifier: str, domain: str) -> str:
        """A pseudonym of 128 bits that nothing turns back."""
        return _to_code(hmac.digest(self._key(domain), b"one-way" + identifier.encode(), hashlib.sha256)[:16])

    def _key(self, domain: str) -> bytes:
        return hmac.digest(self.secret, b"domain" + domain.encode(), hashlib.sha256)


def distinct_pseudonyms(key: PseudonymKey, identifiers: Iterable[str], domain: str, *, one_way: bool) -> dict[str, str]:
    """The pseudonym of each distinct identifier."""
    made = key.one_way if one_way else key.pseudonym
    return {each: made(each, domain) for each in dict.fromkeys(identifiers)}


def _feistel(content: bytes, key: bytes, rounds: Iterable[int]) -> bytes:
    """Exchange and mix the halves: each round replaces one half by its sum with a keyed function of the other."""
    if not content or len(content) % BLOCK:
        raise ValueError("not a whole number of blocks")
    half = len(content) // 2
    parts = [content[:half], content[half:]]
    for number in rounds:
        changed, other = number % 2, 1 - number % 2
        mask = _stream(key, bytes([number]) + parts[other], half)
        parts[changed] = bytes(a ^ b for a, b in zip(parts[changed], mask, strict=True))
    return parts[0] + parts[1]


def _stream(key: bytes, label: bytes, length: int) -> bytes:
    blocks = (hmac.digest(key, bytes([at]) + label, hashlib.sha256) for at in range((length + 31) // 32))
    return b"".join(blocks)[:length]


def _to_code(content: bytes) -> str:
    return base64.b32encode(content).decode().rstrip("=").lower()


def _from_code(code: str) -> bytes:
    return base64.b32decode(code.upper() + "=" * (-len(code) % 8))
