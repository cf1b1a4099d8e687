"""The law of a chain starts from what its first, deterministic steps make of the whole file."""

import numpy as np
import pytest

from sdckit.laws.chain_law import components
from sdckit.laws.release_law import Source
from sdckit.laws.replays import Replay, same
from sdckit.recipe import Recipe
from sdckit.release import protect
from sdckit.risks import InformedIntruder
from sdckit.testing.files import a_file
from tests.laws.test_informed_law import law_of, table_of

NAMES = ("yearly income", "rent")


def test_noise_after_groups_is_noise_about_their_means():
    """The members of a group are equally likely for each of its rows, and the law is that of the noise alone."""
    data = a_file(60).only(NAMES)
    release = protect(data, ["mdav", "additive-noise:variance_share=0.05"], seed=1)
    law = law_of(release)
    assert set(law.sources.values()) == {Source.EXACT}
    means = protect(data, "mdav", seed=1).masked.matrix(NAMES)
    rows, deviation = release.masked.matrix(NAMES), np.sqrt(0.05) * means.std(axis=0, ddof=1)
    expected = -0.5 * (((rows[None, :, :] - means[:, None, :]) / deviation) ** 2).sum(axis=2)
    gap = table_of(law) - expected
    assert gap == pytest.approx(np.broadcast_to(gap.mean(axis=1, keepdims=True), gap.shape), abs=1e-3)


def test_an_attribute_that_only_a_first_step_masks_is_equal_to_its_result():
    data = a_file(60)
    release = protect(data, Recipe((*Recipe.of("mdav", NAMES).steps, *Recipe.of("additive-noise", ["rent"]).steps)))
    law = law_of(release, attributes=NAMES)
    assert law.sources == {"yearly income": Source.REPLAYED, "rent": Source.EXACT}
    assert np.isfinite(np.diag(table_of(law))).all()


@pytest.mark.parametrize("chain", [["mdav", "simple-sampling"], ["simple-sampling", "additive-noise"]])
def test_sampling_takes_nothing_from_a_law_that_needs_no_rank(chain):
    release = protect(a_file(90).only(NAMES), chain, seed=1)
    assert Source.LEARNED not in law_of(release).sources.values()


def test_a_step_depends_on_one_that_masked_what_it_reads():
    data = a_file(60)
    alone = Recipe.of("pram", ["town"])
    flips = Recipe.of("value-flip", ["post code"])
    recipe = Recipe((*alone.steps, *flips.steps))
    assert components(recipe, data) == [[0, 1]]
    random = Recipe((*alone.steps, *Recipe.of("value-flip:rarest=false", ["post code"]).steps))
    assert components(random, data) == [[0], [1]]


@pytest.mark.parametrize("first", ["global-recoding", "local-recoding:threshold=9"])
def test_a_coarser_category_of_a_first_step_is_a_value_of_the_next_ones(first):
    """The file that enters a random step has categories that the original lacks: no record loses its row by them."""
    data = a_file(60, coarse=True)
    chain = Recipe(
        (
            *Recipe.of(first, ["post code"]).steps,
            *Recipe.of("pram", ["town"]).steps,
            *Recipe.of("local-suppression", ["post code", "town"]).steps,
        )
    )
    release = protect(data, chain, seed=1)
    assert len(release.masked.attribute("post code").categories) > len(data.attribute("post code").categories)
    law = law_of(release, attributes=("post code", "town"))
    assert np.isfinite(np.diag(table_of(law))).all()


def test_a_number_is_no_band_before_the_step_that_recodes_it():
    """Deterministic steps are replayed one by one, also where a later one recodes a number of the file to bands."""
    names = ("post code", "town", "age")
    chain = Recipe(
        (
            *Recipe.of("global-recoding", ["post code"]).steps,
            *Recipe.of("global-recoding-breaks:breaks=43+46", ["age"]).steps,
            *Recipe.of("local-suppression", names).steps,
        )
    )
    release = protect(a_file(60, coarse=True), chain, seed=1)
    law = law_of(release, attributes=names)
    assert set(law.sources.values()) == {Source.REPLAYED}
    assert np.isfinite(np.diag(table_of(law))).all()


def test_counts_of_a_sampled_file_are_not_those_of_the_original():
    """What is rare in a sample may be frequent in the original: recoding rare values is not determined by that."""
    data = a_file(30, seed=2, coarse=True)
    chain = (*Recipe.of("simple-sampling:share=0.6", ["age"]).steps,)
    rare = Recipe.of("local-recoding:threshold=9", ["post code"]).steps
    release = protect(data, Recipe((*chain, *rare)), seed=1)
    law = law_of(release)
    truth = release.true_rows(np.arange(len(data)))
    released = np.flatnonzero(truth >= 0)
    assert np.isfinite(table_of(law)[released, truth[released]]).all()
    assert law_of(protect(data, Recipe((*rare, *chain)), seed=1)).sources["post code"] is Source.EXACT


def test_two_replays_are_the_same_by_their_values_and_holes_and_rows():
    file = a_file(3).only(NAMES)
    full, holed, moved = (
        file.with_columns({"rent": np.array(rent)}) for rent in ([5, 6, 7], [5, np.nan, 7], [5, 6, 8])
    )
    one = Replay(holed, np.arange(3), file)
    assert same(one, Replay(holed, np.arange(3), file), NAMES)
    assert not same(one, Replay(full, np.arange(3), file), NAMES)
    assert not same(Replay(moved, np.arange(3), file), Replay(full, np.arange(3), file), NAMES)
    assert same(Replay(moved, np.arange(3), file), Replay(full, np.arange(3), file), NAMES[:1])
    assert not same(one, Replay(holed, np.array([0, 2, 1]), file), NAMES)


@pytest.mark.slow
def test_claims_after_groups_and_noise_are_calibrated():
    scores = []
    for seed in range(4):
        release = protect(a_file(300, seed=seed).only(NAMES), ["mdav", "additive-noise:variance_share=0.01"], seed=seed)
        scores.append(InformedIntruder().measure(release))
    found, expected = (
        np.mean(each) for each in ([s.value for s in scores], [s.details["expected_found"] for s in scores])
    )
    assert found == pytest.approx(expected, abs=0.03)
    assert found <= 1 / 3 + 0.03
