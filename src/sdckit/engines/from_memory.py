"""A file in memory as a file in parts: for small files, and to compare an engine with memory."""

from pathlib import Path

from sdckit.engines.header import Header
from sdckit.engines.parts import Cut, WorkingFile
from sdckit.microdata import Microdata


def in_parts(data: Microdata, folder: Path, part_records: int, stage: str = "original") -> WorkingFile:
    """The file in parts of so many records under a folder."""
    missing = {each.name: data.missing(each.name) for each in data.attributes}
    header = Header.of(data.attributes, len(data), missing, data.edits, data.form)
    file = WorkingFile(folder, Cut(len(data), part_records), header, dict.fromkeys(missing, stage))
    for part in range(len(file.cut)):
        span = slice(*file.cut.span(part))
        file.write(stage, part, {name: column[span] for name, column in data.columns.items()})
    return file
