"""Keyed draws: no two releases share them, nobody finds them by trying, and a record's own do not depend on others."""

import hashlib

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest, norm

import sdckit
from sdckit import draws as draws_module
from sdckit.digest import content_digest
from sdckit.draws import GAP_WORDS, WORDS_AT_ONCE, Draws, ObservedDraws, Secret, derived_key
from sdckit.errors import ParameterError
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe
from sdckit.release import protect

SEEDS_TRIED = 300


def amounts(records: int = 400) -> Microdata:
    rng = np.random.default_rng([7, records])
    return Microdata.from_frame(pl.DataFrame(rng.lognormal(3, 1, (records, 2)), schema=["turnover", "wages"]))


def noise_of(data: Microdata, recipe: object, seed: int | Secret | None) -> np.ndarray:
    """What a masking added to the turnover, in standard deviations of the noise."""
    added = protect(data, recipe, seed=seed).masked.columns["turnover"] - data.columns["turnover"]
    return added / added.std()


def correlation(one: np.ndarray, other: np.ndarray) -> float:
    return abs(float(np.corrcoef(one, other)[0, 1]))


# Secrets ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "guessable"), [(0, True), (31337, True), (2**127 - 1, True), (2**127, False)])
def test_a_seed_of_fewer_than_128_bits_can_be_guessed(seed, guessable):
    assert Secret.of(seed).guessable is guessable


def test_without_a_seed_the_secret_is_128_bits_of_the_operating_system():
    one, other = Secret.of(), Secret.of()
    assert len(one.value) == 16
    assert one.value != other.value
    assert not one.guessable


def test_seeds_of_any_size_give_secrets_of_their_own():
    seeds = [0, 1, 255, 256, 2**64, 2**127, 2**128, 2**128 + 1, 10**100]
    assert len({Secret.of(seed).value for seed in seeds}) == len(seeds)


@pytest.mark.parametrize("seed", [-1, True, 1.5, "1"])
def test_a_seed_that_is_no_whole_number_is_refused(seed):
    with pytest.raises(ParameterError, match="whole number of 0 or more"):
        Secret.of(seed)


def test_neither_a_secret_nor_draws_nor_a_release_show_the_secret():
    release = protect(amounts(20), "additive-noise")
    secret = release.secret
    draws = Draws.of(secret, 3)
    shown = "".join(map(repr, (secret, draws, release))) + release._repr_html_()
    assert str(secret.value)[2:-1] not in shown
    assert secret.value.hex() not in shown
    assert str(draws.key)[2:-1] not in shown


def test_a_release_keeps_its_secret_and_a_file_masked_elsewhere_has_none():
    data = amounts(20)
    assert protect(data, "additive-noise").secret.guessable is False
    assert protect(data, "additive-noise", seed=4).secret == Secret.of(4)
    assert sdckit.Release.in_order(data, data).secret is None


def test_the_secret_of_a_release_repeats_it_exactly():
    data = amounts()
    first = protect(data, "additive-noise")
    again = protect(data, "additive-noise", seed=first.secret)
    assert np.array_equal(first.masked.columns["turnover"], again.masked.columns["turnover"])


# What an intruder tries ---------------------------------------------------------------------------------------------


def seeds_that_undo_the_noise(release: sdckit.Release) -> list[int]:
    """The small seeds whose noise, computed for the true values, gives the released file: the intruder's check.

    The intruder here is given the original to compute the draws from, which is more than anybody has.
    """
    found = []
    for seed in range(SEEDS_TRIED):
        again = protect(release.original, release.recipe, seed=seed).masked
        if np.abs(again.columns["turnover"] - release.masked.columns["turnover"]).max() < 0.05:
            found.append(seed)
    return found


def test_trying_seeds_finds_a_small_seed():
    assert seeds_that_undo_the_noise(protect(amounts(30), "additive-noise", seed=137)) == [137]


def test_trying_seeds_finds_nothing_where_no_seed_was_given():
    assert seeds_that_undo_the_noise(protect(amounts(30), "additive-noise")) == []


def test_one_seed_for_two_shares_of_noise_does_not_cancel_it():
    data = amounts()
    shares = (0.1, 0.25)
    one, other = (protect(data, f"additive-noise:variance_share={share}", seed=5).masked for share in shares)
    a, b = np.sqrt(shares)
    # With one noise z for both releases, x + a z and x + b z, this combination is x.
    combined = (b * one.columns["turnover"] - a * other.columns["turnover"]) / (b - a)
    error = combined - data.columns["turnover"]
    assert error.std() > 0.9 * np.sqrt(2) * a * b / (b - a) * data.columns["turnover"].std()


def test_the_draws_of_releases_that_differ_in_anything_are_uncorrelated():
    data = amounts(2000)
    corrected = data.with_columns({"turnover": np.where(np.arange(2000) == 0, 1.0, data.columns["turnover"])})
    base = noise_of(data, "additive-noise", 5)
    others = [
        noise_of(data, "additive-noise:variance_share=0.2", 5),
        noise_of(data, Recipe.of("additive-noise", ("turnover",)), 5),
        noise_of(data, ["additive-noise:variance_share=0", "additive-noise"], 5),
        noise_of(data, "correlated-noise", 5),
        noise_of(data, "additive-noise", 6),
        noise_of(corrected, "additive-noise", 5),
    ]
    assert max(correlation(base, other) for other in others) < 4 / np.sqrt(2000)


def test_the_attributes_of_a_release_have_uncorrelated_draws():
    data = amounts(2000)
    masked = protect(data, "additive-noise", seed=5).masked
    added = [masked.columns[name] - data.columns[name] for name in ("turnover", "wages")]
    assert correlation(*added) < 4 / np.sqrt(2000)


# Draws by record ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["uniform", "normal"])
@given(
    records=st.integers(0, 60),
    columns=st.integers(0, 7),
    chosen=st.lists(st.integers(0, 59), max_size=30),
)
def test_what_is_drawn_for_a_record_does_not_depend_on_the_others(kind, records, columns, chosen):
    draws = Draws.of(9, records)
    whole = getattr(draws, kind)(columns)
    numbers = [number for number in chosen if number < records]
    assert np.array_equal(getattr(draws.for_records(numbers), kind)(columns), whole[numbers])


@pytest.mark.parametrize("numbers", [[0, 2, 2], [1, 1, 3], [3, 1, 1], [2, 2, 0], [0, 0, 1, 3], [5, 5, 7, 7, 8, 10]])
def test_a_record_that_is_named_twice_draws_the_same_twice(numbers):
    """As many draws are wanted as there are numbers from the lowest to the highest, and some of them twice."""
    draws = Draws.of(9, 11)
    assert np.array_equal(draws.for_records(numbers).normal(2), draws.normal(2)[numbers])


def test_records_far_apart_draw_what_they_draw_among_all():
    records = 3 * GAP_WORDS
    draws = Draws.of(2, records)
    numbers = np.array([records - 1, 0, 1, 2, GAP_WORDS + 7, GAP_WORDS + 8])
    assert np.array_equal(draws.for_records(numbers).normal(3), draws.normal(3)[numbers])


def test_drawing_in_parts_makes_no_seam():
    records = WORDS_AT_ONCE + 5
    draws = Draws.of(2, records)
    parts = [draws.for_records(np.arange(start, min(start + 1001, records))) for start in range(0, records, 1001)]
    assert np.array_equal(np.concatenate([part.uniform(1) for part in parts]), draws.uniform(1))


def test_a_record_with_a_huge_number_can_be_drawn_for():
    draws = Draws.of(2)
    assert np.array_equal(
        draws.for_records([10**15, 10**15 + 1]).normal(3)[1], draws.for_records([10**15 + 1]).normal(3)[0]
    )


def test_a_missing_value_does_not_shift_the_draws_of_the_others():
    rng = np.random.default_rng(3)
    values = rng.normal(size=200)
    draws = Draws.of(4)
    noise = {}
    for gone in (0, 150):
        column = np.where(np.arange(200) == gone, np.nan, values)
        data = Microdata.from_frame(pl.DataFrame({"x": column}))
        masked = sdckit.build("masking", "additive-noise").protect(data, ("x",), draws=draws).columns["x"]
        noise[gone] = (masked - column) / np.nanstd(column, ddof=1)
    both = np.isfinite(noise[0]) & np.isfinite(noise[150])
    assert both.sum() == 198
    assert noise[0][both] == pytest.approx(noise[150][both])


def test_draws_without_records_or_of_other_records_are_an_error():
    with pytest.raises(ValueError, match="for no records"):
        Draws.of(1).uniform(1)
    with pytest.raises(ValueError, match="3 records"):
        Draws.of(1, 3).over(4)


# Distributions ------------------------------------------------------------------------------------------------------


def test_normal_draws_are_standard_normal():
    drawn = Draws.of(11, 100_000).normal(2)
    assert kstest(drawn[:, 0], norm.cdf).pvalue > 0.001
    assert kstest(drawn[:, 1], norm.cdf).pvalue > 0.001
    assert correlation(drawn[:, 0], drawn[:, 1]) < 4 / np.sqrt(100_000)
    assert correlation(drawn[:-1, 0], drawn[1:, 0]) < 4 / np.sqrt(100_000)


def test_uniform_draws_are_uniform_and_never_0_or_1():
    drawn = Draws.of(12, 200_000).uniform(1)[:, 0]
    assert kstest(drawn, "uniform").pvalue > 0.001
    assert 0 < drawn.min() < drawn.max() < 1


def test_the_extreme_words_give_numbers_inside_the_interval():
    for word in (0, 2**64 - 1):
        uniform = ((word >> 12) + 0.5) * 2.0**-52
        assert 0 < uniform < 1
        assert np.isfinite(norm.ppf(uniform))


def test_children_generators_and_columns_are_uncorrelated():
    draws = Draws.of(13, 4000)
    drawn = [
        draws.uniform(1)[:, 0],
        draws.child("a").uniform(1)[:, 0],
        draws.child("b").uniform(1)[:, 0],
        draws.child("a", "b").uniform(1)[:, 0],
        draws.child("a").child("b").uniform(1)[:, 0],
        draws.uniform(2)[:, 0],
        norm.cdf(draws.normal(1)[:, 0]),
        draws.generator().random(4000),
        draws.generator("a").random(4000),
    ]
    off_diagonal = np.abs(np.corrcoef(drawn) - np.eye(len(drawn)))
    assert off_diagonal.max() < 4.5 / np.sqrt(4000)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ab", "c"), ("a", "bc")),
        (("a",), ("a", "")),
        ((1,), ("1",)),
        ((1,), (True,)),
        ((1,), (1.0,)),
        ((("a",), "b"), ("a", ("b",))),
        ((), (None,)),
    ],
)
def test_labels_that_differ_give_keys_that_differ(one, other):
    assert derived_key(b"key", *one) != derived_key(b"key", *other)


def test_keys_that_differ_give_keys_that_differ():
    assert derived_key(b"key", "a") != derived_key(b"other", "a")


# The definition, one number after the other: a release must be repeatable for as long as its key is kept ------------


def the_number(draws: Draws, label: str, record: int, column: int, columns: int) -> float:
    """The word of Philox at this position, as the middle of one of 2⁵² equal parts of the unit interval."""
    key = int.from_bytes(derived_key(draws.key, label, columns)[:16], "big")
    word = int(np.random.Philox(key=key).random_raw(record * columns + column + 1)[-1])
    return (2 * (word // 2**12) + 1) / 2**53


@pytest.mark.parametrize("at_once", [1, 3, 8, 1 << 14])
@pytest.mark.parametrize("gap", [1, 5, 1 << 12])
@pytest.mark.parametrize("many", [1, 10**9])
def test_draws_are_the_words_of_the_generator_at_their_position(monkeypatch, at_once, gap, many):
    monkeypatch.setattr(draws_module, "MANY", many)
    monkeypatch.setattr(draws_module, "WORDS_AT_ONCE", at_once)
    monkeypatch.setattr(draws_module, "GAP_WORDS", gap)
    rng = np.random.default_rng([at_once, gap])
    for columns in (1, 2, 3, 5):
        numbers = rng.integers(0, 12, rng.integers(1, 7))
        for chosen in (numbers, np.arange(numbers[0], numbers[0] + 3), np.sort(numbers), np.unique(numbers)):
            draws = Draws.of(3).for_records(chosen)
            for label, shape in (("uniform", lambda value: value), ("normal", lambda value: quantile(value))):
                expected = [
                    [shape(the_number(draws, label, int(record), column, columns)) for column in range(columns)]
                    for record in chosen
                ]
                assert getattr(draws, label)(columns).tolist() == expected


def quantile(value: float) -> float:
    from sdckit.kernels.normal_quantile import normal_quantile

    out = np.empty(1)
    normal_quantile(np.array([value]), out)
    return float(out[0])


@pytest.mark.parametrize("records", [None, np.array([4, 9, 5, 6, 7, 30])])
def test_a_part_draws_what_it_draws_in_the_whole(records):
    draws = Draws.of(6, 40) if records is None else Draws.of(6).for_records(records)
    for positions in (slice(0, 0), slice(0, 3), slice(2, 6), slice(5, 6)):
        assert np.array_equal(draws.part(positions).normal(3), draws.normal(3)[positions])
    chosen = np.arange(len(draws.records)) % 2 == 1
    assert np.array_equal(draws.among(chosen).uniform(2), draws.uniform(2)[chosen])


def test_a_part_of_many_numbers_is_compiled_and_a_part_of_few_is_not():
    assert Draws.of(6, draws_module.MANY).part(slice(0, 3)).compiled
    assert Draws.of(6, draws_module.MANY // 4).part(slice(0, 3), columns=4).compiled
    assert not Draws.of(6, draws_module.MANY - 1).part(slice(0, 3)).compiled


def test_no_records_or_no_columns_draw_nothing():
    assert Draws.of(1, 0).uniform(3).shape == (0, 3)
    assert Draws.of(1, 3).normal(0).shape == (3, 0)


def test_keys_are_derived_by_a_hash_of_the_labels_with_their_types_and_lengths():
    content = b"v6:str:ab" + b"v5:int:3"
    text = b"t%d:" % len(content) + content
    root = hashlib.blake2b(b"key", digest_size=32).digest()
    assert derived_key(b"key", "ab", 3) == hashlib.blake2b(text, digest_size=32, key=root).digest()
    assert derived_key(b"key", b"\x0a") == derived_key(b"key", b"\n") != derived_key(b"key", "0a")
    assert derived_key(b"key", ["a", 1]) == derived_key(b"key", ("a", 1))


@pytest.mark.parametrize(
    ("seed", "value"),
    [(1, bytes(15) + b"\x01"), (2**128 - 1, b"\xff" * 16), (2**128, b"\x01" + bytes(16)), (2**136 - 1, b"\xff" * 17)],
)
def test_the_secret_of_a_seed_is_the_number_in_at_least_sixteen_bytes(seed, value):
    assert Secret.of(seed).value == Secret.of(np.uint64(seed) if seed < 2**64 else seed).value == value
    assert Secret.of(Secret.of(seed)) == Secret.of(seed)


@pytest.mark.parametrize("guessable", [False, True])
def test_a_secret_that_is_not_known_may_have_been_guessable(guessable):
    assert Secret.unknown(guessable=guessable) == Secret(b"", guessable)


def test_every_draw_has_a_key_of_its_own_by_what_it_is_for():
    data = amounts(4)
    draws = Draws.of(5)
    assert draws.records is None and draws.key == derived_key(Secret.of(5).value, "secret")
    assert draws.child("a", 1).key == derived_key(draws.key, "child", "a", 1)
    digest = content_digest(data, ordered=True)
    names = ("turnover", "wages")
    expected = derived_key(draws.key, "step", 2, "noise", (("a", 1), ("b", 2)), names, digest)
    step = draws.of_step(2, "noise", {"b": 2, "a": 1}, data)
    assert step.key == draws.of_digest(2, "noise", {"a": 1, "b": 2}, list(names), digest).key == expected
    assert list(step.records) == [0, 1, 2, 3]
    assert draws.of_digest(2, "noise", {}, names, digest).records is None
    backwards = draws.of_step(2, "noise", {"b": 2, "a": 1}, data.take(np.arange(4)[::-1]))
    assert backwards.key != expected  # the order of the rows counts


def test_a_generator_begins_with_its_key():
    draws = Draws.of(5)
    seed = int.from_bytes(derived_key(draws.key, "generator", "a"), "big")
    assert draws.generator("a").random() == np.random.default_rng(np.random.SeedSequence(seed)).random()


def test_draws_of_a_generator_have_its_next_32_bytes_as_their_key():
    assert Draws.from_generator(np.random.default_rng(1)).key == np.random.default_rng(1).bytes(32)
    assert Draws.from_generator(np.random.default_rng(1)).records is None
    assert list(Draws.from_generator(np.random.default_rng(1), 2).records) == [0, 1]


def test_the_draws_of_chosen_records_are_theirs():
    draws = Draws.of(5, 4)
    chosen = np.array([True, False, False, True])
    assert np.array_equal(draws.among(chosen).uniform(2), draws.uniform(2)[chosen])
    assert draws.over(4) is draws
    assert list(Draws.of(5).over(2).records) == [0, 1]


# Whether anything was drawn ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("use", "used"),
    [
        (lambda draws: draws.uniform(1), True),
        (lambda draws: draws.child("a").for_records([5]).normal(2), True),
        (lambda draws: draws.for_records([]).uniform(1), False),
        (lambda draws: draws.generator(), False),
        (lambda draws: draws.of_digest(0, "mdav", {}, ["x"], "").over(3).generator("groups").random(), True),
        (lambda draws: draws.generator().spawn(1)[0].random(), True),
        (lambda draws: draws.generator().permutation(1), False),
    ],
)
def test_observed_draws_show_whether_a_number_was_taken(use, used):
    draws = ObservedDraws.from_generator(np.random.default_rng(1), records=3)
    use(draws)
    assert draws.used is used


def test_observed_draws_are_the_same_numbers():
    plain = Draws.from_generator(np.random.default_rng(1), records=3)
    observed = ObservedDraws.from_generator(np.random.default_rng(1), records=3)
    assert np.array_equal(plain.child("a").normal(2), observed.child("a").normal(2))
    assert plain.generator("b").random() == observed.generator("b").random()
