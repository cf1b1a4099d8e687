"""Workers share the cores: their threads together are as many as there are cores, not as many for each."""

import os
from dataclasses import dataclass

import pytest

from sdckit.evaluation.worker_pool import POLARS, cores, worker_pool


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
