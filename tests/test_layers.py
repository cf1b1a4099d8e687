"""Imports point down only: a folder uses its own layer and those below it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "sdckit"
LAYERS = (
    {"kernels", "fuzzy", "linear_distances", "matching"},
    {
        "frames",
        "hierarchies",
        "laws",
    },  # and every single file of the package: microdata, release, masking, measure, catalogue …
    {"methods", "risk", "loss"},
    {
        "engines",
        "evaluation",
        "files",
        "datasets",
        "testing",
        "run",
        "document_check",
    },  # a run joins a policy to the contracts
    {"reporting", "charts"},
    {"cli", "web", "published"},
)
DOORS = {"__init__.py", "__main__.py"}  # the façade of lazy names and `python -m sdckit`
LAYER = {path.stem: 1 for path in PACKAGE.glob("*.py") if path.name not in DOORS} | {
    part: number for number, parts in enumerate(LAYERS) for part in parts
}


def part_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def imported_by(source: str) -> Iterator[tuple[int, str]]:
    """The parts of sdckit that a source file imports, wherever in the file, with the line."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, part_of(each.name)) for each in node.names if each.name.split(".")[0] == "sdckit")
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            module = node.module or ""
            if module == "sdckit":
                yield from ((node.lineno, each.name) for each in node.names)
            elif module.startswith("sdckit."):
                yield node.lineno, part_of(module)


def wrong_imports(source: str, part: str) -> list[str]:
    """The imports that point up, or sideways where siblings must not know each other."""
    wrong = []
    for line, other in imported_by(source):
        if other not in LAYER or other == part:
            continue
        sideways = LAYER[part] == 2 and LAYER[other] == 2
        computes = LAYER[part] == 4 and other in {"methods", "risk", "loss"}
        if LAYER[other] > LAYER[part] or sideways or computes:
            wrong.append(f"line {line}: {part} imports {other}")
    return wrong


FILES = [path for path in sorted(PACKAGE.rglob("*.py")) if str(path.relative_to(PACKAGE)) not in DOORS]


def test_imports_point_down() -> None:
    part_of = {path: path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in FILES}
    assert set(part_of.values()) <= set(LAYER), "give each part a layer in tests/test_layers.py"
    wrong = {str(path): wrong_imports(path.read_text(encoding="utf-8"), part) for path, part in part_of.items()}
    assert {path: imports for path, imports in wrong.items() if imports} == {}


def test_an_import_that_points_up_is_seen() -> None:
    assert wrong_imports("from sdckit.evaluation.assess import assess", "kernels") == [
        "line 1: kernels imports evaluation"
    ]


def test_an_import_inside_a_function_is_seen() -> None:
    assert wrong_imports("def f():\n    import sdckit.cli", "files") == ["line 2: files imports cli"]


def test_methods_and_risks_do_not_know_each_other() -> None:
    assert wrong_imports("from sdckit.methods.noise import x", "risk") == ["line 1: risk imports methods"]


@pytest.mark.parametrize("part", ["reporting", "charts"])
@pytest.mark.parametrize("other", ["risk", "loss"])
def test_a_report_reads_results_and_computes_none(part: str, other: str) -> None:
    assert wrong_imports(f"from sdckit.{other} import x", part) == [f"line 1: {part} imports {other}"]


def test_layer_0_knows_nothing_of_the_rest() -> None:
    assert wrong_imports("from sdckit.errors import SdcError", "kernels") == ["line 1: kernels imports errors"]
    assert wrong_imports("from sdckit.kernels.ranks import rank_order", "fuzzy") == []


def test_a_report_never_calls_a_method() -> None:
    assert wrong_imports("from sdckit.methods.noise import x", "reporting") == ["line 1: reporting imports methods"]
