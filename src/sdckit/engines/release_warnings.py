"""Release warnings of a file in parts: what no measure examines, looked for in its first records."""

from sdckit.engines.pair import Pair
from sdckit.evaluation.publish import refuse_identifying as refuse_identifying_release
from sdckit.evaluation.release_warnings import GUESSABLE_SEED
from sdckit.evaluation.release_warnings import release_warnings as warnings_in_memory

RECORDS = 20_000  # enough to distinguish an identifier from a key, and a sorted file from one in a random order


def release_warnings(pair: Pair, *, guessable_seed: bool = False) -> list[str]:
    """One sentence for each thing that the figures do not show, as for a release in memory."""
    return [*([GUESSABLE_SEED] if guessable_seed else []), *warnings_in_memory(pair.slim(RECORDS))]


def refuse_identifying(pair: Pair) -> None:
    """Refuse a column that is published unmasked and looks like an identifier, where no schema says what it is."""
    refuse_identifying_release(pair.slim(RECORDS))
