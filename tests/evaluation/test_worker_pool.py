"""Workers share the cores: their threads together are as many as there are cores, not as many for each."""

import os
from dataclasses import dataclass
from itertools import count as numbers
from threading import Event

import pytest

from sdckit.evaluation.worker_pool import POLARS, cores, in_time, worker_pool


@dataclass(frozen=True)
class ThreadCount:
    """In place of an experiment: counts the threads that libraries use in the process it runs in."""

    def run(self, trial, like):
        import numba
        import polars
        from threadpoolctl import threadpool_info

        import sdckit.kernels.row_blocks

        return {
            "process": os.getpid(),
            "blas": max((pool["num_threads"] for pool in threadpool_info()), default=1),
            "numba": numba.config.NUMBA_NUM_THREADS,
            "polars": polars.thread_pool_size(),
            "row blocks": sdckit.kernels.row_blocks.cores(),
        }


@pytest.mark.slow
@pytest.mark.parametrize("library", ["blas", "numba", "polars", "row blocks"])
def test_the_threads_of_all_workers_are_no_more_than_the_cores(library, counted):
    assert all(count["process"] != os.getpid() for count in counted)
    assert [count[library] for count in counted] == [max(cores() // 2, 1)] * len(counted)


@pytest.fixture(scope="module")
def counted():
    with pytest.MonkeyPatch.context() as patch:
        for name in (POLARS, "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
            patch.delenv(name, raising=False)
        with worker_pool(ThreadCount(), 2) as work:
            counts = [count for _, count in work([(number, None, None) for number in range(4)])]
        assert POLARS not in os.environ
    return counts


def test_a_limit_of_the_user_is_left_alone(monkeypatch):
    monkeypatch.setenv(POLARS, "1")
    with worker_pool(ThreadCount(), 2) as work:
        assert {count["polars"] for _, count in work([(0, None, None)])} == {1}
    assert os.environ[POLARS] == "1"


class Clock:
    """The time that is left: some, until a number of results was taken."""

    def __init__(self, results: int) -> None:
        self.results = results

    def seconds_left(self) -> float:
        self.results -= 1
        return float("inf") if self.results >= 0 else -1.0


def test_a_result_that_does_not_come_in_time_is_not_waited_for():
    never, abandoned = Event(), Event()

    def results():
        yield "first"
        yield "second"
        never.wait()
        yield "third"

    assert list(in_time(results(), Clock(2).seconds_left, abandoned.set)) == ["first", "second"]
    assert abandoned.is_set()
    never.set()


def test_all_results_are_taken_while_there_is_time():
    abandoned = Event()
    assert list(in_time(iter("abc"), lambda: 1e6, abandoned.set)) == list("abc")
    assert not abandoned.is_set()


def test_a_problem_of_the_work_is_raised_where_results_are_taken():
    def results():
        yield 1
        raise ValueError("broken")

    taken = in_time(results(), lambda: float("inf"), Event().set)
    assert next(taken) == 1
    with pytest.raises(ValueError, match="broken"):
        next(taken)


@dataclass(frozen=True)
class Endless:
    """In place of an experiment: the first task is done at once, the others never."""

    def run(self, trial, like):
        if trial:
            Event().wait()
        return "done"


@pytest.mark.slow
def test_workers_that_never_end_are_left_and_take_no_further_task():
    with worker_pool(Endless(), 2, Clock(1).seconds_left) as work:
        assert [outcome for _, outcome in work((number, number > 0, None) for number in numbers())] == ["done"]
        assert list(work([(0, False, None)])) == []
