from pathlib import Path

import pytest

import sdckit
from sdckit.catalogue import FOLDERS, Entry, build, entries, find
from sdckit.errors import ParameterError, UnknownNameError
from sdckit.masking import Masking
from sdckit.measure import Measure

SLICE = {
    "masking": {"additive-noise", "rank-swapping", "mdav"},
    "risk": {"distance-linkage", "uniqueness", "interval-disclosure"},
    "loss": {"il1", "il2", "il3", "il4", "il5"},
}


@pytest.mark.parametrize("kind", FOLDERS)
def test_the_folders_fill_the_catalogue(kind):
    assert {entry.name for entry in entries(kind)} >= SLICE[kind]


def test_a_name_stands_once_whatever_its_kind():
    names = [entry.name for entry in entries()]
    assert len(names) == len(set(names))


def test_a_component_is_found_by_its_name_in_the_folder():
    package = Path(sdckit.__file__).parent
    for entry in entries():
        path = package.joinpath(*entry.component.__module__.split(".")[1:]).with_suffix(".py")
        assert entry.name.replace("-", "_").endswith(path.stem), f"{entry.name} stands in {path.name}"
        assert path.parent.name == entry.family


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
    with pytest.raises(UnknownNameError, match="did you mean 'masking'"):
        entries("maskings")


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
