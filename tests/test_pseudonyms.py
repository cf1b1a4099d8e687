"""Pseudonyms: reversible with the key alone, equal for equal identifiers, and different in every other respect."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sdckit.errors import FileError, ParameterError
from sdckit.pseudonyms import PseudonymKey

KEY = PseudonymKey(bytes(range(32)))


@given(st.text(max_size=60))
def test_a_pseudonym_is_turned_back_by_its_key(identifier):
    assert KEY.identifier(KEY.pseudonym(identifier, "id"), "id") == identifier


@given(st.text(max_size=20), st.text(max_size=20))
def test_identifiers_have_equal_pseudonyms_exactly_if_they_are_equal(one, other):
    assert (KEY.pseudonym(one, "id") == KEY.pseudonym(other, "id")) == (one == other)
    assert (KEY.one_way(one, "id") == KEY.one_way(other, "id")) == (one == other)


def test_key_and_column_both_matter():
    made = {key.pseudonym("4711", domain) for key in (KEY, PseudonymKey.drawn()) for domain in ("person", "mother")}
    assert len(made) == 4


@pytest.mark.parametrize(
    ("pseudonym", "key", "domain"),
    [
        (KEY.pseudonym("4711", "id"), PseudonymKey(bytes(32)), "id"),
        (KEY.pseudonym("4711", "id"), KEY, "name"),
        (KEY.one_way("4711", "id"), KEY, "id"),
        ("nonsense!", KEY, "id"),
        ("", KEY, "id"),
    ],
)
def test_what_was_made_otherwise_is_refused(pseudonym, key, domain):
    with pytest.raises(ParameterError, match="was not made with this key"):
        key.identifier(pseudonym, domain)


def test_short_identifiers_do_not_show_their_length():
    assert len({len(KEY.pseudonym(each, "id")) for each in ("", "7", "4711", "12345678901")}) == 1


def test_a_key_file_is_read_again_and_another_file_is_refused():
    assert PseudonymKey.from_text(KEY.to_text()) == KEY
    assert KEY.secret.hex() not in repr(KEY)
    with pytest.raises(FileError, match="is not a pseudonym key"):
        PseudonymKey.from_text("something else")
