import numpy as np
import polars as pl
import pytest

from sdckit import Intruder, Release, build, protect
from sdckit.errors import NotApplicableError, ParameterError, UnknownNameError
from sdckit.external import External
from sdckit.intruder import AttackerView, OtherRelease
from sdckit.knowledge import Knowledge
from sdckit.microdata import Kind, Microdata
from sdckit.randomness import child, generator
from sdckit.testing.files import a_file
from tests.methods.files import correlated, numeric


@pytest.fixture
def release():
    return protect(a_file(40), "rank-swapping", seed=1)


def test_the_worst_case_knows_every_key_of_every_record(release):
    view = Intruder().view(release)
    assert view.attributes == ("age", "yearly income", "rent", "grade", "post code", "town")
    assert view.names(Kind.ORDERED) == ("age", "yearly income", "rent", "grade")
    for name in view.attributes:
        assert np.array_equal(view.known.columns[name], release.original.columns[name])
    assert view.records.tolist() == list(range(40))
    assert view.everyone and view.exact and view.recipe is release.recipe


def test_a_view_with_fewer_attributes_or_records_is_a_part_of_it(release):
    view = Intruder(noise=0.1).view(release, seed=3)
    part = view.only(("rent", "town")).take(np.array([7, 2]))
    assert part.attributes == ("rent", "town") and part.records.tolist() == [7, 2]
    assert part.known.columns["rent"].tolist() == view.known.columns["rent"][[7, 2]].tolist()
    assert not part.everyone and not part.exact
    assert np.array_equal(part.only(("rent",)).matrices()[1], release.masked.matrix(["rent"]))


def test_an_intruder_who_does_not_know_the_method_sees_no_recipe(release):
    view = Intruder(knows_method=False).view(release)
    assert view.recipe is None
    with pytest.raises(NotApplicableError, match="give the recipe"):
        _ = view.published_recipe


def test_known_attributes_are_taken_as_named(release):
    assert Intruder(attributes=["savings", "rent"]).known_attributes(release) == ("savings", "rent")
    assert Intruder(attributes="rent").known_attributes(release) == ("rent",)


def test_an_unknown_attribute_is_refused_with_the_near_miss(release):
    with pytest.raises(UnknownNameError, match="did you mean 'rent'"):
        Intruder(attributes=("rnt",)).known_attributes(release)


def test_identifiers_and_dropped_attributes_are_of_no_use(release):
    assert Intruder(attributes=("name",)).known_attributes(release) == ()
    with pytest.raises(NotApplicableError):
        Intruder(attributes=("name",)).view(release)


def test_listed_records_are_known_once_and_in_order(release):
    assert Intruder(records=(5, 2, 5)).known_records(release).tolist() == [2, 5]
    assert Intruder(records=np.array([3])).known_records(release).tolist() == [3]


def test_a_share_of_the_records_is_drawn_by_the_seed(release):
    half = Intruder(records=0.5)
    assert len(half.known_records(release, seed=1)) == 20
    assert half.known_records(release, seed=1).tolist() == half.known_records(release, seed=1).tolist()
    assert half.known_records(release, seed=1).tolist() != half.known_records(release, seed=2).tolist()


def test_without_a_seed_the_same_records_are_known_to_every_part_of_an_attack():
    data = numeric(correlated(60, 2, seed=1))
    score = build("risk", "distance-linkage").measure(Release.in_order(data, data), Intruder(records=0.3))
    assert score.value == 1
    assert np.isfinite(score.by_record).sum() == 18


@pytest.mark.parametrize("records", [0, 0.0, 1.5, 7, -0.1, float("nan")])
def test_a_share_of_records_out_of_range_is_refused(records):
    with pytest.raises(ParameterError, match="share of records"):
        Intruder(records=records)


@pytest.mark.parametrize("records", [(), (40,), (-1,)])
def test_records_that_are_not_there_are_refused(release, records):
    with pytest.raises(ParameterError, match="from 0 to 39"):
        Intruder(records=records).known_records(release)


@pytest.mark.parametrize("noise", [-0.1, float("nan"), float("inf")])
def test_noise_out_of_range_is_refused(noise):
    with pytest.raises(ParameterError, match="noise"):
        Intruder(noise=noise)


def test_errors_in_what_is_known_lower_linkage():
    data = numeric(correlated(200, 2, seed=2))
    found = [
        build("risk", "distance-linkage").measure(Release.in_order(data, data), Intruder(noise=noise), seed=1).value
        for noise in (0, 0.01, 0.5)
    ]
    assert found[0] == 1 > found[1] > found[2]


def test_a_standardised_view_has_mean_zero_and_deviation_one(release):
    view = Intruder().view(release)
    for values in view.only(view.names(Kind.ORDERED)).standardised():
        assert values.mean(axis=0) == pytest.approx(np.zeros(4), abs=1e-12)
        assert values.std(axis=0, ddof=1) == pytest.approx(np.ones(4))


def test_files_of_the_same_values_are_standardised_alike_to_the_last_bit():
    data = numeric(correlated(500, 2, seed=3))
    order = np.random.default_rng(1).permutation(500)
    shuffled = data.take(order)
    known, released = Intruder().view(Release.in_order(data, shuffled)).standardised()
    assert np.array_equal(known[order], released)


def test_errors_in_what_is_known_do_not_hang_on_what_else_is_known(release):
    alone = Intruder(attributes=("rent",), noise=0.3).known_file(release, seed=1)
    among = Intruder(attributes=("age", "rent"), noise=0.3, records=(4, 9)).known_file(release, seed=1)
    assert among.columns["rent"].tolist() == alone.columns["rent"][[4, 9]].tolist()


def test_the_errors_are_as_large_as_declared():
    data = numeric(correlated(5000, 1, seed=5))
    error = Intruder(noise=0.2).known_file(Release.in_order(data, data), seed=1).columns["a"] - data.columns["a"]
    assert error.std() == pytest.approx(0.2 * data.columns["a"].std(), rel=0.05)


def test_a_share_of_the_values_is_not_known_after_all():
    data = a_file(2000)
    file = Intruder(missing=0.3).known_file(Release.in_order(data, data.without(["name"])), seed=1)
    for name in ("age", "grade", "town"):
        assert file.missing(name) / 2000 == pytest.approx(0.3, abs=0.04)


def test_who_misses_values_finds_fewer_and_still_some():
    data = numeric(correlated(200, 3, seed=6))
    found = [
        build("risk", name).measure(Release.in_order(data, data), Intruder(missing=missing), seed=1).value
        for name in ("distance-linkage", "mixed-linkage")
        for missing in (0, 0.5)
    ]
    assert found[0] == found[2] == 1
    assert 0 < found[1] < 1 and 0 < found[3] < 1


def test_who_knows_nothing_of_a_record_guesses():
    data = numeric(correlated(20, 2, seed=7))
    score = build("risk", "distance-linkage").measure(Release.in_order(data, data), Intruder(missing=1.0), seed=1)
    assert score.value == pytest.approx(score.baseline)


@pytest.mark.parametrize("missing", [-0.1, 1.1, float("nan")])
def test_a_share_of_unknown_values_out_of_range_is_refused(missing):
    with pytest.raises(ParameterError, match="unknown values"):
        Intruder(missing=missing)


@pytest.mark.parametrize("links", [[0, 1, 2], [-1, -1, -1], [1, -1, 0]])
def test_links_name_a_row_of_the_other_release_or_none(links):
    other = OtherRelease(a_file(3), None, np.array(links))
    assert other.linked(3).tolist() == links
    assert OtherRelease(a_file(3)).linked(3) is None
    assert OtherRelease.in_order(a_file(3)).linked(3).tolist() == [0, 1, 2]


@pytest.mark.parametrize(("links", "rows"), [([0, 1, 3], 3), ([0, -2, 1], 3), ([0, 1], 3), ([0, 1, 2], 2)])
def test_links_that_name_no_row_are_refused(links, rows):
    with pytest.raises(ParameterError, match="one of the 3 rows"):
        OtherRelease(a_file(3), None, np.array(links)).linked(rows)


def test_no_links_of_no_rows_are_links():
    assert OtherRelease(a_file(3), None, np.array([], dtype=int)).linked(0).tolist() == []


def test_limits_of_the_shares_are_accepted():
    intruder = Intruder(records=1, missing=1, noise=0)
    assert (intruder.records, intruder.missing, intruder.noise) == (1, 1, 0)
    assert Intruder(records=1.0, missing=0).missing == 0
    assert Intruder(records=[3, 1]).records == (3, 1)


@pytest.mark.parametrize(("share", "count"), [(0.01, 1), (0.1, 4), (0.99, 40), (1.0, 40)])
def test_at_least_one_record_is_known(release, share, count):
    known = Intruder(records=share).known_records(release)
    assert len(known) == len(set(known.tolist())) == count and known.tolist() == sorted(known)
    drawn = child(generator(0), "intruder", "records").choice(40, count, replace=False)
    assert known.tolist() == sorted(drawn.tolist())


def test_errors_and_gaps_are_drawn_by_attribute_and_record(release):
    intruder = Intruder(records=(3, 9), noise=0.5, missing=0.4)
    file = intruder.known_file(release, seed=2)
    for name in ("rent", "town"):
        draws = child(generator(2), "intruder", name)
        plain = release.original.columns[name]
        values = plain.astype(float)
        if name == "rent":
            values = plain + 0.5 * plain.std() * draws.standard_normal(40)
        values[child(draws, "missing").random(40) < 0.4] = np.nan if name == "rent" else -1
        assert np.array_equal(file.columns[name], values[[3, 9]], equal_nan=True)
    assert np.array_equal(
        intruder.known_file(release).columns["rent"], intruder.known_file(release, seed=0).columns["rent"], True
    )


def test_a_view_says_what_is_exact_and_what_is_not_known(release):
    plain, disturbed = Intruder().view(release), Intruder(noise=0.2, missing=0.1).view(release)
    assert (plain.exact, plain.error, plain.holes, plain.also) == (True, 0.0, False, ())
    assert (disturbed.exact, disturbed.error, disturbed.holes) == (False, 0.2, True)
    assert len(plain) == 40 and plain.released.lineage is None
    own = External(pl.DataFrame({"rent": [1.0, 2.0]}))
    assert not Intruder(file=own).view(release).exact


def test_a_file_of_ones_own_is_known_by_all_its_columns(release):
    own = External(release.original.only(["rent", "savings"]).to_frame())
    assert Intruder(file=own).known_attributes(release) == ("rent", "savings")
    assert Intruder(file=own, attributes=["rent"]).known_attributes(release) == ("rent",)


def test_another_release_is_seen_with_the_attributes_that_it_shares(release):
    same = OtherRelease.in_order(release.masked.only(["rent", "town"]))
    unlinked = OtherRelease(release.masked.only(["rent"]))
    strange = OtherRelease(release.masked.only(["savings"]))
    also = Intruder(also=(same, unlinked, strange)).view(release).also
    assert [view.attributes for view, _ in also] == [("rent", "town"), ("rent",)]
    assert also[0][1].tolist() == list(range(40)) and also[1][1] is None
    assert all(view.also == () for view, _ in also)


def test_a_number_that_was_released_as_a_text_is_not_known(release):
    original = Microdata.from_frame(pl.DataFrame({"a": [1.5, 2.5], "b": [1.0, 2.0]}))
    masked = Microdata.from_frame(pl.DataFrame({"a": ["low", "high"], "b": [1.0, 2.0]}))
    intruder = Intruder(attributes=("a", "b"))
    assert intruder.known_attributes(Release.in_order(original, masked)) == ("b",)
    assert intruder.known_attributes(Release.in_order(original, original), Kind.CATEGORICAL) == ()


def test_scenarios_are_the_sets_of_the_rule(release):
    intruder = Intruder(attributes=("age", "rent", "town"), knowledge=Knowledge.from_text("sampled-subsets(2+1+2)"))
    view = intruder.view(release)
    assert [each.attributes for each in intruder.scenarios(view)] == [
        tuple(names) for names in intruder.knowledge.sets(view.attributes, child(generator(0), "intruder", "knowledge"))
    ]
    assert all(set(each.attributes) <= {"age", "rent"} for each in intruder.scenarios(view, Kind.ORDERED))


def test_a_view_is_exact_and_complete_unless_it_says_otherwise():
    data = a_file(2)
    view = AttackerView(("age",), np.arange(2), data.only(["age"]), data, data, ("age",))
    assert (view.recipe, view.exact, view.error, view.holes, view.also) == (None, True, 0.0, False, ())
