"""Statistical disclosure control of microdata: mask a file, attack the release, measure what was lost.

The public names are loaded when first used, so that `import sdckit` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from sdckit.catalogue import build, entries, find
    from sdckit.evaluation.assess import Assessment, assess
    from sdckit.evaluation.attack import Attack, attack
    from sdckit.evaluation.risk_utility_map import RiskUtilityMap
    from sdckit.evaluation.sweep import sweep
    from sdckit.evaluation.tune import Tuning, tune
    from sdckit.files import read, write
    from sdckit.intruder import Intruder
    from sdckit.measure import Score
    from sdckit.microdata import Kind, Microdata, Role
    from sdckit.recipe import Recipe
    from sdckit.release import Release, protect
    from sdckit.report import report

_HOME = {
    "Assessment": "sdckit.evaluation.assess",
    "Attack": "sdckit.evaluation.attack",
    "Intruder": "sdckit.intruder",
    "Kind": "sdckit.microdata",
    "Microdata": "sdckit.microdata",
    "Recipe": "sdckit.recipe",
    "Release": "sdckit.release",
    "RiskUtilityMap": "sdckit.evaluation.risk_utility_map",
    "Role": "sdckit.microdata",
    "Score": "sdckit.measure",
    "Tuning": "sdckit.evaluation.tune",
    "assess": "sdckit.evaluation.assess",
    "attack": "sdckit.evaluation.attack",
    "build": "sdckit.catalogue",
    "entries": "sdckit.catalogue",
    "find": "sdckit.catalogue",
    "protect": "sdckit.release",
    "read": "sdckit.files",
    "report": "sdckit.report",
    "sweep": "sdckit.evaluation.sweep",
    "tune": "sdckit.evaluation.tune",
    "write": "sdckit.files",
}

__all__ = [
    "Assessment",
    "Attack",
    "Intruder",
    "Kind",
    "Microdata",
    "Recipe",
    "Release",
    "RiskUtilityMap",
    "Role",
    "Score",
    "Tuning",
    "assess",
    "attack",
    "build",
    "entries",
    "find",
    "protect",
    "read",
    "report",
    "sweep",
    "tune",
    "write",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'sdckit' has no attribute {name!r}")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
