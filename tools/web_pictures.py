"""Take the pictures of the web app for README and docs from the running app: `python -m tools.web_pictures`.

Needs playwright and chromium. The sample survey is opened, masked and attacked; the pictures go to docs/images.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.web.browser import Visit, chromium, serving

IMAGES = Path(__file__).parent.parent / "docs" / "images"
HEIGHT = 860
PATIENCE = 1_800_000  # milliseconds: nobody waits for the pictures, and the machine may be busy


def main() -> None:
    """Open, mask, attack; a picture of the mask screen and one of the attack lab."""
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder) / "state", "--sample") as server,
        chromium() as browser,
    ):
        visit = Visit(browser, server, height=HEIGHT)
        visit.enter()
        page = visit.page
        page.set_default_timeout(PATIENCE)
        visit.go("mask")
        page.wait_for_selector("#method")
        page.fill("[name='p:group_size']", "5")
        page.click("#step button[type=submit]")
        page.wait_for_selector("td.changed")
        visit.go("decide")
        page.click("text=Start with two usual rules")
        page.wait_for_selector("#strip .light")
        visit.firm()
        page.wait_for_selector(".job", state="detached")
        visit.go("mask")
        page.wait_for_selector("#method")
        page.wait_for_selector("td.changed")
        page.wait_for_load_state("networkidle")
        page.screenshot(path=IMAGES / "web-mask.png")
        visit.go("attack")
        page.click("#lab button[type=submit]:enabled")
        page.wait_for_selector("#found :text('Contribution')")
        page.wait_for_selector(".job", state="detached")
        page.wait_for_selector("#found svg.marks")
        page.wait_for_load_state("networkidle")
        page.screenshot(
            path=IMAGES / "web-attack.png", clip={"x": 0, "y": 0, "width": 1280, "height": 1700}, full_page=True
        )


if __name__ == "__main__":
    main()
