"""Attacks are made from the attacker's view alone: the correspondence of rows and records changes nothing."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.catalogue import entries
from sdckit.intruder import Intruder
from sdckit.laws.inference import inferred
from sdckit.measure import Cost, Need
from sdckit.microdata import Microdata
from sdckit.release import Release, protect
from sdckit.risk.intruder.joint_attack import JointAttack
from sdckit.risk.linkage.linkage import Linkage
from sdckit.risk.transparency.intersection_attack import IntersectionAttack
from sdckit.risk.transparency.posterior_attack import visible_laws
from sdckit.risk.transparency.row_likelihoods import RowLikelihoods
from sdckit.rows import NOBODY, Matched, Sampled, Unknown
from sdckit.testing.files import a_file

LINKAGES = [
    entry.build()
    for entry in entries("risk", Microdata)
    if issubclass(entry.component, Linkage) and Need.TRUTH not in entry.component.needs
]
JOINT = [entry.build() for entry in entries("risk", Microdata) if issubclass(entry.component, JointAttack)]
RECIPES = {
    "one step": "rank-swapping:window=0.2",
    "a chain": ("rank-swapping:window=0.2", "additive-noise:variance_share=0.1"),
    "categories": ("pram", "local-suppression"),
}
MORE_RECIPES = {
    "groups": "mdav",
    "noise": "additive-noise",
    "groups and noise": ("mdav", "additive-noise"),
    "rare values": "value-flip",
    "a sample": ("simple-sampling:share=0.6", "rank-swapping:window=0.2"),
}


@pytest.fixture(params=RECIPES.values(), ids=RECIPES)
def release(request) -> Release:
    return protect(a_file(50), request.param, seed=1)


def with_other_rows(release: Release) -> list[Release]:
    """The same files with correspondences that are wrong, and none."""
    rows = len(release.masked)
    lineage = np.random.default_rng(3).permutation(rows)
    made_up = replace(release.masked, lineage=lineage)
    wrong = (Matched(lineage), Sampled(np.full(rows, NOBODY)), Unknown("nobody says"))
    return [
        *(Release(release.original, release.masked, release.recipe, each) for each in wrong),
        Release(release.original, made_up, release.recipe),
    ]


def assert_same_bytes(make, release):
    expected = make(Intruder(noise=0.01).view(release, seed=1))
    for other in with_other_rows(release):
        assert make(Intruder(noise=0.01).view(other, seed=1)) == expected


@pytest.mark.parametrize("linkage", LINKAGES, ids=lambda linkage: linkage.name)
def test_links_do_not_depend_on_the_truth(linkage, release):
    def links(view):
        return linkage.attempt(view.only(view.names(linkage.kinds)), seed=1).targets().tobytes()

    assert_same_bytes(links, release)


def test_candidates_do_not_depend_on_the_truth(release):
    def candidates(view):
        found = IntersectionAttack().attack(view).links(np.arange(len(view)))
        return found.count.tobytes(), found.nearest.tobytes(), found.ties.tobytes()

    assert_same_bytes(candidates, release)


def test_posteriors_do_not_depend_on_the_truth(release):
    def posterior(view):
        likelihoods = RowLikelihoods.of(view, list(visible_laws(view, seed=1)))
        return [block.tobytes() for _, block in likelihoods.blocks()]

    assert_same_bytes(posterior, release)


@pytest.mark.parametrize(
    "recipe",
    [
        *(pytest.param(recipe, id=label) for label, recipe in RECIPES.items()),
        *(pytest.param(recipe, id=label, marks=pytest.mark.slow) for label, recipe in MORE_RECIPES.items()),
    ],
)
@pytest.mark.parametrize(
    "attack",
    [pytest.param(each, id=each.name, marks=[pytest.mark.slow] * (each.cost is Cost.SLOW)) for each in JOINT],
)
def test_laws_and_joint_inference_do_not_depend_on_the_truth(attack, recipe):
    release = protect(a_file(50), recipe, seed=1)

    def law_and_posterior(view):
        law = attack.law(view, np.random.default_rng(1))
        strangers = max(len(view.original) - len(view), 0)
        inference = inferred(view, law, np.random.default_rng(2), strangers=strangers)
        pairs = law.of_pairs(np.repeat(np.arange(10), 10), np.tile(np.arange(10), 10))
        values = (inference.edge, inference.confidence, inference.rows_open, inference.posterior.probability)
        return [each.tobytes() for each in (*pairs.values(), *values)]

    assert_same_bytes(law_and_posterior, release)


def test_the_view_has_no_lineage(release):
    shown = Intruder().view(
        Release(release.original, replace(release.masked, lineage=np.arange(len(release.masked))), release.recipe)
    )
    assert shown.released.lineage is None
