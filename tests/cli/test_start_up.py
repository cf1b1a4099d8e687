"""A verb imports what it uses and nothing else: most of the time of a small run goes into imports."""

import subprocess
import sys
from pathlib import Path

import pytest

NEVER = {
    "pandas",
    "pyarrow",
    "sklearn",
    "altair",
    "optuna",
    "joblib",
    "jinja2",
    "highspy",
    "scipy.stats",
    "scipy.optimize",
    "pydantic",
    "typer",
}
UNUSED = {"sdckit.edit_text", "sdckit.files.graph_xml", "sdckit.run"}  # a plain table without edits needs none of these
COMPILED = {"numba", "llvmlite", "scipy"}  # numba imports scipy
FRAMES = {"polars", "narwhals"}


def imported_by(*arguments: object) -> set[str]:
    """The modules that a verb has imported when it is done, in a fresh process."""
    code = (
        "import sys; from sdckit.cli import main; code = main(sys.argv[1:]); "
        "print('\\n'.join(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    done = subprocess.run([sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


@pytest.mark.parametrize("method", ["additive-noise", "rounding", "top-coding", "rank-swapping", "mdav"])
def test_a_few_records_are_masked_without_the_compiler(people: Path, schema: Path, tmp_path: Path, method: str) -> None:
    modules = imported_by(
        "protect", people, tmp_path / "out.csv", "--schema", schema, "--method", method, "--attributes", "age"
    )
    assert not modules & (NEVER | COMPILED | UNUSED | {"narwhals"})


def test_a_compiled_method_imports_no_more_than_its_kernel_needs(people: Path, tmp_path: Path) -> None:
    modules = imported_by(
        "protect", people, tmp_path / "out.csv", "--method", "v-mdav", "--attributes", "age", "--quiet"
    )
    assert not modules & (NEVER | {"narwhals"})


def test_describing_everything_imports_neither_frames_nor_solvers_nor_the_compiler() -> None:
    assert not imported_by("list", "--json") & (NEVER | COMPILED | FRAMES)


@pytest.mark.parametrize("arguments", [["--help"], ["protect", "--help"], ["list"]])
def test_help_and_lists_import_no_numbers(arguments: list[str]) -> None:
    assert not imported_by(*arguments) & (NEVER | COMPILED | FRAMES | {"numpy"})
