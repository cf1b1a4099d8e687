"""A component is found by the name of its file, and only that file is imported."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import sdckit
from sdckit import catalogue
from sdckit.catalogue import FOLDERS, Entry, build, entries, find, listing, names
from sdckit.errors import ParameterError, UnknownNameError
from sdckit.masking import Masking, masking
from sdckit.measure import Measure

PACKAGE = Path(sdckit.__file__).parent
SLICE = {
    "masking": {"additive-noise", "rank-swapping", "mdav"},
    "risk": {"distance-linkage", "uniqueness", "interval-disclosure"},
    "loss": {"il1", "il2", "il3", "il4", "il5"},
}


def file_of(entry: Entry) -> Path:
    return PACKAGE.joinpath(*entry.component.__module__.split(".")[1:]).with_suffix(".py")


@pytest.mark.parametrize("kind", FOLDERS)
def test_the_folders_fill_the_catalogue(kind):
    assert {entry.name for entry in entries(kind)} >= SLICE[kind]


def test_a_name_appears_once_whatever_its_kind():
    every = [entry.name for entry in entries()]
    assert len(every) == len(set(every))


@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_a_component_has_the_name_of_its_file(entry):
    assert file_of(entry).stem == entry.name.replace("-", "_")
    assert file_of(entry).parent.name == entry.family
    assert entry.component.__name__ == "".join(part.capitalize() for part in entry.name.split("-"))


@pytest.mark.parametrize("kind", FOLDERS)
def test_the_names_read_from_the_files_are_those_of_the_entries(kind):
    assert sorted(names(kind)) == sorted(entry.name for entry in entries(kind))


@pytest.mark.parametrize("kind", [None, *FOLDERS])
def test_what_is_listed_without_importing_it_is_what_the_entries_say(kind):
    def shown(each):
        return each.kind, each.family, each.name, each.summary

    assert [*map(shown, listing(kind))] == [*map(shown, entries(kind))]


def test_finding_by_name_gives_the_entry_that_the_listing_gives():
    for entry in entries():
        assert find(entry.kind, entry.name) == find(None, entry.name) == entry


def imported_files(path: Path) -> Iterator[Path]:
    """The files of the three folders that a file imports, directly or through another of them; itself included."""
    yield path
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[1:2] in [
            [each] for each in FOLDERS.values()
        ]:
            yield from imported_files(PACKAGE.joinpath(*node.module.split(".")[1:]).with_suffix(".py"))


@pytest.mark.parametrize("name", ["mdav", "v-mdav", "distance-linkage", "masked-mahalanobis-linkage", "il1", "il5"])
def test_finding_one_imports_no_sibling(name):
    code = f"import sys; from sdckit.catalogue import find; find(None, {name!r}); print('\\n'.join(sys.modules))"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    folders = tuple(f"sdckit.{folder}." for folder in FOLDERS.values())
    paths = [PACKAGE.joinpath(*each.split(".")[1:]) for each in modules if each.startswith(folders)]
    loaded = {path.with_suffix(".py") for path in paths if not path.is_dir()}
    assert file_of(find(None, name)) in loaded
    assert loaded <= set(imported_files(file_of(find(None, name))))


def test_an_unknown_name_imports_no_component():
    code = f"""
import sys
from sdckit.catalogue import find
from sdckit.errors import UnknownNameError
try:
    find("masking", "mdaw")
except UnknownNameError as problem:
    print(problem)
print([name for name in sys.modules if name.startswith({tuple(f"sdckit.{folder}." for folder in FOLDERS.values())!r})])
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed == "there is no masking 'mdaw'; did you mean 'mdav'?\n[]\n"


def test_kinds_are_what_they_say():
    for entry in entries():
        assert issubclass(entry.component, Masking if entry.kind == "masking" else Measure)
        assert entry.kind == "masking" or entry.component.kind == entry.kind


def test_entries_come_by_kind_family_and_name():
    order = [(list(FOLDERS).index(entry.kind), entry.family, entry.name) for entry in entries()]
    assert order == sorted(order)


def test_an_unknown_name_is_refused_with_the_near_miss():
    with pytest.raises(UnknownNameError, match="did you mean 'rank-swapping'"):
        find("masking", "rank-swaping")
    with pytest.raises(UnknownNameError, match="did you mean 'il1'"):
        find(None, "il1x")
    for asked in (entries, names):
        with pytest.raises(UnknownNameError, match="did you mean 'masking'"):
            asked("maskings")


@pytest.mark.parametrize("name", ["linkage", "blocks", "rank_swapping", "", "--init--"])
def test_a_file_without_a_component_is_no_component(name):
    with pytest.raises(UnknownNameError):
        find(None, name)


def test_a_name_of_another_kind_is_not_found():
    with pytest.raises(UnknownNameError, match="there is no risk 'mdav'"):
        find("risk", "mdav")


def test_building_takes_values_or_text():
    assert build("masking", "mdav", group_size=4) == build("masking", "mdav", group_size="4")
    with pytest.raises(ParameterError, match="did you mean 'group_size'"):
        build("masking", "mdav", groupsize=4)


def test_a_component_in_a_module_of_its_own_has_a_family_too():
    component = type("Lonely", (Masking,), {"name": "lonely", "__module__": "lonely"})
    assert Entry("masking", "lonely", component).family == "lonely"


@pytest.fixture
def added(monkeypatch):
    """A masking of another package, with an entry point."""
    component = masking("elsewhere", reference="moore1996")(
        type("Elsewhere", (Masking,), {"__module__": "other_package"})
    )
    module = ModuleType("other_package")
    module.Elsewhere = component
    monkeypatch.setattr(catalogue, "_added", lambda: iter([module]))
    catalogue._all.cache_clear()
    yield component
    catalogue._all.cache_clear()


def test_a_component_of_another_package_is_found_and_listed(added):
    assert find("masking", "elsewhere").component is added
    assert added in {entry.component for entry in entries("masking")}
    assert "elsewhere" in {each.name for each in listing("masking")}
    assert "elsewhere" not in {each.name for each in listing("risk")}
    with pytest.raises(UnknownNameError, match="did you mean 'elsewhere'"):
        find("masking", "elswhere")


def test_other_packages_are_not_looked_at_for_a_name_in_the_folders(monkeypatch):
    def looked_at():
        raise AssertionError("entry points were read")

    monkeypatch.setattr(catalogue, "_added", looked_at)
    assert find("masking", "mdav").name == "mdav"
