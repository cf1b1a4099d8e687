"""Receipt files: the receipt of a data subject on disk, readable by its owner alone."""

from collections.abc import Sequence
from pathlib import Path

from sdckit.errors import FileError
from sdckit.files import read
from sdckit.files.atomic import OWNER_ONLY, replacing
from sdckit.files.release_files import read_masked
from sdckit.formatting import printable
from sdckit.input_file import read_text
from sdckit.microdata import Kind, Microdata
from sdckit.receipt import Receipt
from sdckit.schema import Declared, Schema
from sdckit.subject_distance import OwnValue


def read_published(path: str | Path, own: Sequence[OwnValue]) -> Microdata:
    """The published file, its columns read as the subject's values are: categories as text, missing ones as missing."""
    there = {each.name for each in read(path, mixtures=True).attributes}
    declared = {
        each.name: Declared(Kind.UNORDERED if each.categorical else None, missing=each.missing)
        for each in own
        if each.name in there
    }
    return read_masked(path, Schema(declared))


def text_path(path: str | Path) -> Path:
    """Where the readable text of a receipt goes: beside it."""
    target = Path(path)
    if target.suffix.lower() != ".json":
        raise FileError(
            f"{target} is not a .json file; name one, such as receipt.json, and the text is written beside it"
        )
    return target.with_suffix(".txt")


def write_receipt(receipt: Receipt, path: str | Path, published: str, *, force: bool = False) -> tuple[Path, Path]:
    """Write a receipt as JSON and, beside it, as text; nobody but the owner of the files can read them."""
    texts = {Path(path): receipt.to_json(), text_path(path): printable(receipt.to_text(published))}
    for target, text in texts.items():
        with replacing(target, force=force, mode=OWNER_ONLY) as temporary:
            temporary.write_text(text, encoding="utf-8")
    return Path(path), text_path(path)


def read_receipt(path: str | Path) -> Receipt:
    """Read a receipt that `write_receipt` wrote."""
    return Receipt.from_json(read_text(path, "a receipt; give what `sdckit receipt --out` wrote"), str(path))
