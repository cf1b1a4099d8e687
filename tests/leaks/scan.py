"""All text that a written file contains, however the format packs it."""

import base64
import zipfile
from pathlib import Path


def content_of(path: Path) -> str:
    """The bytes of a file as text; archives, compressed pages, dictionaries and metadata are unpacked."""
    parts = [path.read_bytes()]
    if path.suffix == ".xlsx":
        with zipfile.ZipFile(path) as archive:
            parts += [name.encode() + archive.read(name) for name in archive.namelist()]
    if path.suffix == ".parquet":
        parts += _parquet(path)
    if path.suffix == ".zsav":
        import pyreadstat

        frame, about = pyreadstat.read_sav(path, user_missing=True)
        parts += [str(frame.to_dict()).encode(), str(vars(about)).encode()]
    return "\n".join(
        part.decode("utf-8", errors="replace") + part.decode("utf-16-le", errors="replace") for part in parts
    )


def _parquet(path: Path) -> list[bytes]:
    """Key-value metadata, the Arrow schema in it, column statistics, and dictionaries as they are stored."""
    import pyarrow.parquet as pq

    file = pq.ParquetFile(path)
    metadata = file.metadata.metadata or {}
    table = pq.read_table(path, read_dictionary=file.schema_arrow.names)
    dictionaries = [
        str(chunk.dictionary.to_pylist())
        for column in table.columns
        for chunk in column.chunks
        if hasattr(chunk, "dictionary")
    ]
    groups = [str(file.metadata.row_group(number).to_dict()) for number in range(file.metadata.num_row_groups)]
    packed = metadata.get(b"ARROW:schema")
    texts = [str(metadata), str(file.schema_arrow.metadata), str(file.schema_arrow), *dictionaries, *groups]
    return [text.encode() for text in texts] + ([base64.b64decode(packed)] if packed else [])
