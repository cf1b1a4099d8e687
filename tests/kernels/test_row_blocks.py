import numpy as np
import pytest

from sdckit.kernels.row_blocks import cores, over_row_blocks


@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 100])
def test_every_row_is_worked_on_once(rows):
    seen = np.zeros(rows, dtype=int)

    def work(start, stop):
        seen[start:stop] += 1

    over_row_blocks(rows, work, block=8)
    assert (seen == 1).all()


def test_an_exception_in_a_block_is_raised():
    def work(start, stop):
        raise ArithmeticError(f"rows {start} to {stop}")

    with pytest.raises(ArithmeticError, match="rows 0 to 8"):
        over_row_blocks(20, work, block=8)


def test_the_number_of_threads_can_be_limited_from_outside(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "3")
    assert cores() == 3
    for no_number in ("", "many", "0"):
        monkeypatch.setenv("OMP_NUM_THREADS", no_number)
        assert cores() >= 1
