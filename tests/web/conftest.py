"""A server without a browser: its pages asked for by a client, its jobs done at once in this process."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the web app needs starlette: pip install 'sdckit[web]'")
pytest.importorskip("httpx", reason="the client of starlette needs httpx")

from starlette.applications import Starlette
from starlette.testclient import TestClient

from sdckit.errors import SdcError
from sdckit.files import write
from sdckit.microdata import Microdata, Role
from sdckit.web import tasks
from sdckit.web.app import make_app
from sdckit.web.jobs import FAILED, Job, Jobs
from sdckit.web.security import Access
from sdckit.web.store import Store

PORT = 8765
HOST = f"http://127.0.0.1:{PORT}"


class JobsAtOnce(Jobs):
    """Jobs that are done when they are begun."""

    def warm_up(self) -> None:
        """No worker is needed."""

    def start(self, kind: str, title: str, node: int, payload: Any, on_result: Callable[[str, Any], None]) -> Job:
        job = Job(len(self.jobs) + 1, title, kind, node)
        self.jobs[job.number] = job
        try:
            for name, value in tasks.TASKS[kind](payload, _Progress(self, job)):
                self._take(job, ("result", name, value), on_result)
            self._take(job, ("done",), on_result)
        except SdcError as problem:
            job.state, job.problem = FAILED, str(problem)
        return job


class _Progress:
    cancelled = False

    def __init__(self, jobs: JobsAtOnce, job: Job) -> None:
        self.jobs, self.job = jobs, job

    def begin(self, total: int | None = None) -> None:
        self.jobs._take(self.job, ("begin", total), lambda name, value: None)

    def advance(self, label: str = "") -> None:
        self.jobs._take(self.job, ("advance", label), lambda name, value: None)


class Steward:
    """A person at the browser: entered with the token, sending the token of changes with each of them."""

    def __init__(self, app: Starlette) -> None:
        self.app, self.access = app, app.state.access
        self.client = TestClient(app, base_url=HOST)
        assert self.client.get(f"/?token={self.access.token}").status_code == 200

    def see(self, address: str, status: int = 200) -> str:
        answer = self.client.get(address)
        assert answer.status_code == status, answer.text
        return answer.text

    def do(self, address: str, **fields: Any) -> str:
        """Send a form; where the answer leads, or what it shows."""
        headers = {"origin": HOST, "x-csrf-token": self.access.csrf, "hx-request": "true"}
        answer = self.client.post(address, data=fields, headers=headers)
        assert answer.status_code in (200, 204), answer.text
        return answer.headers.get("hx-redirect", answer.text)

    def open(self, path: Path) -> str:
        """The address of the state after opening a file, without the screen."""
        return self.do("/open", path=str(path)).rpartition("/")[0]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[..., Steward]]:
    stores: list[Store] = []

    def made(folder: str = "state") -> Steward:
        store = Store(tmp_path / folder)
        stores.append(store)
        return Steward(make_app(store, Access(PORT), jobs=JobsAtOnce()))

    yield made
    for store in stores:
        store.close()


@pytest.fixture
def steward(make: Callable[..., Steward]) -> Steward:
    return make()


def written(data: Microdata, path: Path) -> Path:
    """A file with its identifiers, as a steward has it."""
    write(data.with_roles(**dict.fromkeys(data.names(role=Role.IDENTIFIER), Role.OTHER)), path)
    return path


@pytest.fixture
def survey(tmp_path: Path) -> Path:
    from sdckit.datasets import simulate_survey

    return written(simulate_survey(120, seed=1), tmp_path / "survey.csv")
