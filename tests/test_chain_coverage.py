"""Where a chain of maskings promises that the truth is a candidate, it is one; torture tries all pairs."""

from itertools import product

import pytest

from tests.chain_promises import broken_promises, laws_against_truth, maskings

pytestmark = pytest.mark.slow
REPRESENTATIVE = ("simple-sampling", "local-suppression", "rounding", "optimal-univariate", "bounded-noise")
APART = 12  # each masking is followed by every twelfth, beginning with its own position


@pytest.mark.parametrize(("first", "second"), list(product(REPRESENTATIVE, repeat=2)))
def test_what_is_promised_of_a_chain_is_so(first, second):
    by_name = {each.name: each for each in maskings()}
    assert not broken_promises(by_name[first], by_name[second])


@pytest.mark.parametrize("position", range(len(maskings())), ids=lambda position: maskings()[position].name)
def test_so_it_is_of_pairs_with_every_masking(position):
    every = maskings()
    for second in every[position % APART :: APART]:
        assert not broken_promises(every[position], second)


@pytest.mark.parametrize("position", range(len(maskings())), ids=lambda position: maskings()[position].name)
def test_no_law_of_a_chain_excludes_the_truth(position):
    every = maskings()
    for second in every[(position + APART // 2) % APART :: APART]:
        assert not laws_against_truth(every[position], second)
