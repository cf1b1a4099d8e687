"""Where a chain of maskings promises that the truth is a candidate, it is one: for every pair, and with sampling."""

from itertools import product

import numpy as np
import pytest

from sdckit.candidates import Candidates
from sdckit.catalogue import entries
from sdckit.errors import SdcError
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
REPRESENTATIVE = ("simple-sampling", "local-suppression", "rounding", "optimal-univariate", "bounded-noise")


def maskings():
    """Every masking of the catalogue with its defaults, and some with other settings."""
    return [
        entry.build(**values)
        for entry in entries("masking", Microdata)
        for values in ({}, *SETTINGS.get(entry.name, ()))
    ]


def steps(masking, data):
    """The masking on all keys that it can mask, and on the first two of them."""
    names = fitting(data, masking.kinds)
    return [Step(masking, chosen) for chosen in dict.fromkeys((names, names[:2])) if chosen]


def lost(chain, data, seed):
    """How many records are excluded from their own rows by what is promised; None where the chain does not run."""
    try:
        release = protect(data, Recipe(chain), seed=seed)
    except SdcError:
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


def chains_around(first, second, data):
    """The two, on all or some attributes, and with sampling before, between and after them."""
    sampling = next(each for each in maskings() if each.name == "simple-sampling" and each.share == 0.6)
    drawn = Step(sampling, fitting(data, sampling.kinds))
    for one, other in product(steps(first, data), steps(second, data)):
        yield (one, other)
        yield (drawn, one, other)
        yield (one, drawn, other)
        yield (one, other, drawn)


def assert_covered(first: Masking, second: Masking) -> None:
    for description, data in FILES.items():
        for chain in chains_around(first, second, data):
            assert not lost(chain, data, seed=1), (
                f"{Recipe(chain)} on {description}: {[each.attributes for each in chain]}"
            )


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), list(product(REPRESENTATIVE, repeat=2)))
def test_what_is_promised_of_a_chain_is_so(first, second):
    by_name = {each.name: each for each in maskings()}
    assert_covered(by_name[first], by_name[second])


@pytest.mark.slow
@pytest.mark.parametrize("first", maskings(), ids=lambda masking: f"{masking.name} {masking.parameters()}")
def test_what_is_promised_of_every_pair_is_so(first):
    for second in maskings():
        assert_covered(first, second)
