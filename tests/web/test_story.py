"""A short story in a real browser: open a file, mask it, see the risk fall, undo, and look at the code."""

from pathlib import Path

import pytest

from tests.web.browser import Visit, chromium, require, serving


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A small file with a hostile column name, and a key that many records share."""
    path = tmp_path / "people.csv"
    rows = [f"{20 + number % 7},{number % 3},{1000 + 13 * number}" for number in range(60)]
    path.write_text("\n".join(["age,<img src=x onerror=alert(1)>,income", *rows]) + "\n", encoding="utf-8")
    return path


def test_a_file_is_opened_masked_undone_and_explained(people: Path, tmp_path: Path) -> None:
    require()
    with serving(tmp_path / "state", str(people)) as server, chromium() as browser:
        visit = Visit(browser, server)
        visit.enter()
        page = visit.page
        page.wait_for_selector("text=<img src=x onerror=alert(1)>")  # as text: it is no element
        page.keyboard.press("3")
        page.wait_for_selector("#grid td")
        with page.expect_response("**/form?*"):
            page.select_option("#method", "rounding")
        page.click("#step button[type=submit]")
        page.wait_for_selector(".chip")
        page.wait_for_selector("td.changed")
        page.keyboard.press("Control+z")
        page.wait_for_selector(".nothing")
        page.keyboard.press("Control+y")
        page.wait_for_selector(".chip")
        page.keyboard.press("c")
        page.wait_for_selector("#drawer-dialog[open]")
        assert 'method = "rounding"' in page.inner_text("#code-toml")
        visit.fine()
        assert page.evaluate("Object.keys(localStorage).length + Object.keys(sessionStorage).length") == 0
        assert "1013" not in server.output.read_text(encoding="utf-8")
