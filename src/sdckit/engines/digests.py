"""Digests of files that do not fit into memory: the same as `content_digest` gives for the file in memory."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sdckit.digest import RunningDigest, row_hashes
from sdckit.engines.engine import Engine, Relation
from sdckit.engines.parts import Cut
from sdckit.engines.source import Source, source_of
from sdckit.files.release_files import masked_schema
from sdckit.frames.from_frame import from_frame
from sdckit.key import FileDigest
from sdckit.schema import Declared, Schema

BATCH = 200_000  # records hashed at a time
SIGN = np.uint64(1 << 63)  # flipped, unsigned numbers sort as signed ones


def digests_of(source: Source, engine: Engine, folder: Path, *, both: bool = True) -> FileDigest:
    """The digests of a file with and without the order of its rows; without `both`, the first is empty."""
    plain = Schema({name: Declared(missing=each.missing) for name, each in source.schema.attributes.items()})
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    names = source.columns()
    lanes = folder / "hashes.bin"
    records = 0
    with open(lanes, "wb") as out:
        for batch in source.batches(BATCH):
            hashes = row_hashes(from_frame(batch, plain))
            out.write(np.ascontiguousarray(hashes).tobytes())
            records += len(batch)
    cut = Cut(records, BATCH)
    ordered = _digest(records, names, (_hashes(lanes, cut, part) for part in range(len(cut)))) if both else ""
    unordered = _digest(records, names, _sorted(lanes, cut, engine))
    return FileDigest(records, ordered, unordered)


def masked_source(path: Path, schema: Schema | None) -> Source:
    """A masked file as it is read to be measured: with its own types, and what the schema says of missing values."""
    source = source_of(path, Schema(), mixtures=True)
    declared = masked_schema(schema or Schema(), source.columns())
    return source_of(path, declared, mixtures=True) if declared.attributes else source


def _digest(records: int, names: tuple[str, ...], lanes: Iterator[NDArray[np.uint64]]) -> str:
    running = RunningDigest(records, names)
    for each in lanes:
        running.add(each)
    return running.hexdigest()


def _hashes(lanes: Path, cut: Cut, part: int) -> NDArray[np.uint64]:
    """The hashes of a part; the file is read, as pages of a mapped one would count as memory of this process."""
    start, end = cut.span(part)
    return np.fromfile(lanes, np.uint64, 2 * (end - start), offset=16 * start).reshape(-1, 2)


def _sorted(lanes: Path, cut: Cut, engine: Engine) -> Iterator[NDArray[np.uint64]]:
    """The hashes sorted by their second number, then by their first."""

    def read(part: int) -> dict[str, NDArray[Any]]:
        rows = np.asfortranarray(_hashes(lanes, cut, part) ^ SIGN)
        return {"a": rows[:, 0].view(np.int64), "b": rows[:, 1].view(np.int64)}

    table = Relation(cut, read, {"a": pa.int64(), "b": pa.int64()})
    for batch in engine.query("SELECT a, b FROM t ORDER BY b, a", {"t": table}):
        pairs = np.column_stack([batch.column(0).to_numpy(), batch.column(1).to_numpy()])
        yield np.ascontiguousarray(pairs).view(np.uint64) ^ SIGN
