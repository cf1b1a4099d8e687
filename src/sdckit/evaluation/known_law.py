"""Known law: what an intruder who knows a masking can compute of its release, tried out on a generated file.

Masking a file takes compiled kernels. What was computed for the maskings of the catalogue is therefore kept in
`known_laws.json`, which `make stubs` writes; for a masking that is not in it, the file is masked when it is asked for.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

from sdckit.catalogue import Entry
from sdckit.errors import MissingPackageError, SdcError
from sdckit.graph import Graph
from sdckit.graph_law import HasGraphLaw
from sdckit.masking import Masking
from sdckit.rows import Rows

STORED = Path(__file__).with_name("known_laws.json")
RECORDS = 200  # of the generated file
SHARE = 0.3  # of the records that are known, where some are
SEED = 1


class Known(Enum):
    """How much of the original file an intruder knows, who also knows the method and its parameters."""

    WHOLE_FILE = "whole file"
    SOME_RECORDS = "some records"
    SOME_ATTRIBUTES = "some attributes"


SUBJECTS = {
    Known.WHOLE_FILE: "An intruder who knows the whole file",
    Known.SOME_RECORDS: "An intruder who knows only some of the records",
    Known.SOME_ATTRIBUTES: "An intruder who knows all records but not all masked attributes",
}
UNCHANGED = "compares the values, which are released unchanged"
CLOSED = "computes the likelihood of every row from the published method and parameters"
REPLAYED = "applies the method again, gets the released values, and sees which rows can belong to each record"
LEARNED = "masks the file again several times and learns from this how values change"
LEARNED_FROM_PART = (
    "masks again a similar file, made from the known values and the release, and learns from this how values change"
)
BOUND = "expected found is then a limit for every attack with the same knowledge"
ESTIMATE = "expected found is then an estimate"


@dataclass(frozen=True)
class KnownLaw:
    """Where the release law of the masked attributes comes from, and whether it makes expected found a bound.

    >>> KnownLaw("whole file", "exact", True).sentence.partition("; ")[2]
    'expected found is then a limit for every attack with the same knowledge.'
    """

    known: str
    source: str
    expected_found_is_bound: bool

    @property
    def sentence(self) -> str:
        """The same in words."""
        known = Known(self.known)
        learned = LEARNED if known is Known.WHOLE_FILE else LEARNED_FROM_PART
        verbs = {"untouched": UNCHANGED, "exact": CLOSED, "replayed": REPLAYED, "learned": learned}
        conclusion = BOUND if self.expected_found_is_bound else ESTIMATE
        return f"{SUBJECTS[known]} {verbs[self.source]}; {conclusion}."


def known_laws(entry: Entry) -> tuple[KnownLaw, ...]:
    """What an intruder can compute of a masking's release; empty for a measure, and where no row is a record's."""
    if not issubclass(entry.component, Masking) or entry.component.rows is Rows.SYNTHESISED:
        return ()
    stored = _stored().get(entry.name) if entry.component.__module__.startswith("sdckit.") else None
    return computed_laws(entry) if stored is None else stored


def computed_laws(entry: Entry) -> tuple[KnownLaw, ...]:
    """The laws read off a generated file that is masked with the default parameters; empty where it is refused.

    Where the method needs a package that is not installed, they are those computed before.
    """
    if issubclass(entry.component, Masking) and entry.component.rows is Rows.SYNTHESISED:
        return ()
    if entry.domain is Graph:
        source = "exact" if isinstance(entry.build(), HasGraphLaw) else "learned"
        return (KnownLaw(Known.WHOLE_FILE.value, source, False),)
    try:
        return tuple(_computed(entry))
    except MissingPackageError:
        return _stored().get(entry.name, ())
    except SdcError:
        return ()


def to_json(laws: Mapping[str, tuple[KnownLaw, ...]]) -> str:
    """The text of the file with the laws of several maskings, by name."""
    content = {name: [asdict(each) for each in of_masking] for name, of_masking in sorted(laws.items())}
    return json.dumps(content, indent=1) + "\n"


def _computed(entry: Entry) -> Iterator[KnownLaw]:
    import numpy as np

    from sdckit.intruder import Intruder
    from sdckit.laws.informed import informed_law
    from sdckit.laws.release_law import Source
    from sdckit.release import protect
    from sdckit.testing.files import a_file, fitting

    assert issubclass(entry.component, Masking)
    masking: Masking = entry.build(**entry.component.example)
    data = a_file(RECORDS)
    release = protect(data, masking, fitting(data, masking.kinds), seed=SEED)
    masked = release.recipe.touched(release.masked)[0] if release.recipe and masking.rows is Rows.KEPT else ()
    intruders = {Known.WHOLE_FILE: Intruder(), Known.SOME_RECORDS: Intruder(records=SHARE)}
    if len(masked) > 1:
        intruders[Known.SOME_ATTRIBUTES] = Intruder(attributes=masked[1:])
    for known, intruder in intruders.items():
        view = intruder.view(release)
        law = informed_law(view, np.random.default_rng(SEED))
        # One step has one law, whatever its attributes.
        source, *_ = {law.sources[name] for name in masked if name in law.sources} or {Source.UNTOUCHED}
        yield KnownLaw(known.value, source.value, law.exact and len(view) == len(view.released))


@lru_cache(maxsize=1)
def _stored() -> dict[str, tuple[KnownLaw, ...]]:
    if not STORED.exists():
        return {}
    content = json.loads(STORED.read_text(encoding="utf-8"))
    return {name: tuple(KnownLaw(**each) for each in laws) for name, laws in content.items()}
