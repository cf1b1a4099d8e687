"""What every masking owes an honest attacker: its `candidates` never exclude the truth, and exclude what they can."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise, permutations, product

import numpy as np
from numpy.typing import NDArray

from sdckit.candidates import Candidates
from sdckit.catalogue import Entry, entries, find
from sdckit.errors import SdcError
from sdckit.masking import Masking
from sdckit.microdata import Microdata, Role
from sdckit.recipe import Recipe, Step
from sdckit.release import Release, protect
from sdckit.row_sets import RowSets
from sdckit.testing.files import fitting, full_precision, odd_files, ordinary
from sdckit.testing.masking_checks import SEED, attempt, attempts, releases
from sdckit.testing.masking_declarations import is_published_in_full

PARTNERS = ("rank-swapping", "additive-noise", "mdav")  # what the chains of two are made with
REPEATS = 20  # maskings that show how far values move
TOO_WIDE = 10  # times the interval that values moved in


@dataclass(frozen=True)
class Admitted:
    """Which released rows each known record can be, and whether that is certain."""

    certain: bool
    rows: RowSets


def admitted(release: Release, names: Sequence[str], *, complete: bool = True) -> Admitted:
    """What an intruder who knows these attributes of all records cannot exclude."""
    recipe = release.recipe
    assert recipe is not None
    possible = recipe.candidates(Candidates.known(release.original, names, complete=complete), release.masked)
    if possible is None:
        return Admitted(True, RowSets.everything(len(release.original), len(release.masked)))
    return Admitted(possible.certain, RowSets.of_candidates(possible, release.masked))


def keys_of(release: Release) -> tuple[str, ...]:
    """The keys that both files have."""
    return tuple(name for name in release.original.names(role=Role.KEY) if name in release.masked)


def corresponding(entry: Entry) -> Iterator[tuple[str, Release]]:
    """The releases whose rows belong to records: a synthesised file has no truth to exclude."""
    return ((description, release) for description, release in releases(entry) if release.corresponds)


def assert_the_truth_is_admitted(description: str, release: Release, names: Sequence[str], *, complete: bool) -> None:
    found = admitted(release, names, complete=complete)
    rows = release.true_rows(np.arange(len(release.original)))
    lost = int(((rows >= 0) & ~found.rows.contains(rows)).sum())
    assert not (found.certain and lost), (
        f"{lost} records are excluded from their own rows, though the candidates are called certain, on "
        f"{description} where {', '.join(names)} are known"
    )


def the_truth_is_never_excluded(entry: Entry) -> None:
    for description, release in corresponding(entry):
        keys = keys_of(release)
        for complete in (True, False):
            assert_the_truth_is_admitted(description, release, keys, complete=complete)
        for name in keys[:3]:
            assert_the_truth_is_admitted(description, release, (name,), complete=False)


def the_truth_is_never_excluded_after_a_chain(entry: Entry) -> None:
    for description, release in chains(entry):
        if not release.corresponds:
            continue
        assert_the_truth_is_admitted(description, release, keys_of(release), complete=True)


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


def an_intruder_who_knows_more_has_no_more_candidates(entry: Entry) -> None:
    for description, release in releases(entry):
        keys = keys_of(release)
        by_number = [admitted(release, keys[:known]) for known in range(1, len(keys) + 1)]
        for known, (less, more) in enumerate(pairwise(by_number), start=1):
            if less.certain and more.certain:
                added = more.rows.sizes.sum() - more.rows.intersect(less.rows).sizes.sum()
                assert not added, f"knowing {keys[known]!r} too adds rows on {description}"


def likely_candidates_are_better_than_a_random_pick(entry: Entry) -> None:
    release = attempts(entry)[0].release
    assert release is not None, "it refuses an ordinary file"
    if not release.corresponds:
        return
    found = admitted(release, keys_of(release))
    if not found.certain:
        rows = release.true_rows(np.arange(len(release.original)))
        hits = found.rows.contains(rows)[rows >= 0].mean()
        at_random = found.rows.sizes.mean() / found.rows.row_count
        assert hits > at_random, f"the truth is among them for {hits:.0%}, at random {at_random:.0%}"


def candidates_of_a_hidden_step_are_given_or_none(entry: Entry) -> None:
    first = attempts(entry)[0]
    known = Candidates.known(first.data, first.names)
    possible = first.masking.candidates(known, None)
    assert possible is None or possible.records == len(first.data), "they are of another number of records"


def floating_point_does_not_exclude_the_truth(entry: Entry) -> None:
    data = full_precision()
    kinds = attempts(entry)[0].masking.kinds
    for names in (fitting(data, kinds), *((name,) for name in fitting(data, kinds))):
        release = attempt(entry, "values of full precision", data, names).release if names else None
        recipe = None if release is None else release.recipe
        if release is None or recipe is None or not release.corresponds:
            continue
        rows = release.true_rows(np.arange(len(data)))
        records = np.flatnonzero(rows >= 0)
        for complete in (True, False):
            possible = recipe.candidates(Candidates.known(data, names, complete=complete), release.masked)
            if possible is None or not possible.certain:
                continue
            lost = int((~possible.admits_pairs(release.masked, records, rows[records])).sum())
            assert not lost, f"{lost} of {len(data)} records are excluded from their own rows on {', '.join(names)}"


def candidates_are_not_far_too_wide(entry: Entry) -> None:
    first = attempts(entry)[0]
    names = tuple(
        name
        for name in (*first.names, "savings")
        if first.data.attribute(name).kind & first.masking.kinds and is_published_in_full(first.data, name)
    )
    tried = [attempt(entry, "an ordinary file", first.data, names)] if names else []
    release = tried[0].release if tried else None
    if release is None or release.recipe is None or not release.corresponds:
        return
    if len(release.masked) != len(first.data):
        return
    known = Candidates.known(first.data, names, complete=True)
    possible = release.recipe.candidates(known, release.masked)
    if possible is None:
        return
    moved = moves(first.data, first.masking, names)
    for index, name in enumerate(names):
        if name not in possible.lower:
            continue
        width = possible.upper[name] - possible.lower[name]
        if not np.isfinite(width).all():
            continue
        needed = 2 * (np.median(moved[:, index]) or moved[:, index].max())
        slack = 1e-9 * np.abs(first.data.columns[name]).max()
        assert np.median(width) <= TOO_WIDE * needed + slack, (
            f"the candidates of {name!r} span {np.median(width):.3g}, and {REPEATS} maskings moved the values within "
            f"{needed:.3g}; exclude what cannot be"
        )


def moves(data: Microdata, masking: Masking, names: Sequence[str]) -> NDArray[np.float64]:
    """How far each value moves at most in repeated maskings."""
    before = data.matrix(names)
    farthest = np.zeros(before.shape)
    for repeat in range(REPEATS):
        release = protect(data, masking, names, seed=SEED + repeat)
        after = release.masked.matrix(names)[release.true_rows(np.arange(len(data)))]
        farthest = np.fmax(farthest, np.abs(after - before))
    return farthest


CHECKS = (
    the_truth_is_never_excluded,
    the_truth_is_never_excluded_after_a_chain,
    an_intruder_who_knows_more_has_no_more_candidates,
    likely_candidates_are_better_than_a_random_pick,
    candidates_of_a_hidden_step_are_given_or_none,
    floating_point_does_not_exclude_the_truth,
    candidates_are_not_far_too_wide,
)
