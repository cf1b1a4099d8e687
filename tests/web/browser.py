"""A browser for the tests: headless Chromium driven by Playwright, and a server of its own to look at."""

import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
BUILD = Path(__file__).parents[2] / "build"
SHOTS = Path(os.environ.get("SDCKIT_SCREENSHOTS", BUILD / "screenshots"))  # where the pictures of the tests are left
LONG = 100_000  # milliseconds: a kernel may have to be compiled first


def require() -> Any:
    """Playwright, or a skip that says what is missing."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed: pip install 'sdckit[dev]'")
    if CHROMIUM is None:
        pytest.skip("there is no chromium on this machine; install it to run the tests of the browser")
    return api


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser."""
    api = require()
    with api.sync_playwright() as play:
        arguments = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        browser = play.chromium.launch(executable_path=CHROMIUM, headless=True, args=arguments)
        yield browser
        browser.close()


@dataclass
class Server:
    """A server in a process of its own."""

    address: str
    process: Any
    output: Path | None

    @property
    def host(self) -> str:
        return self.address.partition("/?")[0]


@contextmanager
def serving(state: Path, *arguments: str, path: Path | None = None) -> Iterator[Server]:
    """`sdckit web` with a state folder, ended at the end."""
    output = state.with_suffix(".log")
    environment = dict(os.environ)
    if path is not None:
        environment["PYTHONPATH"] = os.pathsep.join([str(path), environment.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "sdckit", "web", *arguments, "--state", str(state), "--no-browser", "--quiet"]
    with output.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment)
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert re.match(r"http://127\.0\.0\.1:\d+/\?token=", address), output.read_text(encoding="utf-8")
        try:
            yield Server(address, process, output)
        finally:
            process.terminate()
            process.wait(20)


@contextmanager
def serving_here(app: Any) -> Iterator[Server]:
    """An application served by this process, for a short story: no process has to be started and import everything."""
    import threading

    import uvicorn

    access = app.state.access
    running = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False))
    listening = socket.create_server(("127.0.0.1", access.port))  # what connects before the server runs has to wait
    thread = threading.Thread(target=running.run, args=([listening],), daemon=True)
    thread.start()
    try:
        yield Server(access.address, None, None)
    finally:
        running.should_exit = True
        thread.join(20)


class Visit:
    """A page with what went wrong on it: errors of scripts, refused requests, and requests to elsewhere."""

    def __init__(self, browser: Any, server: Server, *, width: int = 1280, height: int = 860) -> None:
        self.server = server
        self.context = browser.new_context(viewport={"width": width, "height": height})
        self.page = self.context.new_page()
        self.page.set_default_timeout(LONG)
        self.problems: list[str] = []
        self.elsewhere: list[str] = []
        self.watch(self.page)

    def watch(self, page: Any) -> None:
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("console", lambda message: self.problems.append(message.text) if message.type == "error" else None)
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((self.server.host, "data:", "blob:"))
                else self.elsewhere.append(request.url)
            ),
        )

    def enter(self) -> None:
        self.page.goto(self.server.address)
        self.page.wait_for_selector("main h1")
        self.ready()

    def ready(self) -> None:
        """Wait until the page takes keys: one that is pressed before is lost."""
        self.page.wait_for_selector("html[data-ready]", state="attached")

    def go(self, screen: str) -> None:
        self.page.goto(f"{self.server.host}/n/{self.node}/{screen}")
        self.ready()

    @property
    def node(self) -> str:
        found = re.search(r"/n/(\d+)", self.page.url)
        assert found is not None, self.page.url
        return found.group(1)

    def firm(self) -> None:
        self.page.wait_for_selector("#strip[data-state=firm]")

    def settled(self) -> None:
        """Wait until the page takes keys and no job runs any more: a page may be loaded anew when one ends."""
        no_job = ":not(:has([data-job][data-state=running]))"
        self.page.wait_for_selector(f"html[data-ready]{no_job}", state="attached")

    def shot(self, name: str) -> None:
        """Leave a picture of the whole page to look at."""
        SHOTS.mkdir(parents=True, exist_ok=True)
        self.page.evaluate("scrollTo(0, 0)")
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)

    def stored(self) -> int:
        """How many things the browser has stored for the server, besides its cookie."""
        return int(
            self.page.evaluate(
                "async () => localStorage.length + sessionStorage.length + (await indexedDB.databases()).length"
                " + (await caches.keys()).length + document.cookie.length"
            )
        )

    def fine(self) -> None:
        """Nothing went wrong, and nothing was asked of another machine."""
        assert not self.problems, self.problems
        assert not self.elsewhere, self.elsewhere
