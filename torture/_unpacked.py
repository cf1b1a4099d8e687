"""Everything that is in a file: its bytes, the members of an archive, and whatever in it is compressed or encoded."""

import base64
import binascii
import gzip
import io
import re
import zipfile
import zlib
from collections.abc import Iterator

DEPTH = 3
ZSTANDARD = b"\x28\xb5\x2f\xfd"
ZLIB = re.compile(rb"\x78[\x01\x5e\x9c\xda]")
GZIP = b"\x1f\x8b\x08"
BASE64 = re.compile(rb"[A-Za-z0-9+/]{40,}={0,2}")
HEXADECIMAL = re.compile(rb"(?:[0-9a-fA-F]{2}){16,}")


def unpacked(content: bytes, depth: int = DEPTH) -> Iterator[bytes]:
    """The content itself, then every part of it that can be decompressed or decoded."""
    yield content
    if depth:
        for part in _parts(content):
            yield from unpacked(part, depth - 1)


def _parts(content: bytes) -> Iterator[bytes]:
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            yield from (archive.read(name) for name in archive.namelist())
            return
    for at in _positions(content, ZSTANDARD):
        yield from _zstandard(content[at:])
    for found in ZLIB.finditer(content):
        try:
            yield zlib.decompressobj().decompress(content[found.start() :])
        except zlib.error:
            continue
    for at in _positions(content, GZIP):
        try:
            yield gzip.GzipFile(fileobj=io.BytesIO(content[at:])).read()
        except (OSError, EOFError, zlib.error):
            continue
    for found in BASE64.finditer(content):
        try:
            yield base64.b64decode(found.group() + b"===", validate=False)
        except binascii.Error:
            continue
    yield from (binascii.unhexlify(found.group()) for found in HEXADECIMAL.finditer(content))


def _positions(content: bytes, magic: bytes) -> Iterator[int]:
    at = content.find(magic)
    while at >= 0:
        yield at
        at = content.find(magic, at + 1)


def _zstandard(content: bytes) -> Iterator[bytes]:
    import pyarrow

    stream = pyarrow.CompressedInputStream(pyarrow.BufferReader(content), "zstd")
    read = b""
    try:
        while piece := stream.read(1 << 16):  # what follows the frame is not part of it and ends the reading
            read += piece
    except (OSError, pyarrow.ArrowException):
        pass
    if read:
        yield read
