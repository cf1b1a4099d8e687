"""Excess: how much more often an attack succeeds on the people of a file than on people who are not in it."""

from math import sqrt
from typing import NamedTuple

from sdckit.kernels.intervals import wilson


class Excess(NamedTuple):
    """The share that succeeds on the control, its interval, and the excess with an interval at the same level."""

    control: float
    control_interval: tuple[float, float]
    value: float
    interval: tuple[float, float]

    def details(self) -> dict[str, object]:
        """The figures by name, for a score."""
        return {
            "control": self.control,
            "control_interval": self.control_interval,
            "excess": self.value,
            "excess_interval": self.interval,
        }


def excess_over_control(found: float, trials: int, in_control: float, control_trials: int) -> Excess:
    """(r − c) / (1 − c): of what the control leaves open, the share disclosed by being in the file; 0 at least.

    `found` and `in_control` are numbers of successes, which may be fractional. The errors of both shares are added up
    as independent ones, to first order.

    >>> round(excess_over_control(60, 100, 20, 100).value, 12)
    0.5
    """
    share, control = found / trials, in_control / control_trials
    of_control = wilson(in_control, control_trials)
    if control >= 1:
        return Excess(control, of_control, 0.0, (0.0, 1.0))
    low, high = wilson(found, trials)
    excess = (share - control) / (1 - control)
    by_control = (1 - share) / (1 - control) ** 2
    below = sqrt(((share - low) / (1 - control)) ** 2 + ((of_control[1] - control) * by_control) ** 2)
    above = sqrt(((high - share) / (1 - control)) ** 2 + ((control - of_control[0]) * by_control) ** 2)
    value = max(0.0, excess)
    return Excess(
        control, of_control, value, (min(max(0.0, excess - below), value), max(min(1.0, excess + above), value))
    )
