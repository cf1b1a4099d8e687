import numpy as np
import pytest

from sdckit.kernels.row_blocks import over_row_blocks


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
