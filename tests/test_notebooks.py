"""The example notebook runs from its first cell to its last, and what its cells end with shows."""

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))
SHOWS = ("_repr_html_", "_repr_svg_", "__fspath__")


def code_cells(path: Path) -> list[str]:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell as a notebook does, and give what its last line is."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    return None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_runs_from_top_to_bottom(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {"__name__": "__main__"}
    for source in code_cells(path):
        value = run(source, names)
        if value is None:
            continue
        show = next((getattr(value, way) for way in SHOWS if hasattr(value, way)), None)
        assert show is not None and show(), f"{type(value).__name__} shows nothing in a notebook:\n{source}"
    assert names["verdict"].met
    assert sorted(each.name for each in tmp_path.iterdir()) == ["firms.key", "release", "report.html"]
    assert (tmp_path / "release" / "data.csv").is_file()


def test_the_notebook_shows_every_step_of_a_release() -> None:
    code = "\n".join(code_cells(EXAMPLES / "release.ipynb"))
    for verb in ("sdckit.protect", "sdckit.assess", "sdckit.attack", "sdckit.sweep", "sdckit.tune", "sdckit.gate"):
        assert f"{verb}(" in code
    assert "publish(" in code and "write_key(" in code


def test_nothing_is_masked_with_a_seed() -> None:
    """What an example publishes must not be made with a seed that can be guessed."""
    code = "\n".join(code_cells(EXAMPLES / "release.ipynb"))
    code += "".join(path.read_text(encoding="utf-8") for path in EXAMPLES.glob("*.py"))
    for call in re.findall(r"sdckit\.protect\((?:[^()]|\([^()]*\))*\)", code):
        assert "seed" not in call, call


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_the_notebook_is_kept_without_its_outputs(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = notebook["cells"]
    assert notebook["nbformat"] == 4 and len({cell["id"] for cell in cells}) == len(cells)
    assert not any(cell["outputs"] or cell["execution_count"] for cell in cells if cell["cell_type"] == "code")


def test_every_notebook_is_in_the_list() -> None:
    listed = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    assert NOTEBOOKS and all(path.name in listed for path in NOTEBOOKS)
