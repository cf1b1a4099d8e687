"""Run the commands of a story's page on another file than the one that the page was written with."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sdckit.cli import main
from tests.conftest import reference_file
from tests.docs.code_blocks import blocks, commands
from tests.docs.test_pages_run import NEEDS

STORIES = Path(__file__).resolve().parents[2] / "docs" / "guides" / "stories"


def run_story(name: str, folder: Path, changes: Mapping[str, str]) -> None:
    """Run every block of a page in a folder, with some texts of the page changed; figures are not compared."""
    text = (STORIES / f"{name}.md").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text, f"the page no longer has {old!r}"
        text = text.replace(old, new)
    for needed in NEEDS.findall(text):
        shutil.copy(reference_file("data", needed), folder)
    space: dict[str, Any] = {"__name__": "story"}
    before = Path.cwd()
    os.chdir(folder)
    try:
        for block in blocks(text):
            if block.title is not None:
                Path(block.title).write_text(block.code, encoding="utf-8")
            elif block.language == "python":
                exec(compile(block.code, name, "exec"), space)
            elif block.language == "console":
                for words, _ in commands(block.code):
                    assert main(words) == 0, f"sdckit {' '.join(words)}"
    finally:
        os.chdir(before)
