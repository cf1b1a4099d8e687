"""The clock of a search: no task begins after its time, the first one always does, and trials know no time."""

from collections.abc import Callable, Iterable, Iterator

import pytest

from sdckit.evaluation.experiment import Outcome, Trial
from sdckit.evaluation.risk_utility_map import Point
from sdckit.evaluation.search_clock import SEARCHING, SearchClock
from sdckit.evaluation.worker_pool import Task

TASKS: list[Task] = [(number, Trial("mdav", (), number), None) for number in range(8)]


class Watch:
    """A clock that moves on when a task is done."""

    def __init__(self, seconds: float, unsuited: frozenset[int] = frozenset()) -> None:
        self.time, self.seconds, self.unsuited = 100.0, seconds, unsuited

    def now(self) -> float:
        return self.time

    def work(self, tasks: Iterable[Task]) -> Iterator[tuple[int, Outcome]]:
        for number, *_ in tasks:
            self.time += self.seconds
            yield number, Outcome(None if number in self.unsuited else Point("mdav", (), number, {}))


def clock(now: Callable[[], float], *, trials: int | None = None, budget: float | None = None) -> SearchClock:
    return SearchClock(trials, budget, lambda done, total, label: None, now)


@pytest.mark.parametrize(("seconds", "begun"), [(1.0, 8), (3.0, 3), (1000.0, 1)])
def test_no_task_begins_when_the_time_is_over_but_the_first_always_does(seconds: float, begun: int) -> None:
    watch = Watch(seconds)
    timed = clock(watch.now, budget=8.0 / SEARCHING)
    assert [number for number, _ in timed.within(watch.work)(TASKS)] == list(range(begun))
    assert timed.over(begun) == (begun * seconds >= 8.0)
    assert timed.spent() == (begun * seconds >= 8.0 / SEARCHING)


def test_a_second_round_of_work_has_no_first_task_of_its_own() -> None:
    watch = Watch(1000.0)
    timed = clock(watch.now, budget=1.0)
    assert len(list(timed.within(watch.work)(TASKS))) == 1
    assert list(timed.within(watch.work)(TASKS)) == []


def test_maskings_that_the_file_does_not_suit_are_no_result() -> None:
    watch = Watch(1000.0, unsuited=frozenset({0, 1}))
    timed = clock(watch.now, budget=1.0)
    assert [number for number, _ in timed.within(watch.work)(TASKS)] == [0, 1, 2]


def test_trials_know_no_time() -> None:
    watch = Watch(1000.0)
    counted = clock(watch.now, trials=20)
    assert len(list(counted.within(watch.work)(TASKS))) == 8
    assert not counted.over(19) and counted.over(20) and not counted.spent() and counted.room(15) == 5


def test_the_time_that_is_left_counts_once_a_release_was_measured() -> None:
    watch = Watch(6.0)
    timed = clock(watch.now, budget=10.0)
    assert timed.seconds_left() == float("inf")
    assert len(list(timed.within(watch.work)(TASKS))) == 2
    assert timed.seconds_left() == 10.0 - 12.0
    assert clock(watch.now, trials=5).seconds_left() == float("inf")
