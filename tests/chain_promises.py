"""What chains of maskings promise: the row of a record is among its candidates."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from sdckit.candidates import Candidates
from sdckit.catalogue import entries
from sdckit.errors import SdcError
from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.masking import Masking
from sdckit.microdata import Microdata, Role
from sdckit.recipe import Recipe, Step
from sdckit.release import protect
from sdckit.row_sets import RowSets
from sdckit.testing.files import a_file, fitting, with_missing

SETTINGS = {  # besides the defaults: settings that map values by other rules
    "pram": ({"levels": 1},),
    "invariant-pram": ({"levels": 1},),
    "global-recoding-groups": ({"groups": ("Ely|Rye=coast",)},),
    "top-coding": ({"tail_mean": True}, {"share": 0.3}, {"share": 0.0, "limit": 46.0}),
    "bottom-coding": ({"tail_mean": True}, {"share": 0.3}),
    "local-recoding": ({"threshold": 9},),
    "rank-swapping": ({"window": 0.2},),
    "simple-sampling": ({"share": 0.6},),
    "bounded-noise": ({"half_width": 1.0},),
}
FILES = {
    "ties": a_file(30, seed=2, coarse=True),
    "ties and missing values": with_missing(a_file(30, seed=3, coarse=True)),
    "full precision": a_file(30, seed=4),
}


def maskings() -> list[Masking]:
    """Every masking of the catalogue with its defaults, and some with other settings."""
    return [
        entry.build(**values)
        for entry in entries("masking", Microdata)
        for values in ({}, *SETTINGS.get(entry.name, ()))
    ]


def steps(masking: Masking, data: Microdata) -> list[Step]:
    """The masking on all keys that it can mask, and on the first two of them."""
    names = fitting(data, masking.kinds)
    return [Step(masking, chosen) for chosen in dict.fromkeys((names, names[:2])) if chosen]


def lost(chain: tuple[Step, ...], data: Microdata, seed: int) -> int | None:
    """How many records are excluded from their own rows by what is promised; None where the chain gives them none."""
    try:
        release = protect(data, Recipe(chain), seed=seed)
    except SdcError:
        return None
    if not release.corresponds:
        return None
    names = tuple(name for name in data.names(role=(Role.KEY, Role.WEIGHT)) if name in release.masked)
    truth = release.true_rows(np.arange(len(data)))
    worst = 0
    for complete in (True, False):
        possible = release.recipe.candidates(Candidates.known(data, names, complete=complete), release.masked)
        for candidates in (possible.promised(), *([possible] if possible.certain else [])):
            inside = RowSets.of_candidates(candidates, release.masked).contains(truth)
            worst = max(worst, int((~inside & (truth >= 0)).sum()))
    return worst


def lost_by_law(chain: tuple[Step, ...], data: Microdata, seed: int) -> int:
    """How many records are excluded from their own rows by the law of the informed intruder."""
    try:
        release = protect(data, Recipe(chain), seed=seed)
        view = Intruder().view(release)
    except SdcError:
        return 0
    if not release.corresponds:
        return 0
    law = informed_law(view, np.random.default_rng(seed))
    truth = release.true_rows(view.records)
    records = np.flatnonzero(truth >= 0)
    log_likelihood = sum(block.of_pairs(records, law.rows.of[truth[records]]) for block in law.blocks)
    return int((~np.isfinite(log_likelihood)).sum())


def chains_around(first: Masking, second: Masking, data: Microdata) -> Iterator[tuple[Step, ...]]:
    """The two, on all or some attributes, and with sampling before, between and after them."""
    sampling = next(each for each in maskings() if each.name == "simple-sampling" and each.share == 0.6)
    drawn = Step(sampling, fitting(data, sampling.kinds))
    for one, other in product(steps(first, data), steps(second, data)):
        yield (one, other)
        yield (drawn, one, other)
        yield (one, drawn, other)
        yield (one, other, drawn)


def broken_promises(first: Masking, second: Masking) -> list[str]:
    """The chains around two maskings that exclude a record from its own row, each with the file and the attributes."""
    return [
        f"{Recipe(chain)} on {description}: {[each.attributes for each in chain]}"
        for description, data in FILES.items()
        for chain in chains_around(first, second, data)
        if lost(chain, data, seed=1)
    ]


def laws_against_truth(first: Masking, second: Masking) -> list[str]:
    """The chains of two maskings whose law excludes a record from its own row, with the file and the attributes."""
    return [
        f"{Recipe(chain)} on {description}: {[each.attributes for each in chain]}"
        for description, data in FILES.items()
        for chain in product(steps(first, data), steps(second, data))
        if lost_by_law(chain, data, seed=1)
    ]
