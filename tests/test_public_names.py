"""What `import sdckit` promises: these names, and nothing heavy until they are used."""

import subprocess
import sys
from types import ModuleType

import pytest

import sdckit

PUBLIC = [
    "Assessment",
    "Attack",
    "Dossier",
    "Edits",
    "External",
    "Hierarchy",
    "Intruder",
    "Key",
    "Kind",
    "Matched",
    "Microdata",
    "Policy",
    "Recipe",
    "Release",
    "RiskUtilityMap",
    "Role",
    "Run",
    "Sampled",
    "Schema",
    "Score",
    "SdcError",
    "Step",
    "TradeOff",
    "Tuning",
    "Unknown",
    "Unrelated",
    "UserAnalysisLoss",
    "Verdict",
    "assess",
    "attack",
    "build",
    "check_document",
    "corrected_statistics",
    "describe",
    "entries",
    "find",
    "gate",
    "protect",
    "publish",
    "read",
    "read_release",
    "report",
    "score",
    "sweep",
    "tune",
    "write",
]
HEAVY = ("numpy", "polars", "pandas", "pyarrow", "numba", "scipy", "sklearn", "altair", "narwhals", "click", "rich")


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_the_public_names_are_these():
    assert sorted(sdckit.__all__) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_leads_to_what_it_says(name):
    found = getattr(sdckit, name)
    assert callable(found)
    assert name in dir(sdckit)
    assert found.__doc__


def test_a_wrong_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="'sdckit' has no attribute 'asses'"):
        sdckit.asses  # noqa: B018  looking it up is the test


def test_importing_sdckit_loads_nothing_heavy():
    loaded = run(f"import sys, sdckit; print([name for name in {HEAVY!r} if name in sys.modules])")
    assert loaded == "[]"


@pytest.mark.slow
@pytest.mark.parametrize("first", ["import sdckit.reporting.page", "import sdckit; sdckit.report"])
def test_a_folder_of_the_same_name_does_not_hide_a_function(first):
    assert run(f"{first}; import sdckit, sdckit.reporting.document; print(callable(sdckit.report))") == "True"


def test_no_public_name_is_a_module():
    assert not [name for name in PUBLIC if type(getattr(sdckit, name)) is ModuleType]
