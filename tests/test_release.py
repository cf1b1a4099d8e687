import pickle
from dataclasses import replace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from sdckit import Microdata, Recipe, Release, Role, protect
from sdckit.draws import Secret
from sdckit.errors import NotApplicableError, ParameterError, SchemaError, UnknownNameError
from sdckit.microdata import Attribute, Kind
from sdckit.rows import Matched, Sampled, Unknown, Unrelated
from sdckit.testing.files import a_file, ordinary


def test_protecting_drops_identifiers_and_keeps_the_rest():
    release = protect(ordinary(), "rank-swapping", seed=1)
    assert release.original.names(role=Role.IDENTIFIER) == ("name",)
    assert [each.name for each in release.masked.attributes] == [each.name for each in ordinary().attributes][1:]


def test_a_release_tells_which_attributes_each_step_masked():
    recipe = protect(ordinary(), ["additive-noise", "rank-swapping"], seed=1).recipe
    assert [step.attributes for step in recipe.steps] == [("age", "yearly income", "rent", "grade")] * 2


def test_a_single_attribute_may_be_named_by_itself():
    release = protect(ordinary(), "rank-swapping:window=0.5", "age", seed=1)
    assert release.recipe.steps[0].attributes == ("age",)


def test_a_file_of_identifiers_alone_is_refused():
    data = a_file(5).only(("name", "age")).with_roles(age="identifier")
    with pytest.raises(SchemaError):
        protect(data, "mdav", seed=1)


def test_frames_will_do():
    frame = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": [3.0, 1.0, 2.0]})
    assert protect(frame, "mdav", seed=1).masked.to_frame()["a"].tolist() == [2.0, 2.0, 2.0]
    assert Release.in_order(frame, frame).origin.tolist() == [0, 1, 2]


@pytest.mark.parametrize("masking", [None, 3, []])
def test_what_is_no_masking_is_refused(masking):
    with pytest.raises(ParameterError):
        protect(ordinary(), masking, seed=1)


def test_files_with_nothing_in_common_are_refused_with_the_near_miss():
    with pytest.raises(SchemaError, match="did you mean 'income'"):
        Release(pl.DataFrame({"income": [1.0]}), pl.DataFrame({"incme": [1.0]}))


def test_an_empty_file_is_refused():
    with pytest.raises(SchemaError, match="masked file has no records"):
        Release(ordinary(), ordinary().take(np.array([], dtype=np.int64)))


@pytest.mark.parametrize("origin", [[0], [0, 1, 2, 99], [0, 1, 2, 4]])
def test_a_correspondence_that_names_no_record_is_refused(origin):
    data = a_file(4)
    with pytest.raises(SchemaError, match="must name one of the 4 original records"):
        Release(data, data, rows=Sampled(np.array(origin)))


def test_the_origin_cannot_be_changed_from_outside():
    data, origin = a_file(3), np.array([2, 1, 0])
    release = Release(data, data, rows=Matched(origin))
    origin[0] = 0
    assert release.origin.tolist() == [2, 1, 0]
    with pytest.raises(ValueError):
        release.origin[0] = 0


def test_true_rows_undo_the_origin():
    data = a_file(4)
    release = Release(data, data.take(np.array([3, 1])))
    assert release.origin.tolist() == [3, 1]
    assert release.true_rows(np.arange(4)).tolist() == [-1, 1, -1, 0]


def test_the_origin_of_a_part_of_a_part_is_counted_in_the_part():
    part = a_file(10).take(np.array([8, 6, 4]))
    assert Release(part, part.take(np.array([2, 0]))).origin.tolist() == [2, 0]
    assert Release(part, part).origin.tolist() == [0, 1, 2]
    assert protect(part, "rank-swapping", seed=1).origin.tolist() == [0, 1, 2]


def test_rows_of_another_file_are_nobodys():
    whole = a_file(10)
    assert Release(whole.take(np.array([1, 2])), whole.take(np.array([2, 5]))).origin.tolist() == [1, -1]


def test_without_a_common_length_or_lineage_nobody_knows_whose_a_row_is():
    release = Release(pl.DataFrame({"a": [1.0, 2.0]}), pl.DataFrame({"a": [1.0]}))
    with pytest.raises(NotApplicableError, match="which row belongs to which record"):
        release.true_rows(np.arange(2))


def test_pairs_stand_side_by_side():
    data = a_file(5)
    original, masked = Release(data, data.take(np.array([4, 2]))).pairs(("age",))
    assert original.tolist() == masked.tolist() == data.matrix(("age",))[[2, 4]].tolist()


def test_figures_of_some_records_stand_among_all():
    data = a_file(4)
    assert Release.in_order(data, data).on_records(np.array([2, 0]), np.array([0.5, 1.0])).tolist() == pytest.approx(
        [1.0, np.nan, 0.5, np.nan], nan_ok=True
    )


def test_codes_mean_the_same_in_both_files():
    original = pl.DataFrame({"town": ["Ely", "Rye", "Wells"], "n": [1, 2, 3]})
    masked = pl.DataFrame({"n": [1, 2, 3], "town": ["Wells", None, "York"]})
    release = Release(original, masked)
    assert release.masked.attribute("town").categories == ("Ely", "Rye", "Wells", "York")
    assert release.masked.columns["town"].tolist() == [2, -1, 3]


def test_numbers_written_as_text_elsewhere_are_the_same_categories():
    original = Microdata.from_frame(pl.DataFrame({"code": ["1", "2"]}))
    assert Release(original, pl.DataFrame({"code": [2, 1]})).masked.columns["code"].tolist() == [1, 0]


def test_losses_are_measured_on_keys_and_confidential_attributes():
    release = protect(ordinary(), "rank-swapping", seed=1)
    assert release.evaluated_attributes() == ("age", "yearly income", "rent", "grade", "savings")


def test_untouched_is_the_original_without_identifiers_and_recipe():
    untouched = protect(ordinary(), "mdav", seed=1).untouched()
    assert untouched.recipe is None
    assert np.array_equal(untouched.masked.matrix(("age",)), ordinary().matrix(("age",)))
    assert "name" not in untouched.masked


def test_a_wrong_column_is_refused_with_the_near_miss():
    with pytest.raises(UnknownNameError, match="did you mean 'rent'"):
        protect(ordinary(), "mdav", ["rents"], seed=1)


def test_a_release_travels_between_processes():
    release = protect(ordinary(), Recipe.of("mdav"), seed=1)
    back = pickle.loads(pickle.dumps(release))
    assert back.recipe == release.recipe
    assert np.array_equal(back.masked.matrix(("age",)), release.masked.matrix(("age",)))


def test_a_control_has_the_columns_and_codes_of_the_original():
    original = pl.DataFrame({"town": ["Ely", "Rye"], "age": [1.0, 2.0]})
    control = pl.DataFrame({"age": [5.0], "town": ["Rye"], "name": ["somebody"]})
    release = Release.in_order(Microdata.from_frame(original), Microdata.from_frame(original))
    release = Release(release.original, release.masked, rows=release.rows, control=Microdata.from_frame(control))
    assert release.control.columns["town"].tolist() == [1] and "name" not in release.control
    assert release.untouched().control is not None


def test_an_empty_control_is_refused():
    data = Microdata.from_frame(pl.DataFrame({"age": [1.0]}))
    with pytest.raises(SchemaError, match="control file has no records"):
        Release(data, data, control=data.take(np.array([], dtype=np.int64)))


def test_the_origin_of_a_row_is_nobody_where_it_is_not_known():
    data = a_file(4)
    assert Release(data, data, rows=Matched(np.array([2, 0, 1, 3]))).known_origin.tolist() == [2, 0, 1, 3]
    assert Release(data, data, rows=Unknown("they were shuffled")).known_origin.tolist() == [-1] * 4


def test_a_column_that_the_schema_does_not_name_is_released_only_where_that_is_allowed():
    frame = pl.DataFrame({"a": [1.0, 2.0, 3.0], "note": ["x", "y", "z"]})
    data = Microdata.from_frame(frame, roles={"a": "key"})
    with pytest.raises(SchemaError, match="note"):
        protect(data, "mdav", ["a"], seed=1)
    assert "note" in protect(data, "mdav", ["a"], seed=1, allow_undeclared=True).masked


def test_a_release_is_unmasked_only_if_all_values_are_those_of_the_original():
    data = ordinary()
    assert Release.in_order(data, data).unmasked
    changed = data.with_columns({"age": data.columns["age"] + 1})
    assert not Release.in_order(data, changed).unmasked
    assert not protect(data, "rank-swapping", "age", seed=1).unmasked


@pytest.mark.parametrize(("recipe", "related"), [("rank-swapping", True), ("gaussian-copula", False)])
def test_rows_of_a_synthetic_file_alone_belong_to_nobody(recipe, related):
    release = protect(ordinary(), recipe, seed=1)
    assert isinstance(release.rows, Unrelated) is not related
    again = Release(release.original, release.masked, release.recipe)
    assert isinstance(again.rows, Unrelated) is not related


def numbers(**columns: list[float]) -> Microdata:
    return Microdata.from_frame(pl.DataFrame(columns))


def test_a_release_is_unmasked_only_in_the_order_of_the_original_and_with_its_columns():
    data = numbers(a=[1.0, 2.0, 2.0], b=[3.0, None, 5.0])
    plain = Microdata(data.attributes, dict(data.columns))
    assert Release.in_order(data, plain).unmasked
    assert Release.in_order(data, plain.only(["b"])).unmasked
    assert not Release(data, plain, None, Matched(np.array([0, 2, 1]))).unmasked
    assert not Release(data, plain, None, Sampled(np.array([0, -1, 2]))).unmasked
    assert not Release(data, plain, Recipe.of("mdav", ["a"]), Matched(np.arange(3))).unmasked
    other = plain.with_columns({"b": np.array([3.0, 4.0, 5.0])})
    assert not Release.in_order(data, other).unmasked
    assert not Release.in_order(data, numbers(a=[1.0, 2.0, 2.0], c=[1.0, 1.0, 1.0])).unmasked


def test_rows_of_records_and_records_of_rows_by_hand():
    data = numbers(a=[10.0, 11.0, 12.0, 13.0])
    masked = numbers(a=[23.0, 20.0, 99.0])
    release = Release(data, masked, None, Sampled(np.array([3, 0, -1])))
    assert release.true_rows(np.array([3, -1, 0, 1])).tolist() == [0, -1, 1, -1]
    before, after = release.pairs(iter(["a"]))
    assert (before[:, 0].tolist(), after[:, 0].tolist()) == ([10.0, 13.0], [20.0, 23.0])
    found = release.by_original_record(np.array([0.3, 0.0, 0.9]))
    assert found.tolist() == pytest.approx([0.0, np.nan, np.nan, 0.3], nan_ok=True)
    assert Release(data, masked, None, Unknown("nobody says")).by_original_record(np.zeros(3)) is None
    figures = release.on_records(np.array([2, -1, 0]), np.array([0.5, 0.7, 0.1]))
    assert figures.tolist() == pytest.approx([0.1, np.nan, 0.5, np.nan], nan_ok=True)
    with pytest.raises(NotApplicableError, match="came from a record"):
        Release(data, masked, None, Sampled(np.array([-1, -1, -1]))).pairs(["a"])


def test_shuffled_rows_and_a_first_part_are_paired_with_their_records():
    data = numbers(a=[10.0, 11.0, 12.0])
    shuffled = Release(data, numbers(a=[22.0, 20.0, 21.0]), None, Matched(np.array([2, 0, 1])))
    assert [each[:, 0].tolist() for each in shuffled.pairs(["a"])] == [[10.0, 11.0, 12.0], [20.0, 21.0, 22.0]]
    more = Release(data.take(np.arange(2)), numbers(a=[20.0, 21.0, 9.0]), None, Sampled(np.array([0, 1, -1])))
    assert [each[:, 0].tolist() for each in more.pairs(["a"])] == [[10.0, 11.0], [20.0, 21.0]]


def test_what_is_computed_once_is_not_computed_again_nor_sent_along():
    data, calls = numbers(a=[1.0]), []
    release = Release.in_order(data, data)
    assert [release.computed_once("x", lambda: calls.append(1) or 7) for _ in range(2)] == [7, 7]
    assert len(calls) == 1
    back = pickle.loads(pickle.dumps(release))
    assert back.computed_once("x", lambda: 8) == 8


def test_a_seed_is_guessable_where_it_is_known_to_be():
    data = numbers(a=[1.0, 2.0, 3.0])
    assert protect(data, "mdav", seed=1).guessable_seed
    assert not protect(data, "mdav").guessable_seed
    assert not Release.in_order(data, data).guessable_seed
    assert replace(Release.in_order(data, data), secret=Secret.unknown(guessable=True)).guessable_seed


def test_attributes_are_shared_by_name_kind_and_form():
    original = Microdata.from_frame(pl.DataFrame({"a": [1.0], "b": ["x"], "c": [2.0], "d": [3.0]}))
    masked = Microdata.from_frame(pl.DataFrame({"a": [1.0], "b": ["x"], "c": ["y"]}))
    release = Release.in_order(original.with_roles(a="identifier"), masked)
    assert release.shared_attributes() == ("b",)
    release = Release.in_order(original, masked)
    assert release.shared_attributes() == ("a", "b")
    assert release.shared_attributes(Kind.ORDERED) == ("a",)
    assert release.shared_attributes(Kind.UNORDERED) == ("b",)


def test_other_attributes_are_evaluated_where_there_are_no_keys():
    data = numbers(a=[1.0], b=[2.0], w=[3.0])
    release = Release.in_order(data.with_roles(a="other", b="key", w="weight"), data)
    assert release.evaluated_attributes() == ("b",)
    others = data.with_roles(a="other", b="other", w="weight")
    assert Release.in_order(others, others).evaluated_attributes() == ("a", "b")
    with pytest.raises(NotApplicableError, match="share no categorical attribute"):
        release.evaluated_attributes(Kind.CATEGORICAL)


def test_a_release_notes_the_columns_that_no_step_masked():
    data = ordinary()
    masked = protect(data, "mdav", ["age"], seed=1).masked
    assert masked.form.released and masked.form.index is None
    assert "rent" in masked.form.unchanged and "age" not in masked.form.unchanged
    assert protect(data, "simple-sampling", seed=1).masked.form.unchanged == frozenset()


def test_files_of_different_length_are_not_in_order():
    with pytest.raises(SchemaError, match="has 2 records and the masked file 1"):
        Release.in_order(numbers(a=[1.0, 2.0]), numbers(a=[1.0]))


def test_categories_are_translated_by_their_meaning():
    towns = Attribute("code", Kind.UNORDERED, Role.KEY, categories=("47", "47.0", "Ely"))
    original = Microdata((towns,), {"code": np.array([0, 1, 2])})
    other = replace(towns, categories=("Ely", "47.0", "new", "47"), value_labels={"Ely": "Ely, Cambs"})
    masked = Release.in_order(original, Microdata((other,), {"code": np.array([3, 1, -1])})).masked
    assert masked.attribute("code").categories == ("47", "47.0", "Ely", "new")
    assert masked.columns["code"].tolist() == [0, 1, -1]
    assert masked.attribute("code").value_labels == {"Ely": "Ely, Cambs"}
    as_numbers = Microdata((Attribute("code", Kind.CONTINUOUS, Role.KEY),), {"code": np.array([9.0, np.nan, 9.0])})
    masked = Release.in_order(original, as_numbers).masked
    assert masked.attribute("code").categories == ("47", "47.0", "Ely", 9.0)
    assert masked.columns["code"].tolist() == [3, -1, 3]


def test_a_file_that_has_lost_some_columns_or_gained_some_is_read():
    original = numbers(a=[1.0, 2.0], b=[3.0, 4.0])
    masked = Release.in_order(original, numbers(b=[3.0, 4.0], z=[0.0, 0.0])).masked
    assert [each.name for each in masked.attributes] == ["b", "z"]
