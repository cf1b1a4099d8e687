"""What the laws of the intruder use of a recipe and of what is known: each test names what once was lost."""

import numpy as np
import pytest

from sdckit.catalogue import build
from sdckit.external import External
from sdckit.intruder import Intruder
from sdckit.laws.informed import informed_law
from sdckit.laws.release_law import Source
from sdckit.release import protect
from sdckit.risk.intruder.informed_intruder import InformedIntruder
from sdckit.testing.files import a_file

KEYS = ("age", "yearly income", "rent", "grade", "town")


def law_of(release, **knowledge):
    return informed_law(Intruder(**knowledge).view(release, seed=1), np.random.default_rng(1))


def names_of_blocks(law) -> list[str]:
    return sorted(name for block in law.blocks for name in block.names)


@pytest.mark.parametrize("steps", [["additive-noise"], ["pram", "additive-noise"]])
def test_sampling_leaves_every_attribute_one_block(steps):
    """A sampling step touches every column, and every group of steps after it then has them all."""
    data = a_file(60).only(["age", "yearly income", "town"])
    law = law_of(protect(data, ["simple-sampling:share=0.5", *steps], seed=1))
    assert names_of_blocks(law) == ["age", "town", "yearly income"]


def test_a_missing_value_of_one_number_leaves_the_others_known():
    """(NaN, x) @ slope is NaN in every column."""
    release = protect(a_file(60).only(["age", "yearly income"]), "additive-noise", seed=1)
    view = Intruder(missing=0.4).view(release, seed=1)
    for block in informed_law(view, np.random.default_rng(1)).blocks:
        unknown = np.isnan(block.of_record[:, 0]) if block.of_record.ndim == 2 else block.of_record == -1
        assert np.array_equal(unknown, view.known.absent(block.names[0]))


@pytest.mark.parametrize("recipe", ["z-score-projection", "v-mdav"])
def test_a_method_that_refuses_missing_values_still_has_a_law(recipe):
    """`whole` is true although values are missing; the replay is refused and nothing is said of the attributes."""
    law = law_of(protect(a_file(60).only(["age", "yearly income", "town"]), recipe, seed=1), missing=0.4)
    assert {"age", "yearly income"} <= set(names_of_blocks(law))


@pytest.mark.parametrize("noise", [0.02, 0.1])
def test_known_numbers_with_an_error_still_say_much(noise):
    """An unmasked number must be equal, which no number with an error is."""
    release = protect(a_file(150), "pram", ["town"], seed=1)
    intruder = Intruder(KEYS, noise=noise)
    ours, theirs = (
        build("risk", name).measure(release, intruder).value for name in ("informed-intruder", "distance-linkage")
    )
    assert ours >= theirs - 0.015


def test_an_own_file_is_as_good_as_a_part_of_the_records():
    """Ranks among the few known records are not ranks among the released ones."""
    release = protect(a_file(200, seed=40), "rank-swapping", seed=0)
    intruder = Intruder(file=External(release.original.only(KEYS).take(np.arange(60))))
    ours, theirs = (build("risk", name).measure(release, intruder) for name in ("informed-intruder", "mixed-linkage"))
    assert np.nanmean(ours.by_record) >= np.nanmean(theirs.by_record) - 0.015


@pytest.mark.slow
@pytest.mark.parametrize("recipe", ["bounded-noise", "multiplicative-noise", "mdav", "z-score-projection"])
def test_a_part_of_the_records_is_attacked_no_worse_than_by_mixed_linkage(recipe):
    gaps = []
    for seed in range(4):
        release = protect(a_file(200, seed=40 + seed), recipe, seed=seed)
        intruder = Intruder(KEYS, records=0.3)
        ours, theirs = (
            build("risk", name).measure(release, intruder) for name in ("informed-intruder", "mixed-linkage")
        )
        gaps.append(ours.by_record - theirs.by_record)
    by_record = np.concatenate(gaps)
    by_record = by_record[~np.isnan(by_record)]
    assert by_record.mean() + 3.29 * by_record.std() / np.sqrt(len(by_record)) >= -0.015


def test_expected_found_is_found_where_many_rows_are_likely():
    """Of 300 likely rows 100 are listed and share all of the probability."""
    gaps = []
    for seed in range(4):
        data = a_file(300, seed=seed).only(["yearly income", "rent"])
        score = InformedIntruder().measure(protect(data, "additive-noise:variance_share=1", seed=seed))
        gaps.append(score.details["expected_found_bracket"][0] - score.value)
    assert np.mean(gaps) <= 4 * np.std(gaps, ddof=1) / 2 + 0.005


def test_what_leaves_out_likelihood_is_no_bound():
    data = a_file(300).only(["yearly income", "rent"])
    score = InformedIntruder().measure(protect(data, "additive-noise:variance_share=1", seed=1))
    assert score.details["likelihood_left_out"] < 0.01 or not score.details["expected_found_is_bound"]


def test_missing_knowledge_is_no_bound():
    release = protect(a_file(60).only(["age", "town"]), "additive-noise", ["age"], seed=1)
    assert InformedIntruder().measure(release).details["expected_found_is_bound"]
    assert not InformedIntruder().measure(release, Intruder(missing=0.2)).details["expected_found_is_bound"]


@pytest.mark.parametrize("recipe", ["pram", "multiplicative-noise"])
def test_a_closed_law_is_used(recipe):
    release = protect(a_file(60), recipe, seed=1)
    law = law_of(release)
    assert {law.sources[name] for name in release.recipe.touched(release.masked)[0]} == {Source.EXACT}


def test_optimal_univariate_after_sampling_is_attacked():
    data = a_file(200).only(["age", "yearly income", "rent"])
    release = protect(data, ["simple-sampling:share=0.5", "optimal-univariate"], seed=1)
    assert 0 <= InformedIntruder().measure(release).value <= 0.5


def test_the_variance_of_the_noise_is_known_from_the_file():
    """The intruder knows the whole file, so also the variance that the noise is a share of."""
    data = a_file(8).only(["yearly income"])
    release = protect(data, "additive-noise:variance_share=1", seed=3)
    (block,) = law_of(release).blocks
    before, after = data.columns["yearly income"], release.masked.columns["yearly income"]
    expected = -0.5 * (before[0] - after) ** 2 / before.var()
    found = block.of_pairs(np.zeros(8, int), law_of(release).rows.of)
    assert found - found[0] == pytest.approx(expected - expected[0], rel=0.2)
