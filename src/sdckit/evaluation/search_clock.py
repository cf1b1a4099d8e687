"""The clock of a search: when it is over, by the number of files masked or by the time that it may take."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from time import monotonic

from sdckit.evaluation.experiment import Outcome
from sdckit.evaluation.risk_utility_map import Setting
from sdckit.evaluation.worker_pool import Task, Work

BUDGET = 60.0  # seconds, by default
SEARCHING = 0.8  # share of the time for the search; the rest is for the last attack on what was found


@dataclass
class SearchClock:
    """When a search is over: by trials, or by a time in seconds since the clock was made.

    The search begins no task in the last fifth of the time, which is for the attack on what was found. Where there are
    several workers, nothing is waited for once the whole time is over.
    """

    trials: int | None
    budget: float | None
    progress: Callable[[int, int, str], None]
    now: Callable[[], float] = monotonic
    begun: float = field(init=False)
    measured: bool = False

    def __post_init__(self) -> None:
        self.begun = self.now()

    @property
    def seconds(self) -> float:
        return self.now() - self.begun

    @property
    def time(self) -> float:
        return self.budget or BUDGET

    def over(self, masked: int) -> bool:
        """Whether the search ends; by time, not before a release was measured."""
        return masked >= self.trials if self.trials is not None else self._late()

    def spent(self) -> bool:
        """Whether the whole time is over; never, where the search is by trials."""
        return self.trials is None and self.seconds >= self.time

    def seconds_left(self) -> float:
        """The time until nothing is waited for any more: all there is for trials, and until a release was measured."""
        return self.time - self.seconds if self.trials is None and self.measured else inf

    def within(self, work: Work) -> Work:
        """The work that begins no task once the search is over by time."""

        def in_time(tasks: Iterable[Task]) -> Iterator[Task]:
            for task in tasks:
                if self.trials is None and self._late():
                    return
                yield task

        def seen(tasks: Iterable[Task]) -> Iterator[tuple[int, Outcome]]:
            for number, outcome in work(in_time(tasks)):
                self.measured |= outcome.point is not None
                yield number, outcome

        return seen

    def _late(self) -> bool:
        return self.measured and self.seconds >= SEARCHING * self.time

    def room(self, masked: int) -> int:
        """How many more files may be masked."""
        return 10**9 if self.trials is None else self.trials - masked

    def report(self, masked: int, best: Setting | None) -> None:
        """Show how far the search is."""
        label = best.label if best is not None else "no recipe meets the bound yet"
        total = self.trials or max(1, round(SEARCHING * self.time))
        done = masked if self.trials is not None else round(self.seconds)
        self.progress(min(done, total), total, label)
