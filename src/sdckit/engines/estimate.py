"""An estimate of the time and disk that masking by an engine takes, before it is begun."""

from dataclasses import dataclass

from sdckit.attribute import Role
from sdckit.engines.plan import Way
from sdckit.engines.protect import Prepared

VALUES_PER_SECOND = {
    Way.ROWS: 2.0e6,
    Way.RANKS: 1.0e6,
    Way.COLUMNS: 1.0e6,
    Way.CELLS: 0.1e6,
    Way.PARTITIONS: 0.2e6,
}  # two cores, roughly
READ_AND_WRITTEN = 6.0e6  # values per second that are read, coded and written


@dataclass(frozen=True)
class RunEstimate:
    """Seconds, and bytes of disk for the parts."""

    seconds: float
    disk: int


def estimate(prepared: Prepared) -> RunEstimate:
    """What a prepared run takes, from the number of values that each step visits; within a factor of about three."""
    header = prepared.header
    kept = [each for each in header.attributes if each.role is not Role.IDENTIFIER]
    seconds = 2 + header.records * len(kept) / READ_AND_WRITTEN
    for step in prepared.plan.steps:
        seconds += header.records * len(step.step.attributes) / VALUES_PER_SECOND[step.way]
    return RunEstimate(seconds, prepared.disk)
