"""An estimate of the time and disk that masking by an engine takes, before it is begun."""

from dataclasses import dataclass

from sdckit.attribute import Role
from sdckit.engines.engine_name import EngineName
from sdckit.engines.plan import Way
from sdckit.engines.protect import Prepared

VALUES_PER_SECOND = {
    Way.ROWS: 2.0e6,
    Way.RANKS: 1.0e6,
    Way.COLUMNS: 1.0e6,
    Way.CELLS: 0.1e6,
    Way.PARTITIONS: 0.2e6,
}  # two cores, roughly
STARTING = {EngineName.SPARK: 40.0}  # seconds before the first part: Java, its session and the first query
A_STEP = {EngineName.SPARK: 5.0}  # seconds that the jobs of a step take, and those of writing and counting, however few
PLAIN = 2.0  # seconds that every run takes
READ_AND_WRITTEN = 6.0e6  # values per second that are read, coded and written


@dataclass(frozen=True)
class RunEstimate:
    """Seconds, and bytes of disk for the parts."""

    seconds: float
    disk: int


def estimate(prepared: Prepared, engine: EngineName) -> RunEstimate:
    """What a prepared run takes, from the number of values that each step visits; within a factor of about three."""
    header = prepared.header
    kept = [each for each in header.attributes if each.role is not Role.IDENTIFIER]
    seconds = PLAIN + STARTING.get(engine, 0.0) + A_STEP.get(engine, 0.0) * (2 + len(prepared.plan.steps))
    seconds += header.records * len(kept) / READ_AND_WRITTEN
    for step in prepared.plan.steps:
        seconds += header.records * len(step.step.attributes) / VALUES_PER_SECOND[step.way]
    return RunEstimate(seconds, prepared.disk)
