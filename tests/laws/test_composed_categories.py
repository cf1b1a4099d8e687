"""Products of transition matrices of categories, with what they depend on, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from sdckit.intruder import AttackerView
from sdckit.laws import composed_categories as steps
from sdckit.laws.composed_categories import Needs, Transition, composed_categories
from sdckit.laws.release_law import RowClasses
from sdckit.likelihood import RecordTransitionLaw, TransitionLaw
from sdckit.masking import Masking
from sdckit.recipe import Recipe
from tests.laws.views import categories, of_all_pairs, view_of

KNOWN, RELEASED = "aabbbc-", "abbcca-"
PRAM = np.array([[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]])


def view(known: str = KNOWN, released: str = RELEASED, **knowledge) -> AttackerView:
    return view_of(categories({"x": known}), categories({"x": released}), **knowledge)


def composed(seen: AttackerView, *chain: str, whole: bool = True) -> tuple[np.ndarray, bool] | None:
    rows = RowClasses.by(seen.released, ["x"])
    maskings = [step.masking for step in Recipe.of(list(chain), ["x"]).steps]
    found = composed_categories(seen, maskings, "x", rows, whole=whole)
    if found is None:
        return None
    return of_all_pairs(found[0], len(seen), len(rows.sizes))[:, rows.of], found[1]


def expected(matrix: np.ndarray) -> np.ndarray:
    """The entries of a matrix for the records and rows of the two files: what is not known says nothing."""
    table = np.pad(matrix, ((0, 1), (0, 1)))
    table[3] = 1.0
    codes = ["abc-".index(each) for each in KNOWN], ["abc-".index(each) for each in RELEASED]
    return table[codes[0]][:, codes[1]]


def test_the_product_of_two_matrices_is_exact():
    answer = np.exp(1.0) / (np.exp(1.0) + 2)
    response = np.where(np.eye(3, dtype=bool), answer, (1 - answer) / 2)
    found, exact = composed(view(), "pram", "randomised-response:epsilon=1")
    assert exact and np.exp(found) == pytest.approx(expected(PRAM @ response))


def test_of_a_part_of_the_file_the_released_shares_are_mixed_in():
    """Of six released categories a and b are two each, and c two."""
    found, exact = composed(view(), "pram", "pram", whole=False)
    shares = np.array([2, 2, 2]) / 6
    assert not exact
    assert np.exp(found) == pytest.approx(expected((1 - 1e-3) * PRAM @ PRAM + 1e-3 * shares))


def test_a_category_that_vanished_may_have_done_so_in_any_step():
    assert composed(view(), "pram", "pram")[1]
    assert not composed(view(released="abbbba-"), "pram", "pram")[1]
    assert composed(view("aabbb--", "abbbba-"), "pram", "pram")[1]  # nobody had it


def test_a_step_that_changes_a_fixed_number_is_not_exact():
    found, exact = composed(view(), "value-flip:rarest=false,share=0.25", "pram")
    assert not exact
    flip = np.where(np.eye(3, dtype=bool), 0.75, 0.125)
    shares = np.array([2, 2, 2]) / 6
    assert np.exp(found)[0, 0] == pytest.approx(((1 - 1e-3) * flip @ PRAM + 1e-3 * shares)[0, 0], rel=0.2)


def test_steps_without_a_matrix_have_no_law():
    assert composed(view(), "pram", "local-suppression") is None
    seen = view()
    rows = RowClasses.by(seen.released, ["x"])
    household = Recipe.of("pram", ["x"]).at_level("household").steps[0].masking
    assert composed_categories(seen, [household, household], "x", rows, whole=True) is None


def test_what_the_release_does_not_have_is_impossible_there_and_new_categories_are():
    """The release has no category c in its list, and one that nobody had."""
    original = categories({"x": "aabbbc"})
    masked = categories({"x": "abbabb"}, "abd")
    seen = replace(view_of(original, original), released=masked)
    found, exact = composed(seen, "pram", "pram")
    both = PRAM @ PRAM
    assert not exact
    shares = np.array([2, 4, 0]) / 6
    table = (1 - 1e-3) * np.column_stack([both[:, :2], np.zeros(3)]) + 1e-3 * shares
    codes = ["abc".index(each) for each in "aabbbc"]
    assert np.exp(found) == pytest.approx(table[codes][:, [0, 1, 1, 0, 1, 1]])
    maskings = [step.masking for step in Recipe.of(["pram", "pram"], ["x"]).steps]
    whole, _ = composed_categories(seen, maskings, "x", RowClasses.by(masked, ["x"]), whole=True)
    assert np.exp(whole.entries) == pytest.approx(np.column_stack([table, np.zeros(3)]))


def test_counts_enter_as_they_are_or_as_a_part_stands_for_all():
    seen = view()
    known = seen.known.columns["x"].astype(np.int64)
    assert steps._entering(seen, "x", known, whole=True).tolist() == [2, 3, 1]
    part = view(records=(0, 1, 5))
    codes = part.known.columns["x"].astype(np.int64)
    assert steps._entering(part, "x", codes, whole=False) == pytest.approx([2 * 7 / 3, 1, 7 / 3])
    one = view(records=(1,))
    assert steps._entering(one, "x", np.array([0]), whole=False).tolist() == [7, 1, 1]
    nobody = np.array([-1, -1])
    assert steps._entering(seen, "x", nobody, whole=True).tolist() == [0, 0, 0]
    assert steps._entering(seen, "x", np.array([3, 3]), whole=True).tolist() == [0, 0, 0, 2]


def test_columns_with_expected_counts_and_maps_as_matrices():
    assert steps._codes(np.array([2.4, 0.2, 0.0, 1.6])).tolist() == [0, 0, 1, 3, 3]
    attribute = categories({"x": "a"}).attribute("x")
    assert steps._of_map(np.array([2, 0]), attribute).tolist() == [[[0, 0, 1], [1, 0, 0]]]
    assert steps._texts(categories({"x": "ca-c"}), "x") == ["a", "c"]
    assert steps._written(attribute) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("method", "needs"),
    [("pram", Needs.CATEGORIES), ("randomised-response", Needs.NOTHING), ("global-recoding", Needs.NOTHING)],
)
def test_what_a_matrix_depends_on(method, needs):
    from sdckit.testing.files import a_file

    attribute = a_file(5).attribute("post code")
    masking = Recipe.of(method).steps[0].masking
    found = steps._transition(masking, attribute, np.array([3.0, 2.0, 1.0, 4.0, 1.0]), None)
    assert found.needs is needs and found.independent and found.class_of is None
    assert found.matrices.sum(axis=2) == pytest.approx(np.ones((1, 5)))


def stepwise(monkeypatch, transitions: list[tuple], whole: bool = True, **knowledge):
    """The law of steps with these matrices, classes, independence and needs; and what each step is given."""
    seen = view(**knowledge)
    given = []

    def transition(masking, attribute, counts, file):
        given.append((counts.tolist(), file is seen.known))
        matrices, class_of, independent, needs = transitions[len(given) - 1]
        return Transition(attribute, np.array(matrices), class_of, independent, needs)

    monkeypatch.setattr(steps, "_transition", transition)
    rows = RowClasses.by(seen.released, ["x"])
    table, exact = composed_categories(seen, [None] * len(transitions), "x", rows, whole=whole)
    return np.exp(of_all_pairs(table, len(seen), len(rows.sizes))[:, rows.of]), exact, given


ANY = [np.full((3, 3), 1 / 3)]


@pytest.mark.parametrize(
    ("first", "second", "whole", "exact"),
    [
        ((True, Needs.COUNTS), (True, Needs.CATEGORIES), True, True),  # the file is known that the first step reads
        ((True, Needs.COUNTS), (True, Needs.COUNTS), True, False),
        ((False, Needs.NOTHING), (True, Needs.NOTHING), True, False),
        ((True, Needs.NOTHING), (False, Needs.NOTHING), True, False),
        ((True, Needs.NOTHING), (True, Needs.NOTHING), False, False),
    ],
)
def test_steps_are_exact_where_what_they_need_is_known(first, second, whole, exact, monkeypatch):
    transitions = [(ANY, None, *first), (ANY, None, *second)]
    _, found, given = stepwise(monkeypatch, transitions, whole)
    assert found is exact and [each for _, each in given] == [whole, False]


def test_a_step_counts_what_the_steps_before_it_leave(monkeypatch):
    shift = [[[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]]
    _, _, given = stepwise(monkeypatch, [(shift, None, True, Needs.NOTHING), (ANY, None, True, Needs.NOTHING)])
    assert [counts for counts, _ in given] == [[2, 3, 1], [1, 2, 3]]


def test_classes_of_records_have_matrices_of_their_own(monkeypatch):
    """The first three records stay, the others become the next category; then all become c in half of the cases."""
    matrices = [np.eye(3), [[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]]
    half = [[[0.5, 0.0, 0.5], [0.0, 0.5, 0.5], [0.0, 0.0, 1.0]]]
    of = np.array([0, 0, 0, 1, 1, 1, 1])
    found, _, _ = stepwise(monkeypatch, [(matrices, of, True, Needs.NOTHING), (half, None, True, Needs.NOTHING)])
    image = ["a", "a", "b", "c", "c", "a"]
    for record, text in enumerate(image):
        expected = [{"-": 0.0, "c": 1.0 if text == "c" else 0.5}.get(row, 0.5 * (row == text)) for row in RELEASED]
        assert found[record] == pytest.approx(expected)
    assert found[6].tolist() == [1.0] * 7


class Lawful(Masking):
    """A method that states a given law."""

    def __init__(self, stated) -> None:
        self.stated, self.given = stated, []

    def law(self, released, original=None):
        self.given.append(original)
        return self.stated


def test_the_law_of_a_method_is_its_matrix():
    attribute, codes = categories({"x": "a"}).attribute("x"), np.array([0, 0, 1, 2], dtype=np.int32)
    file = categories({"x": "abc"})
    method = Lawful(TransitionLaw((np.log(PRAM),), independent=False))
    found = steps._by_law(method, attribute, codes, None)
    assert found.matrices == pytest.approx(PRAM[None]) and found.class_of is None and found.after is attribute
    assert not found.independent and found.needs is Needs.COUNTS
    assert method.given[0].columns["x"].tolist() == codes.tolist()
    steps._by_law(method, attribute, codes, file)
    assert method.given[1] is file
    by_class = Lawful(RecordTransitionLaw((np.log(np.array([PRAM, PRAM.T])),), np.array([0, 1, 0])))
    assert steps._by_law(by_class, attribute, codes, None) is None
    found = steps._by_law(by_class, attribute, codes, file)
    assert found.matrices.shape == (2, 3, 3) and found.class_of.tolist() == [0, 1, 0]
    assert not found.independent and found.needs is Needs.COUNTS
    assert steps._by_law(Lawful(None), attribute, codes, file) is None


class ByCounts:
    """A method that makes all categories the most frequent one."""

    acts_on = None

    def table(self, attribute, codes):
        return attribute, np.full(3, np.bincount(codes, minlength=3).argmax(), dtype=np.int32)


def test_a_map_that_the_counts_decide_is_followed_where_the_file_is_known():
    attribute, counts = categories({"x": "a"}).attribute("x"), np.array([1.0, 4.0, 2.0])
    assert steps._transition(ByCounts(), attribute, counts, None) is None
    found = steps._transition(ByCounts(), attribute, counts, categories({"x": "abbbbcc"}))
    assert found.matrices.tolist() == [[[0, 1, 0]] * 3] and found.needs is Needs.COUNTS and found.independent
