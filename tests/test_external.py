"""An intruder with a file of their own: other names, units, categories, length and order."""

import gc
import weakref

import numpy as np
import polars as pl
import pytest

from sdckit import Intruder, Release, build, entries, protect
from sdckit.errors import NotApplicableError, ParameterError, SchemaError, UnknownNameError
from sdckit.external import External
from sdckit.microdata import Microdata
from sdckit.testing.files import a_file, fresh
from tests.methods.files import correlated, numeric

ORDER = np.random.default_rng(7).permutation(40)


@pytest.fixture
def original():
    return fresh(a_file(40))


def foreign(original, rows, **more):
    """A register of these people, paid by the quarter and with districts instead of post codes."""
    district = [str(code)[:3] + "**" for code in original.values("post code")[rows]]
    return pl.DataFrame(
        {
            "pay": original.columns["yearly income"][rows] / 4,
            "years": original.columns["age"][rows],
            "district": district,
            "town": original.values("town")[rows].astype(str),
            "person": original.values("name")[rows].astype(str),
            **more,
        }
    )


NAMES = {"pay": "yearly income", "years": "age", "district": "post code", "person": "name"}
UNITS = {"yearly income": lambda quarterly: quarterly * 4}


def register(original, rows, **options):
    return External(foreign(original, rows), NAMES, UNITS, **({"record": "name"} | options))


def test_names_units_and_order_are_translated(original):
    release = Release.in_order(original, original.without(["name"]))
    intruder = Intruder(file=register(original, ORDER))
    assert intruder.known_attributes(release) == ("yearly income", "age", "post code", "town")
    assert intruder.known_records(release).tolist() == ORDER.tolist()
    known = intruder.known_file(release)
    assert known.columns["yearly income"] == pytest.approx(original.columns["yearly income"][ORDER])
    assert known.values("town").tolist() == original.values("town")[ORDER].tolist()
    assert known.values("post code")[0] == str(original.values("post code")[ORDER[0]])[:3] + "**"


def test_the_same_file_in_other_terms_finds_as_many(original):
    release = protect(original, "rank-swapping:window=0.1", ["age", "yearly income"], seed=1)
    options = Intruder(attributes=("age", "yearly income"))
    own = Intruder(attributes=("age", "yearly income"), file=register(original, ORDER))
    for name in ("distance-linkage", "mahalanobis-linkage", "rank-linkage", "global-linkage", "mixed-linkage"):
        linkage = build("risk", name)
        assert linkage.measure(release, own).by_record == pytest.approx(linkage.measure(release, options).by_record)


@pytest.mark.slow
def test_every_attack_works_with_it(original):
    release = protect(original, "rank-swapping:window=0.1", seed=1)
    own = Intruder(file=register(original, ORDER[:15]))
    attacked = set()
    for entry in entries("risk", Microdata):
        try:
            score = entry.build().measure(release, own, seed=1)
        except NotApplicableError:
            continue
        assert 0 <= score.value <= 1, entry.name
        attacked.add(entry.name)
    assert {"intersection-attack", "probabilistic-linkage", "kernel-linkage", "attribute-inference"} <= attacked


def test_a_coarser_category_rules_out_what_is_not_below_it(original):
    release = protect(original, "global-recoding:levels=1", ["post code"], seed=1)
    known = ("post code", "town")
    exact = build("risk", "intersection-attack").measure(release, Intruder(attributes=known))
    coarse = build("risk", "intersection-attack").measure(
        release, Intruder(attributes=known, file=register(original, np.arange(40)))
    )
    assert coarse.details["coverage"] == 1
    assert coarse.details["mean_set"] >= exact.details["mean_set"]


def test_a_district_finds_fewer_than_the_post_code():
    data = fresh(a_file(60, seed=3))
    release = Release.in_order(data, data.without(["name"]))
    known = ("post code",)
    found = build("risk", "mixed-linkage").measure(release, Intruder(attributes=known)).value
    own = External(foreign(data, np.arange(60)), NAMES, UNITS)
    assert build("risk", "mixed-linkage").measure(release, Intruder(attributes=known, file=own)).value < found


def test_people_who_are_not_in_the_file_are_not_found():
    data = numeric(correlated(20, 2, seed=1))
    strangers = np.vstack([data.matrix(["a", "b"])[:10], correlated(10, 2, seed=2)])
    own = External(numeric(strangers), record=[*range(10), *[-1] * 10])
    score = build("risk", "distance-linkage").measure(Release.in_order(data, data), Intruder(file=own))
    assert score.value == 0.5
    assert score.by_record[:10].tolist() == [1] * 10
    assert np.isnan(score.by_record[10:]).all()


def test_records_are_rows_of_the_own_file(original):
    own = register(original, ORDER)
    release = Release.in_order(original, original.without(["name"]))
    assert Intruder(file=own, records=(2, 0)).known_records(release).tolist() == ORDER[[0, 2]].tolist()
    assert len(Intruder(file=own, records=0.5).known_records(release)) == 20


def test_an_unknown_grade_has_no_place_in_the_order(original):
    frame = pl.DataFrame({"grade": ["low", "excellent"]})
    release = Release.in_order(original, original.without(["name"]))
    known = Intruder(file=External(frame, record=[0, 1])).known_file(release)
    assert known.columns["grade"].tolist() == [0, -1]


def test_categories_can_be_converted(original):
    frame = pl.DataFrame({"rank": ["I", "IV", None]})
    grades = {"I": "low", "IV": "top"}
    own = External(
        frame, {"rank": "grade"}, {"grade": lambda ranks: [grades.get(rank) for rank in ranks]}, record=[0, 1, 2]
    )
    release = Release.in_order(original, original.without(["name"]))
    assert Intruder(file=own).known_file(release).values("grade").tolist() == ["low", "top", None]


def test_what_does_not_fit_is_refused(original):
    frame = foreign(original, np.arange(40))
    with pytest.raises(UnknownNameError, match="did you mean 'years'"):
        External(frame, {"yeers": "age"})
    with pytest.raises(UnknownNameError, match="did you mean 'age'"):
        External(frame, {"years": "agee"}).in_terms_of(original)
    with pytest.raises(SchemaError, match="same one"):
        External(frame, {"years": "age", "pay": "age"}).in_terms_of(original)
    with pytest.raises(SchemaError, match="convert it"):
        External(frame, {"town": "age"}).in_terms_of(original)
    with pytest.raises(SchemaError, match="no column"):
        External(frame.select("years")).in_terms_of(original)
    with pytest.raises(ParameterError, match="gives 1 values"):
        External(frame, {"years": "age"}, {"age": lambda values: values[:1]}).in_terms_of(original)


@pytest.mark.parametrize("record", [[0], [0] * 40, [40] * 40, [-2] * 40])
def test_records_that_cannot_be_are_refused(original, record):
    with pytest.raises(ParameterError, match="original record"):
        External(foreign(original, np.arange(40)), record=record).records(original)


def test_a_translated_file_is_made_once_and_pins_no_file():
    original = Microdata.from_frame(pl.DataFrame({"age": [30, 41]}))
    external = External(Microdata.from_frame(pl.DataFrame({"age": [41, 30]})))
    assert external.in_terms_of(original) is external.in_terms_of(original)
    watched = [weakref.ref(each) for each in (original, external, external.file)]
    del original, external
    gc.collect()
    assert [each() for each in watched] == [None, None, None]
