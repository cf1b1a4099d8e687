import pytest

from sdckit.kernels.hashing import FEWEST, SEED, mixed, slots_for

pytestmark = [
    pytest.mark.usefixtures("interpreted"),
    pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning"),
]


@pytest.mark.parametrize("numbers", [0, 1, 7, 8, 9, 16, 17, 31, 32, 33, 1000])
def test_slots_are_a_power_of_two_and_at_least_half_of_them_stay_free(numbers):
    slots = slots_for(numbers)
    assert slots & (slots - 1) == 0
    assert slots >= max(2 * numbers, FEWEST)
    assert slots == FEWEST or slots < 4 * numbers


def test_numbers_in_a_row_are_spread_over_the_slots():
    """Half as many numbers as slots would occupy 1 − 1/√e of them if they were random, 39 %."""
    taken = {int(mixed(SEED, number)) & 1023 for number in range(512)}
    assert len(taken) > 0.3 * 1024


def test_the_order_of_numbers_matters():
    assert int(mixed(mixed(SEED, 1), 2)) != int(mixed(mixed(SEED, 2), 1))
