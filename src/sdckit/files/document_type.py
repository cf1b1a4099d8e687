"""Document types in XML: refused, since the entities that they declare may expand without end or name other files."""

import io
from typing import BinaryIO
from xml.parsers import expat

BLOCK = 1 << 16


class DeclaresDocumentType(Exception):
    """The document declares a document type."""


class _AtTheRoot(Exception):
    """The first element was reached, and no declaration comes after it."""


def refuse_document_type(source: BinaryIO | bytes) -> None:
    """Raise `DeclaresDocumentType` where a document type comes before the first element, in whatever encoding.

    The document itself is read by its own reader, which says what is wrong with it.
    """
    parser = expat.ParserCreate()
    parser.StartDoctypeDeclHandler = _refuse
    parser.StartElementHandler = _stop
    stream = io.BytesIO(source) if isinstance(source, bytes) else source
    try:
        while block := stream.read(BLOCK):
            parser.Parse(block)
    except (_AtTheRoot, expat.ExpatError, LookupError, ValueError):
        return


def _refuse(*_: object) -> None:
    raise DeclaresDocumentType


def _stop(*_: object) -> None:
    raise _AtTheRoot
