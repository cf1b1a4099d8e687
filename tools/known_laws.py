"""What an intruder can compute of each masking of the catalogue, which the reference pages and `sdckit show` print."""

from sdckit.catalogue import Entry, entries
from sdckit.evaluation.known_law import STORED, computed_laws, to_json


def known_laws() -> str:
    """The text of the file."""
    return to_json({entry.name: computed_laws(entry) for entry in own_maskings()})


def own_maskings() -> list[Entry]:
    """The maskings of this package, without those that other packages add."""
    return [entry for entry in entries("masking") if entry.component.__module__.startswith("sdckit.")]


if __name__ == "__main__":
    STORED.write_text(known_laws(), encoding="utf-8")
