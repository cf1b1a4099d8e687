"""Digests of a file's content: the same for the same values, whatever the file format and whatever their type.

The number 1, the number 1.0 and the category "1" are one value, as in two files of one survey in different formats;
so are 1, true and "true". The categories "7" and "007" are two.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sdckit.kernels.row_hashes import add_hashes, add_number_hashes
from sdckit.microdata import Attribute, Microdata, same_value

LANES = 2  # hashes of a row
ROWS_AT_ONCE = 1 << 14  # of all columns: their hashes stay in the processor's cache
COMPILED = 100_000  # rows from which on compiled code is faster, with the time to load it
CHUNK = 1 << 18  # rows that are sorted and then digested at a time: bounds the memory
MISSING = np.uint64(0x5851F42D4C957F2D)
TRUTH_VALUES = {"True": "1", "true": "1", "False": "0", "false": "0"}  # formats spell them differently


def content_digest(data: Microdata, *, ordered: bool) -> str:
    """A digest of names and values; with `ordered`, of the order of the rows too."""
    running = RunningDigest(len(data), [attribute.name for attribute in data.attributes])
    if ordered:
        for _, hashes in _hashed_blocks(data):
            running.add(hashes)
    else:
        lanes = row_hashes(data)
        order = np.lexsort(lanes.T)
        for start in range(0, len(lanes), CHUNK):
            running.add(lanes[order[start : start + CHUNK]])
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
    lanes = np.empty((len(data), LANES), dtype=np.uint64)
    for rows, hashes in _hashed_blocks(data):
        lanes[rows] = hashes
    return lanes


def _hashed_blocks(data: Microdata) -> Iterator[tuple[slice, NDArray[np.uint64]]]:
    """The hashes of some rows after the other."""
    columns = []
    for attribute in data.attributes:
        salt = [int.from_bytes(_hash(f"{lane}:{attribute.name}".encode()), "little") for lane in range(LANES)]
        columns.append((np.array(salt, dtype=np.uint64), _words(data, attribute)))
    compiled = len(data) >= COMPILED
    for start in range(0, len(data), ROWS_AT_ONCE):
        rows = slice(start, min(start + ROWS_AT_ONCE, len(data)))
        hashes = np.zeros((LANES, rows.stop - start), dtype=np.uint64)
        for salts, words in columns:
            if words.dtype == np.float64:
                add_number_hashes(words[rows], MISSING, salts, hashes, compiled=compiled)
            else:
                add_hashes(words[rows], salts, hashes, compiled=compiled)
        yield rows, hashes.T


def _words(data: Microdata, attribute: Attribute) -> NDArray[Any]:
    """A word for each value of a column; numbers as they are, for their bits are their words."""
    column = data.columns[attribute.name]
    if attribute.bands is not None:
        return _band_hashes(attribute, column)
    if attribute.categories is None:
        return column
    table = np.array([*(_category_hash(same_value(each)) for each in attribute.categories), MISSING], dtype=np.uint64)
    words: NDArray[np.uint64] = table[column]
    return words


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
