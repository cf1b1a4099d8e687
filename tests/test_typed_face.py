"""Components are classes of `sdckit.methods`, `sdckit.risks` and `sdckit.losses`: lazy, and with types for editors."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from mypy import api
from tools.stubs import stubs

import sdckit
from sdckit.component_classes import class_name, class_names

MODULES = {"masking": "sdckit.methods", "risk": "sdckit.risks", "loss": "sdckit.losses"}


@pytest.mark.parametrize("entry", sdckit.entries(), ids=lambda entry: entry.name)
def test_every_component_is_a_class_of_its_module(entry):
    module = import_module(MODULES[entry.kind])
    assert getattr(module, class_name(entry.name)) is entry.component
    assert class_name(entry.name) in dir(module)


@pytest.mark.parametrize("kind", MODULES)
def test_names_are_unique_and_can_be_listed_without_importing_them(kind):
    listed = class_names(kind)
    assert len(listed) == len(set(listed)) == len(sdckit.entries(kind))


def test_a_class_is_imported_from_its_file_alone():
    code = (
        "import sys; from sdckit.methods import AdditiveNoise; import sdckit.risks, sdckit.losses; dir(sdckit.risks); "
        "print([name for name in sys.modules if name.count('.') == 3 "
        "and name.startswith(('sdckit.methods', 'sdckit.risk', 'sdckit.loss'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    shared = "'sdckit.methods.noise.standard_deviations', "  # what the noises have in common, no component
    assert done.stdout == f"[{shared}'sdckit.methods.noise.additive_noise']\n"


@pytest.mark.parametrize("name", ["Mdaw", "mdav", "mDav", "MDAV", "Linkage", "_Mdav", "__wrapped__", "Il_1"])
def test_a_wrong_name_is_an_attribute_error(name):
    with pytest.raises(AttributeError, match=f"'sdckit.methods' has no attribute '{name}'"):
        getattr(import_module("sdckit.methods"), name)


def test_a_wrong_name_comes_with_the_near_miss():
    with pytest.raises(AttributeError, match="did you mean 'Mdav'"):
        import_module("sdckit.methods").Mdaw  # noqa: B018  looking it up is the test


def test_a_family_can_still_be_imported_from_the_package():
    from sdckit.methods import microaggregation

    assert microaggregation.__name__ == "sdckit.methods.microaggregation"


@pytest.mark.parametrize("path", stubs(), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_the_stubs_are_what_the_catalogue_gives(path):
    assert path.read_text(encoding="utf-8") == stubs()[path], "run `make stubs`"


SNIPPET = """
from sdckit import Recipe, Release, assess, build, protect, read
from sdckit.losses import Il1s, UserAnalysisLoss
from sdckit.methods import AggregationProjection, Mdav, RankSwapping
from sdckit.risks import DistanceLinkage

masking = Mdav(group_size=3)
size: int = masking.group_size
release: Release = protect(read("in.csv"), [RankSwapping(window=0.05), masking])
AggregationProjection(operator="weighted-mean(1+2)")
UserAnalysisLoss(analysis=len)
assess(release, [DistanceLinkage(), Il1s()])
Mdav(group=3)
Mdav(group_size="three")
DistanceLinkage(3)
masking.group
"""


@pytest.mark.slow
def test_a_type_checker_knows_the_parameters(tmp_path: Path):
    file = tmp_path / "analysis.py"
    file.write_text(SNIPPET, encoding="utf-8")
    source = Path(sdckit.__file__).parents[1]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MYPYPATH", str(source))
        patch.chdir(tmp_path)
        printed, problems, _ = api.run([str(file), "--follow-imports=silent", "--ignore-missing-imports"])
    assert not problems
    found = [line.partition(": error: ") for line in printed.splitlines() if ": error: " in line]
    assert {int(where.rpartition(":")[2]) for where, _, _ in found} == {13, 14, 15, 16}
    assert 'Unexpected keyword argument "group" for "Mdav"' in found[0][2]
