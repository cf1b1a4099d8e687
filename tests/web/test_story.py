"""A short story in a real browser: open a file, mask it, see what changed, undo, and look at the code."""

import socket
from pathlib import Path

import pytest

from sdckit.web.app import make_app
from sdckit.web.security import Access
from sdckit.web.store import Store
from tests.web.browser import Visit, chromium, require, serving_here
from tests.web.conftest import JobsAtOnce


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A small file with a hostile column name, and a key that many records share."""
    path = tmp_path / "people.csv"
    rows = [f"{20 + number % 7},{number % 3},{1000 + 13 * number}" for number in range(60)]
    path.write_text("\n".join(["age,<img src=x onerror=alert(1)>,income", *rows]) + "\n", encoding="utf-8")
    return path


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.mark.slow
def test_a_file_is_opened_masked_undone_and_explained(people: Path, tmp_path: Path) -> None:
    require()
    access = Access(free_port())
    app = make_app(Store(tmp_path / "state"), access, jobs=JobsAtOnce())
    access.landing = f"/n/{app.state.workspace.open(people).id}/describe"
    with serving_here(app) as server, chromium() as browser:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        page.wait_for_selector("text=<img src=x onerror=alert(1)>")  # as text: it is no element
        page.keyboard.press("3")
        page.wait_for_selector("#grid td")
        page.wait_for_selector("#method")
        with page.expect_response("**/form?*"):
            page.select_option("#method", "rounding")
        page.click("#step button[type=submit]")
        page.wait_for_selector(".chip")
        page.wait_for_selector("td.changed")
        visit.firm()
        visit.ready()
        page.keyboard.press("Control+z")
        page.wait_for_selector(".nothing")
        visit.ready()
        page.keyboard.press("Control+y")
        page.wait_for_selector(".chip")
        visit.ready()
        page.keyboard.press("c")
        page.wait_for_selector("#drawer-dialog[open]")
        assert 'method = "rounding"' in page.inner_text("#code-toml")
        visit.shot("0-story")
        visit.fine()
        assert visit.stored() == 0
