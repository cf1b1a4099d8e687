"""An ordinary and an informed intruder, side by side."""

import json

import numpy as np
import polars
import pytest
from tests.methods.files import correlated, numeric

from sdckit.errors import NotApplicableError
from sdckit.evaluation.attack import attack, numbers_known
from sdckit.intruder import Intruder
from sdckit.methods.microaggregation.mdav import Mdav
from sdckit.methods.randomisation.pram import Pram
from sdckit.methods.swapping.rank_swapping import RankSwapping
from sdckit.microdata import Microdata
from sdckit.release import Release, protect


def release_of(records: int = 150) -> Release:
    return protect(numeric(correlated(records, 4, seed=1)), RankSwapping(window=0.1), seed=1)


def test_the_informed_intruder_finds_at_least_what_the_ordinary_one_does():
    found = attack(release_of(), seed=1)
    assert set(found.informed) == {"intersection-attack", "posterior-attack"}
    assert found.worst.value >= found.ordinary.value
    assert all(each.informed is not None and each.informed >= each.ordinary for each in found.curve)


def test_more_attributes_known_find_more():
    curve = attack(release_of(), seed=1).curve
    assert [each.known for each in curve] == [1, 2, 3, 4]
    assert curve[0].ordinary < curve[-1].ordinary
    assert curve[0].informed < curve[-1].informed


def test_the_last_point_of_the_curve_is_the_score_with_everything_known():
    found = attack(release_of(), seed=1)
    assert found.curve[-1].ordinary == found.ordinary.value
    assert found.curve[-1].informed == found.worst.value


def test_categories_count_for_both_intruders():
    rng = np.random.default_rng(3)
    frame = polars.DataFrame({"age": rng.normal(size=80), "town": rng.choice(list("abcdef"), 80)})
    file = Microdata.from_frame(frame, roles={"age": "key", "town": "key"})
    found = attack(protect(file, RankSwapping(window=0.2), ["age"], seed=1), seed=1)
    assert found.attributes == ("age", "town") and found.ordinary.name == "mixed-linkage"
    assert [each.known for each in found.curve] == [1, 2]
    assert found.curve[-1].ordinary == found.ordinary.value
    only = attack(protect(file.with_roles(age="other"), Pram(stay=0.8), ["town"], seed=1), seed=1)
    assert only.attributes == ("town",)


def test_an_intruder_without_the_method_is_only_ordinary():
    found = attack(release_of(), intruder=Intruder(knows_method=False), seed=1)
    assert not found.informed
    assert all(each.informed is None for each in found.curve)
    assert found.worst is found.ordinary


def test_a_method_without_a_law_is_attacked_by_what_it_excludes():
    release = protect(numeric(correlated(60, 3, seed=2)), Mdav(group_size=3), seed=1)
    assert set(attack(release, seed=1).informed) == {"intersection-attack"}


def test_the_result_is_plain_json_without_records():
    document = json.dumps(attack(release_of(30), seed=1).to_dict(), allow_nan=False)
    assert "by_record" not in document


def test_nothing_known_is_nothing_to_attack_with():
    with pytest.raises(NotApplicableError):
        attack(
            Release.in_order(
                release_of().original.with_roles(a="other", b="other", c="other", d="other"), release_of().masked
            )
        )


@pytest.mark.parametrize(("attributes", "tried"), [(1, [1]), (3, [1, 2, 3]), (8, list(range(1, 9)))])
def test_few_numbers_of_attributes_are_all_tried(attributes, tried):
    assert numbers_known(attributes) == tried


def test_many_are_spread_from_one_to_all():
    tried = numbers_known(30)
    assert tried[0] == 1
    assert tried[-1] == 30
    assert len(tried) == 8
