"""The pictures of what a program shows, taken by hand: whether each is as old as the screens that it shows.

`docs/images/shown.json` has, for each picture, a digest of the words in the templates of its screen and of its style
sheet. The build ends where they have changed since, or where a picture is not listed: take it again (the report of
`sdckit demo` at 1200 × 945; the web app by `python -m tools.web_pictures`), look at it, and write the digests by
`python -m tools.screenshots`.
"""

import hashlib
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
STORED = IMAGES / "shown.json"
PACKAGE = ROOT / "src" / "sdckit"
SCREENS = {"report": ("reporting/templates",), "web": ("web/templates", "web/static")}  # by the first word of the name
MARKUP = re.compile(r"{#.*?#}|{%.*?%}|{{.*?}}|<(?:script|style).*?</(?:script|style)>|<[^>]*>", re.S)


class OutdatedScreenshot(Exception):
    """A picture that is older than the screen that it shows, which ends the build."""


def digest(image: str) -> str:
    """A digest of the words of the screen's templates and of its style sheets."""
    found = hashlib.sha256()
    for folder in SCREENS[re.split(r"[-.]", image)[0]]:
        for path in sorted((PACKAGE / folder).glob("*")):
            if path.suffix == ".html":
                found.update(" ".join(MARKUP.sub(" ", path.read_text(encoding="utf-8")).split()).encode())
            elif path.suffix == ".css":
                found.update(path.read_bytes())
    return found.hexdigest()[:16]


def digests() -> dict[str, str]:
    """The digest of every picture there is."""
    return {path.name: digest(path.name) for path in sorted(IMAGES.glob("*.png"))}


def refuse_outdated() -> None:
    """An error where a picture is older than its screen."""
    known = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    for name, now in digests().items():
        if known.get(name) != now:
            raise OutdatedScreenshot(
                f"the screen that docs/images/{name} shows has changed; take the picture again, look at it, and run "
                "python -m tools.screenshots"
            )


if __name__ == "__main__":
    STORED.write_text(json.dumps(digests(), indent=1) + "\n", encoding="utf-8")
