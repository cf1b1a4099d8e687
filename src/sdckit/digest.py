"""Digests of a file's content: the same for the same values, whatever the file format and whatever their type.

The number 1, the number 1.0 and the category "1" are one value, as in two files of one survey in different formats;
so are 1, true and "true". The categories "7" and "007" are two.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.row_hashes import add_hashes
from sdckit.microdata import Attribute, Microdata, same_value

LANES = 2  # hashes of a row
MISSING = np.uint64(0x5851F42D4C957F2D)
TRUTH_VALUES = {"True": "1", "true": "1", "False": "0", "false": "0"}  # formats spell them differently


def content_digest(data: Microdata, *, ordered: bool) -> str:
    """A digest of names and values; with `ordered`, of the order of the rows too."""
    lanes = row_hashes(data)
    running = RunningDigest(len(data), [attribute.name for attribute in data.attributes])
    running.add(lanes if ordered else lanes[np.lexsort(lanes.T)])
    return running.hexdigest(data.structure(ordered=ordered))


class RunningDigest:
    """The digest of a file whose rows are hashed part by part, in their order or sorted by their hashes."""

    def __init__(self, records: int, names: Sequence[str]) -> None:
        self._hash = hashlib.blake2b(json.dumps([records, *sorted(names)]).encode(), digest_size=16)

    def add(self, lanes: NDArray[np.uint64]) -> None:
        """Add the hashes of the next rows."""
        self._hash.update(np.ascontiguousarray(lanes).tobytes())

    def hexdigest(self, structure: bytes = b"") -> str:
        """The digest of all rows added, and of the structure that relates them."""
        whole = self._hash.copy()
        whole.update(structure)
        return whole.hexdigest()


def row_hashes(data: Microdata) -> NDArray[np.uint64]:
    """Two 64-bit hashes of each row; the order of the columns does not matter."""
    lanes = np.zeros((len(data), LANES), dtype=np.uint64)
    for attribute in data.attributes:
        salts = [int.from_bytes(_hash(f"{lane}:{attribute.name}".encode()), "little") for lane in range(LANES)]
        add_hashes(_value_hashes(data, attribute), np.array(salts, dtype=np.uint64), lanes)
    return lanes


def _value_hashes(data: Microdata, attribute: Attribute) -> NDArray[np.uint64]:
    column = data.columns[attribute.name]
    if attribute.bands is not None:
        return _band_hashes(attribute, column)
    if attribute.categories is None:
        return np.where(np.isnan(column), MISSING, (column + 0.0).view(np.uint64))  # + 0.0: −0 is 0
    table = np.array([*(_category_hash(same_value(each)) for each in attribute.categories), MISSING], dtype=np.uint64)
    hashes: NDArray[np.uint64] = table[column]
    return hashes


def _band_hashes(attribute: Attribute, column: NDArray[Any]) -> NDArray[np.uint64]:
    """Those of the texts that are published, so that a recoded column is the same when it is read again."""
    assert attribute.bands is not None
    values, index = np.unique(column, return_inverse=True)
    hashes = []
    for each in values.tolist():
        absent = each < 0 if attribute.categories is not None else np.isnan(each)
        plain = each if attribute.categories is None or absent else attribute.categories[int(each)]
        hashes.append(MISSING if absent else _category_hash(attribute.bands.text(each) or same_value(plain)))
    found: NDArray[np.uint64] = np.array(hashes, dtype=np.uint64)[index]
    return found


def _category_hash(text: str) -> np.uint64:
    """That of the number where the text is how this number is written, else that of the text."""
    text = TRUTH_VALUES.get(text, text)
    try:
        number = float(text)
    except ValueError:
        number = np.nan
    if np.isfinite(number) and same_value(number) == text:
        return np.float64(number + 0.0).view(np.uint64)
    return np.uint64(int.from_bytes(_hash(text.encode()), "little"))


def _hash(text: bytes) -> bytes:
    return hashlib.blake2b(text, digest_size=8).digest()
