"""The ending of a path, by which its format is known."""

from pathlib import Path


def ending_of(path: Path) -> str:
    """The last extension; of a compressed file the one before it too.

    >>> ending_of(Path("graph.v2.edges.gz")), ending_of(Path("survey.v2.csv"))
    ('.edges.gz', '.csv')
    """
    return "".join(path.suffixes[-2:]) if path.suffix.lower() == ".gz" else path.suffix
