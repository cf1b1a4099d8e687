"""Write the public reference files as CSV into a folder: `python -m tools.reference_files FOLDER`.

The files are downloaded once, verified by their checksums and cached; the tests find them through SDCKIT_DATA.
"""

import sys
from pathlib import Path

from sdckit.datasets.reference import SHA256, fetch, table_of


def main(folder: str) -> None:
    """Write every file that the folder does not have."""
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    for name in SHA256:
        path = target / f"{name}.csv"
        if not path.exists():
            table_of(fetch(name), name).write_csv(path)
            print(path)


if __name__ == "__main__":
    main(sys.argv[1])
