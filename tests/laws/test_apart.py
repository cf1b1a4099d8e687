"""A second release that was shuffled apart helps through attributes that the intruder does not know."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse import random as random_matrix

from sdckit.intruder import Intruder, OtherRelease
from sdckit.kernels.sparse_products import pair_products
from sdckit.laws.apart import (
    OTHER_RELEASE,
    OTHER_RELEASES,
    LawBesideOthers,
    OtherLaw,
    _largest,
    _lifts,
    beside_others,
)
from sdckit.laws.blocks import Table
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import ReleaseLaw, RowClasses
from sdckit.laws.row_law import fitted_row_law, in_same_order, published_row_law
from sdckit.microdata import Microdata
from sdckit.release import Release, protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.risk.intruder.ordinary_intruder import OrdinaryIntruder
from sdckit.rows import Matched
from sdckit.testing.files import a_file

KNOWN = ("age", "town", "grade")
NOISE = "additive-noise:variance_share=0.1"
FILES = 5
STUDENT = 7.2  # one-sided quantile at 0.1 % with 4 degrees of freedom
ATTACKS = pytest.mark.parametrize("attack", [InformedIntruder(), OrdinaryIntruder()], ids=lambda attack: attack.name)


def shuffled(masked: Microdata, seed: int) -> Microdata:
    return replace(masked.take(np.random.default_rng(seed).permutation(len(masked))), lineage=None)


def two_releases(first: object, second: object, seed: int, records: int = 120) -> tuple[Release, OtherRelease]:
    data = a_file(records, seed=seed)
    one, other = (protect(data, recipe, seed=50 * seed + draw) for draw, recipe in enumerate((first, second)))
    return one, OtherRelease(shuffled(other.masked, seed), other.recipe)


def test_products_of_pairs_are_those_of_the_matrices():
    one, other = (random_matrix(20, 30, 0.3, format="csr", random_state=seed) for seed in (1, 2))
    for matrix in (one, other):
        matrix.sort_indices()
    lines, others = np.divmod(np.arange(400), 20)
    parts = [(each.indptr.astype(np.int64), each.indices.astype(np.int64), each.data) for each in (one, other)]
    found = pair_products(*parts[0], *parts[1], lines, others)
    assert found.reshape(20, 20) == pytest.approx((one @ other.T).toarray())


@pytest.mark.slow
@ATTACKS
@pytest.mark.parametrize(
    "recipes",
    [(NOISE, NOISE), ("mdav", "rank-swapping:window=0.1"), (NOISE, "simple-sampling:share=0.5")],
    ids=str,
)
def test_it_raises_what_is_found(attack, recipes):
    gains = []
    for seed in range(FILES):
        release, other = two_releases(*recipes, seed=seed)
        alone = attack.measure(release, Intruder(attributes=KNOWN))
        both = attack.measure(release, Intruder(attributes=KNOWN, also=(other,)))
        assert both.details["other_releases"] == ["released apart"]
        gains.append(both.value - alone.value)
    assert np.mean(gains) > 2.13 * np.std(gains, ddof=1) / np.sqrt(FILES)  # one-sided at 5 %


@pytest.mark.slow
@ATTACKS
def test_one_that_says_little_takes_nothing_away(attack):
    gaps = []
    for seed in range(FILES):
        release, other = two_releases(NOISE, "additive-noise:variance_share=25", seed)
        other = replace(other, masked=other.masked.only(["age", "rent"]))
        alone = attack.measure(release, Intruder(attributes=KNOWN)).value
        gaps.append(attack.measure(release, Intruder(attributes=KNOWN, also=(other,))).value - alone)
    assert np.mean(gaps) >= -STUDENT * max(np.std(gaps, ddof=1), 0.005) / np.sqrt(FILES)


def test_what_two_of_them_say_adds_up():
    release, second = two_releases(NOISE, NOISE, seed=1, records=40)
    third = two_releases(NOISE, "rank-swapping:window=0.2", seed=1, records=40)[1]
    third = replace(third, masked=third.masked.only([*KNOWN, "rent"]))  # links by fewer attributes than the second
    view = Intruder(attributes=KNOWN, also=(second, third)).view(release)
    rng = np.random.default_rng(0)
    law = informed_law(view, rng)
    others = [OtherLaw(each, informed_law(each, rng), published_row_law(view, each, rng), 0) for each, _ in view.also]
    records, rows = np.divmod(np.arange(40 * 40), 40)

    def added(label: str, *beside: OtherLaw) -> np.ndarray:
        both = beside_others(law, view, beside)
        return both.of_pairs(records, both.rows.of[rows])[(label,)]

    alone = [added(OTHER_RELEASE, other) for other in others]
    assert all(np.ptp(each) > 1 for each in alone)
    assert added(OTHER_RELEASES, *others) == pytest.approx(sum(alone))


def beside_one(other: OtherRelease, release: Release) -> LawBesideOthers:
    view, rng = Intruder(attributes=KNOWN, also=(other,)).view(release), np.random.default_rng(0)
    (each, _), strangers = view.also[0], max(len(other.masked) - len(view), 0)
    seen = OtherLaw(each, informed_law(each, rng), published_row_law(view, each, rng), strangers)
    both = beside_others(informed_law(view, rng), view, [seen])
    assert isinstance(both, LawBesideOthers)
    return both


def test_those_whom_the_other_release_points_at_are_listed_too():
    """Each pair once, with the sum of what all sources say; only the likeliest row would be listed by the law alone."""
    release, other = two_releases(NOISE, NOISE, seed=1, records=40)
    both, records = beside_one(other, release), np.arange(20, 40)
    alone = ReleaseLaw(both.records, both.rows, both.blocks, both.sources, doubt=both.doubt)
    found, own = both.candidates(1, records), alone.candidates(1, records)
    lines, own_lines = (np.repeat(np.arange(20), np.diff(each.starts)) for each in (found, own))
    listed = list(zip(lines.tolist(), found.classes.tolist(), strict=True))
    line, classes = both.links[0].pointed_at(records)
    possible = sum(alone.of_pairs(records[line], classes).values()) > -np.inf
    pointed = set(zip(line[possible].tolist(), classes[possible].tolist(), strict=True))
    assert len(set(listed)) == len(listed)
    assert set(listed) == pointed | set(zip(own_lines.tolist(), own.classes.tolist(), strict=True))
    assert len(pointed) > 40
    said = sum(both.of_pairs(records[lines], found.classes).values())
    assert found.log_likelihood == pytest.approx(said)
    assert all((np.diff(found.log_likelihood[lines == each]) <= 0).all() for each in range(20))


def test_a_release_with_more_rows_than_people_makes_nobody_more_than_present():
    release, other = two_releases(NOISE, NOISE, seed=1, records=30)
    twice = replace(other, masked=replace(other.masked.take(np.tile(np.arange(30), 2)), lineage=None))
    link = beside_one(twice, release).links[0]
    linked = np.asarray(link.posterior.matrix(link.classes).sum(axis=1)).ravel()
    assert link.otherwise == pytest.approx(1 - linked)


def test_the_largest_values_of_each_line_by_hand():
    matrix = csr_matrix(np.array([[0, 3.0, 1, 2], [0, 0, 0, 0], [5, 4, 6, 0], [0, 0, 0, 1]]))
    kept = _largest(matrix, 2).toarray() > 0
    assert kept.tolist() == [
        [False, True, False, True],
        [False] * 4,
        [True, False, True, False],
        [False, False, False, True],
    ]


def test_the_recipe_of_another_release_need_not_be_known():
    release, other = two_releases(NOISE, NOISE, seed=2, records=60)
    alone = InformedIntruder().measure(release, Intruder(attributes=KNOWN))
    both = InformedIntruder().measure(release, Intruder(attributes=KNOWN, also=(replace(other, recipe=None),)))
    assert both.details["other_releases"] == ["released apart"]
    assert both.details["expected_found"] > alone.details["expected_found"]


def test_nothing_is_added_where_every_shared_attribute_is_known():
    release, other = two_releases(NOISE, NOISE, seed=1, records=60)
    other = replace(other, masked=other.masked.only(KNOWN))
    alone = InformedIntruder().claims(release, Intruder(attributes=KNOWN))
    both = InformedIntruder().claims(release, Intruder(attributes=KNOWN, also=(other,)))
    assert not isinstance(both.inference.law, LawBesideOthers)
    assert np.array_equal(alone.inference.posterior.probability, both.inference.posterior.probability)


@ATTACKS
def test_the_correspondence_is_never_used(attack):
    release, other = two_releases(NOISE, "rank-swapping", seed=2, records=60)
    garbage = replace(release, rows=Matched(np.random.default_rng(5).permutation(60)))
    intruder = Intruder(attributes=KNOWN, also=(other,))
    one, same = (attack.claims(each, intruder).inference for each in (release, garbage))
    assert isinstance(one.law, LawBesideOthers)
    assert one.posterior.probability.tobytes() == same.posterior.probability.tobytes()


def test_the_order_of_the_rows_of_the_other_does_not_matter():
    release, other = two_releases(NOISE, NOISE, seed=3, records=60)
    again = replace(other, masked=shuffled(other.masked, 8))
    values = [
        InformedIntruder().claims(release, Intruder(attributes=KNOWN, also=(each,))).confidence
        for each in (other, again)
    ]
    assert np.mean(np.abs(values[0] - values[1])) < 0.05


def test_lists_stay_short():
    release, other = two_releases(NOISE, NOISE, seed=4, records=200)
    law = InformedIntruder().claims(release, Intruder(attributes=KNOWN, also=(other,))).inference.law
    assert np.diff(law.links[0].lifts.starts).max() <= 60 * law.rows.sizes.max()


@pytest.mark.parametrize("row_law", [published_row_law, fitted_row_law])
def test_the_same_order_is_seen_in_the_rows(row_law):
    data = a_file(120, seed=6)
    data = data.take(np.argsort(data.columns["town"], kind="stable"))  # near rows are alike
    first, second = (protect(data, NOISE, seed=seed) for seed in (1, 2))
    within = np.lexsort((np.random.default_rng(1).random(120), data.columns["town"]))
    apart = replace(second.masked.take(within), lineage=None)
    for masked, ordered in ((second.masked, True), (apart, False)):
        view = Intruder(attributes=KNOWN, also=(OtherRelease(masked, second.recipe),)).view(first)
        law = row_law(view, view.also[0][0], np.random.default_rng(0))
        assert in_same_order(law) is ordered


def test_weights_of_a_sample_are_not_compared():
    release, other = two_releases(NOISE, "simple-sampling:share=0.5", seed=7)
    view = Intruder(attributes=KNOWN, also=(other,)).view(release)
    assert "weight" not in published_row_law(view, view.also[0][0], np.random.default_rng(0)).sources


@pytest.mark.parametrize("lines", [np.arange(6), np.array([0, 2, 3])])
def test_a_lift_compares_a_row_of_the_other_with_all_of_them(lines):
    """On average over all rows of the other release, none is likelier than for anybody; likelihoods may be tiny."""
    sizes = np.array([1, 2, 3])
    partners = RowClasses(np.repeat(np.arange(3), sizes), sizes, np.array([0, 1, 3]))
    own = RowClasses(np.repeat(np.arange(3), 2), np.full(3, 2), np.array([0, 2, 4]))
    likelihood = np.random.default_rng(1).gamma(1.0, size=(6, 3))
    law = ReleaseLaw(6, partners, (Table(("x",), np.log(likelihood) - 900, np.arange(6), np.arange(3)),), {})
    lifts = _lifts(law, lines, own).toarray()
    for group in np.unique(own.of[lines]):
        assert lifts[group] @ sizes / 6 == pytest.approx(1.0, abs=1e-5)
        if len(lines) < 6:
            members = likelihood[lines[own.of[lines] == group]]
            assert lifts[group] == pytest.approx((members / (members @ sizes / 6)[:, None]).mean(axis=0))
    if len(lines) == 6:  # every row of the other has one of these
        assert own.sizes / 6 @ lifts == pytest.approx(1.0, abs=0.01)
