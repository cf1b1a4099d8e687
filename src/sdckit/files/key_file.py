"""Key files: a private key on disk, readable by its owner alone."""

import os
from pathlib import Path

from sdckit.errors import FileError
from sdckit.files.atomic import OWNER_ONLY, replacing
from sdckit.input_file import read_text
from sdckit.key import Key


def write_key(key: Key, path: str | Path, *, force: bool = False) -> Path:
    """Write a key; an existing file is kept unless `force`, as a key that is lost cannot be made again."""
    with replacing(path, force=force, mode=OWNER_ONLY) as temporary:
        temporary.write_text(key.to_json(), encoding="utf-8")
    return Path(path)


def read_key(path: str | Path) -> Key:
    """Read a key that `write_key` wrote."""
    if not os.path.lexists(path):
        raise FileError(
            f"there is no key file {path}; without the key, match the rows on a column (--match-on), or mask the file "
            "anew and keep its key"
        )
    return Key.from_json(read_text(path, "a key file; give what `sdckit protect --key-out` wrote"), str(path))
