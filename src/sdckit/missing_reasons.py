"""Missing reasons: the codes that a file declares as missing, such as 9 for "no answer", and the rows that had them.

To every masking and measure a value is missing, whatever the reason. The codes are written again where the format has
room for them, unless a value of the column was suppressed: a suppressed value must look like every other missing one.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

PRESENT, NO_CODE, FIRST_CODE = 0, 1, 2  # in `of_row`


@dataclass(frozen=True, eq=False)
class MissingReasons:
    """Why the values of one column were missing in the file that was read.

    `codes`   the codes that occurred
    `of_row`  for each row: 0 where it had a value, 1 where it was missing without a code, else 2 + the code's position
    """

    codes: tuple[Any, ...]
    of_row: NDArray[np.int16]

    def take(self, rows: NDArray[np.int64]) -> "MissingReasons":
        """The same for some rows, in this order."""
        return MissingReasons(self.codes, self.of_row[rows])

    def codes_to_write(self, absent: NDArray[np.bool_]) -> dict[Any, NDArray[np.bool_]]:
        """The rows to be written with each code that still occurs; none where a value was suppressed."""
        if len(absent) != len(self.of_row) or bool((absent & (self.of_row == PRESENT)).any()):
            return {}
        rows = {code: absent & (self.of_row == number) for number, code in enumerate(self.codes, start=FIRST_CODE)}
        return {code: chosen for code, chosen in rows.items() if chosen.any()}
