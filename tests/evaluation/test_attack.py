"""An ordinary and an informed intruder, side by side."""

import json

import numpy as np
import polars
import pytest
from tests.methods.files import correlated, numeric

from sdckit.errors import NotApplicableError
from sdckit.evaluation.assess import assess
from sdckit.evaluation.attack import attack, attack_by_stages
from sdckit.evaluation.known_sets import RECORDS, KnownSets, numbers_known
from sdckit.evaluation.measurement import Measurement, main_attacks, of_few_records
from sdckit.external import External
from sdckit.intruder import Intruder
from sdckit.methods.noise.additive_noise import AdditiveNoise
from sdckit.methods.swapping.rank_swapping import RankSwapping
from sdckit.microdata import Microdata
from sdckit.release import Release, protect
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder


def release_of(records: int = 120) -> Release:
    return protect(numeric(correlated(records, 3, seed=1)), RankSwapping(window=0.1), seed=1)


@pytest.fixture(scope="module")
def found():
    return attack(release_of(), seed=1)


@pytest.mark.slow
def test_the_scores_are_those_of_the_main_attacks(found):
    informed, ordinary = (Measurement(release_of(), seed=1).score(each) for each in main_attacks())
    assert (found.informed.value, found.ordinary.value) == (informed.value, ordinary.value)
    assert found.leading is found.informed and found.intruders == (found.informed, found.ordinary)
    assert found.cost_of_transparency == informed.value - ordinary.value > 0


@pytest.mark.slow
def test_every_stage_adds_to_the_one_before_and_the_last_is_the_attack(found):
    *before, last = attack_by_stages(release_of(), seed=1)
    assert last.to_dict() == found.to_dict()
    scores, by_attribute = before[0], before[1:4]
    assert scores.to_dict() | {"curve": None, "worth_of_attributes": None} == last.to_dict() | {
        "curve": None,
        "worth_of_attributes": None,
    }
    assert not scores.curve and not scores.worth
    assert [len(each.worth) for each in by_attribute] == [1, 2, 3]
    assert [len(each.curve) for each in (*before, last)] == [0, 0, 0, 0, 1, 2, 3]


def test_a_measure_of_few_records_attacks_no_more_and_keeps_a_smaller_number():
    for measure in main_attacks():
        assert of_few_records(measure, 20).measure(release_of()).details["records_attacked"] == 20
        assert of_few_records(of_few_records(measure, 20), 50).targets == 20


@pytest.mark.slow
def test_more_attributes_known_find_more(found):
    assert [each.known for each in found.curve] == [1, 2, 3]
    assert found.curve[0].ordinary < found.curve[-1].ordinary
    assert found.curve[0].informed < found.curve[-1].informed


def test_the_last_point_of_the_curve_is_the_score_with_everything_known(found):
    assert found.curve[-1].ordinary == found.ordinary.value
    assert found.curve[-1].informed == found.informed.value


def test_the_worth_of_an_attribute_is_what_is_lost_without_it(found):
    names = found.attributes
    for each in found.worth:
        others = tuple(name for name in names if name != each.attribute)
        alone = Measurement(release_of(), Intruder(attributes=others), 1).score(main_attacks()[0])
        assert each.found_without == alone.value
        assert each.worth == found.informed.value - alone.value
    assert {each.attribute for each in found.worth} == set(names)
    assert [each.worth for each in found.worth] == sorted((each.worth for each in found.worth), reverse=True)


def test_the_explained_records_are_the_most_confident_correct_claims(found):
    claims = main_attacks()[0].claims(release_of(), seed=1)
    confidence = dict(zip(claims.view.records[claims.judged].tolist(), claims.confidence, strict=True))
    correct = dict(zip(claims.view.records[claims.judged].tolist(), claims.correct, strict=True))
    explained = [each.record for each in found.explanations]
    assert len(explained) == 5 and all(correct[record] > 0 for record in explained)
    least = min(confidence[record] for record in explained)
    left_out = [record for record in confidence if correct[record] > 0 and record not in explained]
    assert all(confidence[record] <= least + 1e-9 for record in left_out)
    assert all(each.weights and set("".join(w.label for w in each.weights)) for each in found.explanations)


def test_categories_count_for_both_intruders():
    rng = np.random.default_rng(3)
    frame = polars.DataFrame({"age": rng.normal(size=60), "town": rng.choice(list("abcdef"), 60)})
    file = Microdata.from_frame(frame, roles={"age": "key", "town": "key"})
    found = attack(protect(file, RankSwapping(window=0.2), ["age"], seed=1), seed=1)
    assert found.attributes == ("age", "town")
    assert found.informed.details["laws"] == {"age": "learned", "town": "untouched"}
    alone = next(each for each in found.worth if each.attribute == "town")
    assert alone.worth > 0


def test_an_intruder_without_the_method_is_only_ordinary():
    release = release_of(60)
    for each in (
        attack(release, intruder=Intruder(knows_method=False)),
        attack(Release(release.original, release.masked, None, release.rows)),
    ):
        assert each.informed is None and each.cost_of_transparency is None
        assert all(point.informed is None for point in each.curve)
        assert each.leading is each.ordinary and each.intruders == (each.ordinary,)
        assert each.worth and each.explanations


@pytest.mark.slow
def test_a_file_that_another_recipe_masked_has_records_without_a_possible_row():
    release = protect(numeric(correlated(80, 3, seed=2)), RankSwapping(window=0.3), seed=1)
    narrow = protect(numeric(correlated(80, 3, seed=2)), RankSwapping(window=0.02), seed=1).recipe
    assert attack(Release(release.original, release.masked, narrow, release.rows)).impossible > 0
    assert attack(release).impossible == 0


def test_with_a_closed_law_and_everything_known_the_expectation_is_a_bound():
    found = attack(protect(numeric(correlated(60, 2, seed=2)), AdditiveNoise(variance_share=0.2), seed=1))
    assert found.informed.details["expected_found_is_bound"]
    assert set(found.informed.details["laws"].values()) == {"exact"}
    assert not found.ordinary.details["expected_found_is_bound"]


def test_the_result_is_plain_json_with_record_numbers_and_names_alone(found):
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert "by_record" not in json.dumps(document)
    assert set(document["explanations"][0]) == {"record", "confidence", "rows_open", "weights"}
    assert document["worth_of_attributes"][0]["attribute"] in found.attributes
    assert document["cost_of_transparency"] == found.cost_of_transparency
    assert "informed-intruder" in found._repr_html_()


def test_nothing_known_is_nothing_to_attack_with():
    with pytest.raises(NotApplicableError):
        attack(Release.in_order(release_of().original.with_roles(a="other", b="other", c="other"), release_of().masked))


def test_in_a_large_file_the_sets_are_attacked_with_some_records_known():
    data = numeric(correlated(2 * RECORDS + 1, 2, seed=3))
    sets = KnownSets(Release.in_order(data, data), Intruder(), ("a", "b"), main_attacks()[1], None)
    assert not sets.whole
    assert KnownSets(release_of(), Intruder(), ("a", "b"), main_attacks()[1], None).whole


def test_a_small_file_of_the_intruders_own_is_known_whole_beside_a_large_release():
    data = numeric(correlated(2 * RECORDS + 1, 2, seed=3))
    holder = Intruder(file=External(data.take(np.arange(40)), record=range(40)))
    sets = KnownSets(Release.in_order(data, data), holder, ("a", "b"), main_attacks()[1], None)
    assert sets.whole


@pytest.mark.parametrize(("attributes", "tried"), [(1, [1]), (3, [1, 2, 3]), (5, list(range(1, 6)))])
def test_few_numbers_of_attributes_are_all_tried(attributes, tried):
    assert numbers_known(attributes) == tried


def test_many_numbers_range_from_one_to_all():
    tried = numbers_known(30)
    assert tried[0] == 1
    assert tried[-1] == 30
    assert len(tried) == 5


def test_an_attack_beside_an_assessment_measures_no_intruder_twice(monkeypatch):
    release = release_of(40)
    alone, scores = attack(release, sets=False), assess(release, ["ordinary-intruder", "informed-intruder"])
    monkeypatch.setattr(OrdinaryIntruder, "claims", lambda *_, **__: pytest.fail("measured again"))
    beside = attack(release, sets=False, measured=scores)
    assert beside.to_dict() == alone.to_dict()
