from dataclasses import replace

import numpy as np
import pytest

from sdckit.attribute import Level
from sdckit.bands import Bands
from sdckit.candidates import Candidates
from sdckit.draws import Draws
from sdckit.edits import Edits
from sdckit.errors import SchemaError
from sdckit.masking import Locality, Masking, masking
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.parameters import param
from sdckit.rows import Rows
from sdckit.testing.files import a_file, with_missing


@masking("shift", kind=Kind.CONTINUOUS, reference="nobody")
class Shift(Masking):
    """Add the same to every value."""

    by: float = param(1.0, "what to add")

    def transform(self, values, draws):
        return values + self.by


@masking("drawn-shift", kind=Kind.ORDERED, reference="nobody")
class DrawnShift(Shift):
    """Add the same to every value, as if it were drawn."""

    columnwise = True
    draws_values = True


def test_a_masking_is_a_matrix_function_under_a_name():
    data = a_file(4)
    masked = Shift(by=2).protect(data, ("savings",), draws=Draws.of(1))
    assert masked.columns["savings"] == pytest.approx(data.columns["savings"] + 2)
    assert (Shift.name, Shift.reference, repr(Shift())) == ("shift", "nobody", "Shift(by=1.0)")


def test_with_no_attribute_named_every_key_of_the_kind_is_masked():
    data = a_file(4)
    masked = Shift().protect(data, draws=Draws.of(1))
    changed = [name for name in data.columns if not np.array_equal(data.columns[name], masked.columns[name])]
    assert changed == ["yearly income", "rent"]


def test_a_file_without_a_fitting_key_is_refused():
    with pytest.raises(SchemaError, match="no continuous key"):
        Shift().protect(a_file(4).only(("town",)), draws=Draws.of(1))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (("age",), "'age' is discrete"),
        (("name",), "'name' is an identifier"),
        (("rent", "rent"), "'rent' is named twice"),
    ],
)
def test_what_cannot_be_masked_is_refused_by_name(names, message):
    with pytest.raises(SchemaError, match=message):
        Shift().protect(a_file(4), names, draws=Draws.of(1))


def test_a_column_without_values_is_refused():
    data = a_file(3).with_columns({"rent": np.full(3, np.nan)})
    with pytest.raises(SchemaError, match="'rent' has no values at all"):
        Shift().protect(data, ("rent",), draws=Draws.of(1))


def test_missing_values_are_refused_unless_a_masking_keeps_them():
    data = with_missing(a_file(20), 0.3)
    with pytest.raises(SchemaError, match="of its 20 values are missing"):
        Shift().protect(data, ("rent",), draws=Draws.of(1))


def test_column_by_column_missing_values_stay_out_of_it():
    data = with_missing(a_file(20), 0.3)
    masked = DrawnShift().protect(data, ("savings",), draws=Draws.of(1))
    assert masked.columns["savings"] == pytest.approx(data.columns["savings"] + 1, nan_ok=True)


def test_drawn_values_are_whole_in_range_and_rounded_where_declared():
    data = Microdata(
        (
            Attribute("age", Kind.DISCRETE, Role.KEY, integral=True),
            Attribute("rent", Kind.CONTINUOUS, Role.KEY, decimals=1),
            Attribute("grade", Kind.DISCRETE, Role.KEY, categories=("low", "high")),
        ),
        {"age": np.array([1.0, 9.0]), "rent": np.array([0.1, 0.2]), "grade": np.array([0, 1])},
        edits=Edits.bounds(age=(0, 9)),
    )
    masked = DrawnShift(by=0.77).protect(data, draws=Draws.of(1))
    assert masked.columns["age"].tolist() == [2.0, 9.0]
    assert masked.columns["rent"].tolist() == [0.9, 1.0]
    assert masked.columns["grade"].tolist() == [1, 1]


def test_rounding_does_not_lead_out_of_a_range():
    data = Microdata(
        (Attribute("age", Kind.DISCRETE, Role.KEY, integral=True),),
        {"age": np.array([1.0, 9.0])},
        edits=Edits.bounds(age=(0.6, 9.6)),
    )
    assert DrawnShift(by=5).protect(data, draws=Draws.of(1)).columns["age"].tolist() == [6, 9]
    assert DrawnShift(by=-5).protect(data, draws=Draws.of(1)).columns["age"].tolist() == [1, 4]


def test_a_masking_without_a_transform_says_so():
    with pytest.raises(TypeError, match="must define transform or protect"):
        Masking().protect(a_file(3), ("age",), draws=Draws.of(1))


def test_by_default_nothing_but_the_masked_attributes_decides_what_becomes_of_them():
    assert Shift().also_reads(a_file(4), ("savings",)) == ()


def test_a_masking_declares_nothing_unless_it_says_so():
    declared = (Shift.columnwise, Shift.keeps_missing, Shift.draws_values, Shift.suppresses, Shift.leaves_out)
    assert not any((*declared, Shift.reads_a_part)) and Shift.seeded
    assert (Shift.rows, Shift.acts_on, Shift.locality, Shift.domain) == (
        Rows.KEPT,
        Level.RECORD,
        Locality.GLOBAL,
        Microdata,
    )
    assert masking("other", reference="nobody")(type("Other", (Masking,), {})).kinds == Kind.ORDERED


@masking("open-shift", kind=Kind.ORDERED, reference="nobody")
class OpenShift(Shift):
    """A shift by a published amount: the candidates are the shifted values."""

    def candidates(self, known, released):
        if released is None:
            return replace(known, certain=False, likely=None)
        lower = {name: ends + self.by for name, ends in known.lower.items()}
        return replace(known, lower=lower, upper={name: ends + self.by for name, ends in known.upper.items()})


@masking("open-drawn-shift", kind=Kind.ORDERED, reference="nobody")
class OpenDrawnShift(OpenShift):
    """The same, as if it were drawn."""

    draws_values = True


def known_and_released():
    attributes = (
        Attribute("whole", Kind.DISCRETE, Role.KEY, integral=True),
        Attribute("cents", Kind.CONTINUOUS, Role.KEY, decimals=2),
        Attribute("exact", Kind.CONTINUOUS, Role.KEY),
        Attribute("grade", Kind.DISCRETE, Role.KEY, categories=("low", "middle", "high")),
    )
    columns = {"whole": [5.0], "cents": [0.5], "exact": [8.0], "grade": np.array([1])}
    data = Microdata(attributes, columns, edits=Edits.bounds(whole=(0, 6), exact=(0, 8.5)))
    return Candidates.known(data, list(columns)), data


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        # Nothing is drawn: what was rounded enters with half a unit, and is released with half a unit more.
        (OpenShift(by=2.0), {"whole": (7, 7), "cents": (2.49, 2.51), "exact": (10, 10), "grade": (1.5, 2.5)}),
        # A drawn value is rounded once, and is in the declared range.
        (
            OpenDrawnShift(by=2.0),
            {"whole": (5.5, 6.5), "cents": (2.495, 2.505), "exact": (8.5, 8.5), "grade": (1.5, 2.5)},
        ),
    ],
)
def test_what_is_possible_allows_for_rounding_and_for_the_declared_range(method, expected):
    known, released = known_and_released()
    possible = method.possible(known, released)
    for name, (low, high) in expected.items():
        ends = (possible.lower[name][0], possible.upper[name][0])
        assert ends == pytest.approx((low, high), abs=2e-6)
        assert ends[0] <= low and ends[1] >= high


def test_a_hidden_step_is_read_by_its_image():
    known, released = known_and_released()
    assert OpenShift().possible(known, released).certain
    assert not OpenShift().possible(known, released, hidden=True).certain
    assert Shift().possible(known, released) is None
    assert Shift().image(known, {}) is None


def test_a_masking_that_only_leaves_out_rounds_nothing():
    class LeftOut(OpenShift):
        leaves_out = True

    known, released = known_and_released()
    possible = LeftOut(by=0.0).possible(known, released)
    assert possible.upper["cents"][0] - possible.lower["cents"][0] < 1e-9


def test_values_are_published_to_the_declared_decimals():
    data = known_and_released()[1]
    names = ("whole", "cents", "exact", "grade")
    values = np.array([[6.6, 0.123, 9.2, 1.4]])
    assert Shift().published(data, names, values).tolist() == [[6.6, 0.12, 9.2, 1.0]]
    assert DrawnShift().published(data, names, values).tolist() == [[6.0, 0.12, 8.5, 1.0]]
    assert DrawnShift().published(data, names, -values)[0, [0, 2]].tolist() == [0.0, 0.0]
    assert values.tolist() == [[6.6, 0.123, 9.2, 1.4]]
    edged = replace(data, edits=Edits.bounds(cents=(0.1 + 0.2, 0.7)))  # 0.30000000000000004 counts as 0.3
    assert DrawnShift().published(edged, ("cents",), np.array([[0.0], [0.9]]))[:, 0].tolist() == [0.3, 0.7]
    one_side = replace(data, edits=Edits.bounds(exact=(1.0, np.inf)))
    assert DrawnShift().published(one_side, ("exact",), np.array([[0.0], [99.0]]))[:, 0].tolist() == [1.0, 99.0]


def test_bands_are_no_numbers_to_compute_with():
    bands = Bands((-np.inf, 65.0, np.inf), (40.0, 70.0), (None, "65+"))
    ages = Attribute("age", Kind.DISCRETE, Role.KEY, bands=bands)
    data = Microdata((ages, Attribute("rent", Kind.CONTINUOUS, Role.KEY)), {"age": [70.0, 30.0], "rent": [1.0, 2.0]})
    assert DrawnShift().chosen(data, ()) == ("rent",)
    with pytest.raises(SchemaError, match="recoded to bands"):
        DrawnShift().applicable(data, ("age",))
    anything = masking("any-shift", kind=Kind.ANY, reference="nobody")(type("AnyShift", (Masking,), {}))()
    assert anything.chosen(data, ()) == anything.applicable(data, ("age", "rent")) == ("age", "rent")


def test_a_group_needs_as_many_values_as_its_size():
    data = with_missing(a_file(20), 0.3)
    present = 20 - data.missing("rent")
    Shift().refuse_few_values(data, ("rent",), present)
    with pytest.raises(SchemaError, match=f"it has {present} values, too few for a group of {present + 1}"):
        Shift().refuse_few_values(data, ("age", "rent"), present + 1)


def test_columns_have_draws_of_their_own_and_those_of_their_records():
    class Drawn(DrawnShift):
        def transform(self, values, draws):
            return draws.uniform(1)

    data = a_file(3).only(("savings", "rent")).with_columns({"savings": np.array([1.0, np.nan, 3.0])})
    masked = Drawn().protect(data, ("savings", "rent"), draws=Draws.of(1))
    own = Draws.of(1, 3).child("savings").uniform(1)[:, 0]
    assert np.array_equal(masked.columns["savings"], np.where([True, False, True], own, np.nan), equal_nan=True)
    assert masked.columns["rent"].tolist() == np.round(Draws.of(1, 3).child("rent").uniform(1)[:, 0], 1).tolist()


def test_a_masking_is_that_of_records_or_of_households():
    from sdckit.methods import Mdav, Pram

    assert Pram().at_level("record") == Pram() == Pram().at_level("household").at_level("record")
    assert Pram().at_level("household").acts_on is Level.HOUSEHOLD
    with pytest.raises(SchemaError, match="levels=2"):
        Pram().at_level(2)
    with pytest.raises(SchemaError, match=r'"household"$'):
        Mdav().at_level("families")
