import numpy as np
import pytest

from sdckit.draws import Draws
from sdckit.edits import Edits
from sdckit.errors import SchemaError
from sdckit.masking import Masking, masking
from sdckit.microdata import Attribute, Kind, Microdata, Role
from sdckit.parameters import param
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
