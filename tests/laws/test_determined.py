"""Maps of single values are exact, however few are known, and an error in known values is convolved with them."""

import numpy as np
import pytest

from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import Source
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.release import protect
from sdckit.risks import InformedIntruder, MixedLinkage
from sdckit.testing.files import a_file, with_missing
from tests.laws.test_closed import COPIES, law_of, likelihoods


@pytest.mark.parametrize("recipe", ["rounding:base=4", "random-rounding:base=4"])
def test_a_category_rounded_beyond_the_last_one_is_the_last_one(recipe):
    data = Microdata((Attribute("x", Kind.DISCRETE, Role.KEY, tuple("abcdefg")),), {"x": np.arange(7)})
    release = protect(data, recipe, seed=1)
    law = law_of(release, records=(5, 6))
    assert (likelihoods(law)[[0, 1], [5, 6]] > -np.inf).all()


ERRONEOUS = {"rounding:base=2000": 2000.0, "top-coding:share=0.2": None}


@pytest.mark.parametrize("recipe", ERRONEOUS)
def test_an_error_in_known_values_is_convolved_with_a_map(recipe):
    """A row is as likely as the known value, less its error, is mapped to it."""
    data = a_file(200).only(["yearly income"])
    release = protect(data, recipe, seed=1)
    view = Intruder(noise=0.2).view(release, seed=1)
    law = informed_law(view, np.random.default_rng(1))
    assert set(law.sources.values()) == {Source.EXACT}
    known, rows = view.known.columns["yearly income"], release.masked.columns["yearly income"]
    error = 0.2 * data.columns["yearly income"].std()
    draws = known[:20, None] - error * np.random.default_rng(2).standard_normal(COPIES)
    top = rows.max()
    image = np.minimum(draws, top) if ERRONEOUS[recipe] is None else np.floor(draws / 2000 + 0.5) * 2000
    if ERRONEOUS[recipe] is None:  # only the highest value has more than one original
        stated, seen = np.exp(likelihoods(law)[:20][:, rows == top][:, 0]), (image == top).mean(axis=1)
    else:
        values = np.unique(rows)
        first = [np.flatnonzero(rows == value)[0] for value in values]
        stated = np.exp(likelihoods(law)[:20][:, first])
        seen = (image[:, :, None] == values).mean(axis=1)
    assert stated == pytest.approx(seen, abs=0.04)


MAPS = {
    "rounding:base=50": ("yearly income", "rent"),
    "top-coding": ("yearly income", "rent"),
    "top-coding:share=0,limit=900": ("rent",),
    "bottom-coding:share=0.2": ("yearly income",),
    "top-coding:tail_mean=true": ("rent",),
    "global-recoding": ("post code",),
}


@pytest.mark.parametrize("recipe", MAPS)
@pytest.mark.parametrize("missing", [False, True])
def test_a_map_of_single_values_is_exact_by_a_part_of_the_records(recipe, missing):
    names = MAPS[recipe]
    data = with_missing(a_file(80)) if missing else a_file(80)
    release = protect(data, recipe, names, seed=1)
    view = Intruder(attributes=names, records=0.3).view(release, seed=1)
    law = informed_law(view, np.random.default_rng(1))
    assert set(law.sources.values()) == {Source.EXACT}
    masked = [release.masked.columns[name] for name in names]
    same = np.ones((len(view), len(release.masked)), dtype=bool)
    for column in masked:  # a hole stays a hole
        same &= np.isclose(column[view.records][:, None], column[None, :], equal_nan=True)
    assert np.array_equal(likelihoods(law) > -np.inf, same)


def test_a_chain_of_maps_is_exact_too():
    release = protect(a_file(80), ["top-coding:share=0,limit=900", "rounding:base=50"], ["rent"], seed=1)
    law = law_of(release, attributes=("rent",), records=0.3)
    assert law.sources == {"rent": Source.EXACT}


def test_a_map_before_a_suppression_is_not_exact():
    release = protect(a_file(80), ["global-recoding", "local-suppression"], seed=1)
    assert law_of(release, attributes=("post code",), records=0.3).sources != {"post code": Source.EXACT}


def test_a_limit_that_depends_on_missing_values_is_not_taken_for_a_single_value():
    """The limit of top coding is not known where values are missing: the chain is replayed, and finds as many."""
    release = protect(with_missing(a_file(200)), ["top-coding", "rounding"], seed=1)
    found = InformedIntruder().measure(release, seed=1).value
    assert found >= MixedLinkage().measure(release, seed=1).value - 0.015
