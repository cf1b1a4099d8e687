import numpy as np
import pytest

from sdckit.kernels.log_linear import expected_inverse, fitted_means

rng = np.random.default_rng(3)
CODES = np.column_stack([rng.integers(0, 3, 400), rng.integers(0, 2, 400), rng.integers(0, 4, 400)])


def test_independent_keys_give_the_product_of_their_shares():
    means = fitted_means(CODES, (3, 2, 4), 1)
    for row in range(0, 400, 57):
        shares = [(CODES[:, key] == CODES[row, key]).mean() for key in range(3)]
        assert means[row] == pytest.approx(400 * np.prod(shares))


def test_all_interactions_give_the_counts_themselves():
    means = fitted_means(CODES, (3, 2, 4), 3)
    same = (CODES[:, None] == CODES[None]).all(axis=2).sum(axis=1)
    assert means == pytest.approx(same)


def test_pairs_are_fitted_to_all_margins_of_two():
    cells = np.array([(a, b, c) for a in range(3) for b in range(2) for c in range(4)])
    everything = np.vstack([CODES, cells])  # every cell has a record, so the means of all cells are returned
    means = fitted_means(everything, (3, 2, 4), 2)[400:]
    for keys in ((0, 1), (0, 2), (1, 2)):
        for values in np.unique(cells[:, keys], axis=0):
            inside = (cells[:, keys] == values).all(axis=1)
            assert means[inside].sum() == pytest.approx(
                (everything[:, keys] == values).all(axis=1).sum(), rel=1e-3, abs=1e-2
            )


def test_the_fit_ends_with_the_round_that_the_tolerance_allows():
    """Half a record is allowed, and few rounds reach that; any deviation by no more than all records needs only one."""
    codes = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0], [0, 0, 1]])
    by_rounds = [fitted_means(codes, (2, 2, 2), 2, rounds=rounds, tolerance=0) for rounds in range(1, 30)]
    allowed = fitted_means(codes, (2, 2, 2), 2, tolerance=0.1)
    assert any(np.array_equal(allowed, each) for each in by_rounds[:3])
    assert not np.allclose(by_rounds[2], by_rounds[28], rtol=1e-5)
    assert np.array_equal(fitted_means(codes, (2, 2, 2), 2, tolerance=1), by_rounds[0])


def test_the_mean_of_one_over_one_plus_a_poisson_number():
    assert expected_inverse(np.array([0.0, 1e-12])) == pytest.approx([1, 1])
    draws = rng.poisson(2.5, 400_000)
    assert expected_inverse(np.array([2.5]))[0] == pytest.approx((1 / (1 + draws)).mean(), abs=0.003)


@pytest.mark.parametrize("seed", range(8))
def test_pairs_without_a_third_are_fitted_as_the_closed_form_says(seed):
    """Where all interactions of two of two keys are fitted, the counts themselves; of one key, its counts."""
    draws = np.random.default_rng(seed)
    codes = np.column_stack([draws.integers(0, 2, 9), draws.integers(0, 3, 9)])
    same = (codes[:, None] == codes[None]).all(axis=2).sum(axis=1)
    for order in (2, 3):
        assert fitted_means(codes, (2, 3), order) == pytest.approx(same)
    for order in (1, 2):
        alone = fitted_means(codes[:, :1], (2,), order)
        assert alone == pytest.approx((codes[:, None, 0] == codes[None, :, 0]).sum(axis=1))


@pytest.mark.parametrize("unseen", [0.0, 1e-3, 0.5, 3.0, 40.0])
def test_the_mean_of_the_inverse_is_a_sum_over_counts(unseen):
    term, total = np.exp(-unseen), 0.0
    for count in range(300):
        total += term / (1 + count)
        term *= unseen / (count + 1)
    assert expected_inverse(np.array([unseen]))[0] == pytest.approx(total)
