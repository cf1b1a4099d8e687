import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit import Microdata, build, protect
from sdckit.attribute import Attribute, Role
from sdckit.errors import SchemaError
from sdckit.methods.differential_privacy.randomised_response import RandomisedResponse, epsilon_of
from sdckit.microdata import Kind


def file(codes: np.ndarray, categories: str = "xyz") -> Microdata:
    attribute = Attribute("answer", Kind.UNORDERED, Role.KEY, categories=tuple(categories))
    return Microdata((attribute,), {"answer": codes})


@given(st.floats(0, 8), st.integers(2, 9))
def test_the_matrix_has_exactly_the_epsilon_that_is_stated(epsilon, categories):
    attribute = Attribute("a", Kind.UNORDERED, Role.KEY, categories=tuple(map(str, range(categories))))
    matrix = RandomisedResponse(epsilon=epsilon).matrix(attribute)
    assert matrix.sum(axis=1) == pytest.approx(np.ones(categories))
    assert epsilon_of(matrix) == pytest.approx(epsilon, abs=1e-9)


def test_warner_by_hand():
    """Two answers and ε = ln 3: three of four answers are true."""
    attribute = Attribute("a", Kind.UNORDERED, Role.KEY, categories=("no", "yes"))
    assert RandomisedResponse(epsilon=np.log(3)).matrix(attribute)[0].tolist() == pytest.approx([0.75, 0.25])


def test_a_matrix_that_keeps_a_category_for_certain_has_no_limit():
    assert epsilon_of(np.array([[1.0, 0.0], [0.2, 0.8]])) == np.inf


def test_shares_pass_a_test_of_epsilon():
    one, other = (
        protect(file(np.full(20_000, code)), RandomisedResponse(epsilon=1.0), seed=2**127 + code).masked.columns[
            "answer"
        ]
        for code in (0, 1)
    )
    for answer in range(3):
        p, q = (one == answer).mean(), (other == answer).mean()
        error = 4 * np.sqrt((1 - p) / p / len(one) + (1 - q) / q / len(other))
        assert abs(np.log(p / q)) <= 1.0 + error
    assert np.log((one == 0).mean() / (other == 0).mean()) == pytest.approx(1.0, abs=0.1)


def test_categories_that_are_declared_and_do_not_occur_can_be_released():
    masked = protect(file(np.zeros(500, dtype=int)), RandomisedResponse(epsilon=0.5), seed=1).masked
    assert set(masked.columns["answer"].tolist()) == {0, 1, 2}


def test_the_inverse_of_the_matrix_gives_unbiased_counts():
    codes = np.repeat([0, 1, 2], [6000, 3000, 1000])
    masking = RandomisedResponse(epsilon=2.0)
    masked = protect(file(codes), masking, seed=1).masked
    counts = masking.corrected_counts(masked, np.bincount(masked.columns["answer"], minlength=3).astype(float))
    assert counts == pytest.approx([6000, 3000, 1000], abs=250)


def test_missing_answers_are_refused():
    data = Microdata.from_frame(pl.DataFrame({"answer": ["x", None]}), roles={"answer": "key"})
    with pytest.raises(SchemaError, match="missing"):
        protect(data, "randomised-response")


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
def test_the_membership_game_does_not_beat_the_bound(epsilon):
    """Four attributes of ε / 4 each: the advantage is (e^ε − 1) / (e^ε + 1) at most."""
    rng = np.random.default_rng(1)
    names = "abcd"
    attributes = tuple(Attribute(name, Kind.UNORDERED, Role.KEY, categories=tuple("uvwxyz")) for name in names)
    data = Microdata(attributes, {name: rng.integers(0, 6, 80) for name in names})
    release = protect(data, RandomisedResponse(epsilon=epsilon / 4), seed=1)
    score = build("risk", "membership", files=32).measure(release, seed=1)
    assert score.interval[0] <= (np.exp(epsilon) - 1) / (np.exp(epsilon) + 1)
