"""The site builds without a warning, and a reader's browser fetches nothing from elsewhere."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import sdckit

pytestmark = pytest.mark.slow  # half a minute

ROOT = Path(__file__).resolve().parents[2]
FETCHED = re.compile(
    r'<(?:script|img|iframe|link rel="(?:stylesheet|preconnect|icon)")[^>]*(?:src|href)="(?:https?:)?//'
)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_every_entry_has_a_page(built: Path) -> None:
    for entry in sdckit.entries():
        assert (built / "reference" / entry.kind / entry.family / f"{entry.name}.html").is_file()


def test_nothing_is_fetched_from_elsewhere(built: Path) -> None:
    for page in built.rglob("*.html"):
        assert not FETCHED.search(page.read_text(encoding="utf-8")), page.name


def test_what_makes_the_pages_is_not_published(built: Path) -> None:
    assert not list(built.rglob("*.py")) and not (built / "reference" / "SUMMARY.html").exists()


def test_every_picture_has_a_text(built: Path) -> None:
    for page in built.rglob("*.html"):
        content = page.read_text(encoding="utf-8").partition('<article class="md-content__inner')[2]
        article = content.partition("</article>")[0]
        for picture in re.findall(r"<img[^>]*>", article):
            assert re.search(r'alt="[^"]{10,}"', picture), f"{page.name}: {picture}"
        for picture in re.findall(r"<figure[^>]*><svg[^>]*>", article):
            assert re.search(r'aria-label="[^"]{20,}"', picture), f"{page.name}: {picture[:80]}"


def test_no_formula_is_left_as_source(built: Path) -> None:
    for page in (built / "reference").rglob("*.html"):
        for formula in re.findall(r'<div class="formula">(.*?)</div>', page.read_text(encoding="utf-8"), re.S):
            assert "$" not in formula and "\\" not in formula, page.name


def test_the_search_index_can_be_read_from_the_disk(built: Path) -> None:
    assert (built / "search" / "search_index.js").is_file()
    assert "iframe-worker.js" in (built / "index.html").read_text(encoding="utf-8")
