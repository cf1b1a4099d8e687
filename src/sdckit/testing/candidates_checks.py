"""What every masking owes an honest attacker: what its `candidates` exclude is never the truth."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.catalogue import Entry, entries, find
from sdckit.errors import SdcError
from sdckit.masking import Masking
from sdckit.microdata import Role
from sdckit.recipe import Recipe, Step
from sdckit.release import Release, protect
from sdckit.testing.files import fitting, odd_files, ordinary
from sdckit.testing.masking_checks import SEED, attempts, releases

PARTNERS = ("rank-swapping", "additive-noise", "mdav")  # what the chains of two are made with


@dataclass(frozen=True)
class Admitted:
    """Which released rows each known record can be, and whether that is certain."""

    certain: bool
    rows: NDArray[np.bool_]


def admitted(release: Release, names: Sequence[str], *, complete: bool = True) -> Admitted:
    """What an intruder who knows these attributes of all records cannot exclude."""
    recipe = release.recipe
    assert recipe is not None
    told = recipe.candidates(Candidates.known(release.original, names, complete=complete), release.masked)
    shape = (len(release.original), len(release.masked))
    if told is None:
        return Admitted(True, np.ones(shape, dtype=bool))
    records, rows = np.indices(shape).reshape(2, -1)
    return Admitted(told.certain, told.admits_pairs(release.masked, records, rows).reshape(shape))


def keys_of(release: Release) -> tuple[str, ...]:
    """The keys that both files have."""
    return tuple(name for name in release.original.names(role=Role.KEY) if name in release.masked)


def assert_the_truth_is_admitted(told: str, release: Release, names: Sequence[str], *, complete: bool) -> None:
    found = admitted(release, names, complete=complete)
    rows = release.true_rows(np.arange(len(release.original)))
    lost = [record for record, row in enumerate(rows) if row >= 0 and not found.rows[record, row]]
    assert not (found.certain and lost), (
        f"{len(lost)} records are excluded from their own rows, though the candidates are called certain, on {told} "
        f"where {', '.join(names)} are known"
    )


def the_truth_is_never_excluded(entry: Entry) -> None:
    for told, release in releases(entry):
        keys = keys_of(release)
        for complete in (True, False):
            assert_the_truth_is_admitted(told, release, keys, complete=complete)
        for name in keys[:3]:
            assert_the_truth_is_admitted(told, release, (name,), complete=False)


def the_truth_is_never_excluded_after_a_chain(entry: Entry) -> None:
    for told, release in chains(entry):
        assert_the_truth_is_admitted(told, release, keys_of(release), complete=True)


def chains(entry: Entry) -> Iterator[tuple[str, Release]]:
    """The masking before and after another one, on the same attributes and on others."""
    masking = entry.build()
    assert isinstance(masking, Masking)
    known = {each.name for each in entries("masking")}
    partners = [find("masking", name).build() for name in PARTNERS if name in known]
    for data, partner in product((ordinary(), odd_files()["ties and missing values"]), partners):
        names = fitting(data, masking.kinds)
        for mine, theirs in product((names, names[:1]), (fitting(data, partner.kinds), ("rent",))):
            for steps in permutations((Step(masking, mine), Step(partner, theirs))):
                with suppress(SdcError):
                    yield f"{Recipe(steps)} on {mine} and {theirs}", protect(data, Recipe(steps), seed=SEED)


def who_knows_more_never_holds_more_rows_possible(entry: Entry) -> None:
    for told, release in releases(entry):
        keys = keys_of(release)
        for known in range(1, len(keys)):
            less, more = admitted(release, keys[:known]), admitted(release, keys[: known + 1])
            if less.certain and more.certain:
                assert not (more.rows & ~less.rows).any(), f"knowing {keys[known]!r} too adds rows on {told}"


def likely_candidates_are_better_than_chance(entry: Entry) -> None:
    release = attempts(entry)[0].release
    assert release is not None, "it refuses an ordinary file"
    found = admitted(release, keys_of(release))
    if not found.certain:
        rows = release.true_rows(np.arange(len(release.original)))
        hits = found.rows[np.flatnonzero(rows >= 0), rows[rows >= 0]].mean()
        assert hits > found.rows.mean(), f"the truth is among them for {hits:.0%}, by chance {found.rows.mean():.0%}"


def candidates_of_a_step_that_is_not_seen_are_told_or_none(entry: Entry) -> None:
    first = attempts(entry)[0]
    known = Candidates.known(first.data, first.names)
    told = first.masking.candidates(known, None)
    assert told is None or told.records == len(first.data), "they are of another number of records"


CHECKS = (
    the_truth_is_never_excluded,
    the_truth_is_never_excluded_after_a_chain,
    who_knows_more_never_holds_more_rows_possible,
    likely_candidates_are_better_than_chance,
    candidates_of_a_step_that_is_not_seen_are_told_or_none,
)
