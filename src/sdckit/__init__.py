"""Statistical disclosure control of microdata: mask a file, attack the release, measure the information loss.

The public names are imported when first used, so that `import sdckit` costs nothing. Methods and measures are classes
of `sdckit.methods`, `sdckit.risks` and `sdckit.losses`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.2.0"

if TYPE_CHECKING:
    from sdckit.catalogue import build, entries, find
    from sdckit.document_check import check_document
    from sdckit.edits import Edits
    from sdckit.errors import SdcError
    from sdckit.evaluation.assess import Assessment, assess
    from sdckit.evaluation.attack import Attack, attack
    from sdckit.evaluation.corrections import corrected_statistics
    from sdckit.evaluation.dossier import Dossier
    from sdckit.evaluation.gate import Verdict, gate
    from sdckit.evaluation.policy import Policy
    from sdckit.evaluation.publish import publish
    from sdckit.evaluation.risk_utility_map import RiskUtilityMap
    from sdckit.evaluation.score import TradeOff, score
    from sdckit.evaluation.sweep import sweep
    from sdckit.evaluation.tune import Tuning, tune
    from sdckit.external import External
    from sdckit.files import read, write
    from sdckit.files.describe import describe
    from sdckit.files.release_files import read_release
    from sdckit.hierarchy import Hierarchy
    from sdckit.intruder import Intruder
    from sdckit.key import Key
    from sdckit.loss.analysis.user_analysis_loss import UserAnalysisLoss
    from sdckit.measure import Score
    from sdckit.microdata import Kind, Microdata, Role
    from sdckit.recipe import Recipe, Step
    from sdckit.release import Release, protect
    from sdckit.reporting import report
    from sdckit.rows import Matched, Sampled, Unknown, Unrelated
    from sdckit.run import Run
    from sdckit.schema import Schema

_MODULES = {
    "Assessment": "sdckit.evaluation.assess",
    "Attack": "sdckit.evaluation.attack",
    "Dossier": "sdckit.evaluation.dossier",
    "Edits": "sdckit.edits",
    "External": "sdckit.external",
    "Hierarchy": "sdckit.hierarchy",
    "Intruder": "sdckit.intruder",
    "Key": "sdckit.key",
    "Kind": "sdckit.microdata",
    "Matched": "sdckit.rows",
    "Microdata": "sdckit.microdata",
    "Policy": "sdckit.evaluation.policy",
    "Recipe": "sdckit.recipe",
    "Release": "sdckit.release",
    "RiskUtilityMap": "sdckit.evaluation.risk_utility_map",
    "Role": "sdckit.microdata",
    "Run": "sdckit.run",
    "Sampled": "sdckit.rows",
    "Schema": "sdckit.schema",
    "Score": "sdckit.measure",
    "SdcError": "sdckit.errors",
    "Step": "sdckit.recipe",
    "TradeOff": "sdckit.evaluation.score",
    "Tuning": "sdckit.evaluation.tune",
    "Unknown": "sdckit.rows",
    "Unrelated": "sdckit.rows",
    "UserAnalysisLoss": "sdckit.loss.analysis.user_analysis_loss",
    "Verdict": "sdckit.evaluation.gate",
    "assess": "sdckit.evaluation.assess",
    "attack": "sdckit.evaluation.attack",
    "build": "sdckit.catalogue",
    "check_document": "sdckit.document_check",
    "corrected_statistics": "sdckit.evaluation.corrections",
    "describe": "sdckit.files.describe",
    "entries": "sdckit.catalogue",
    "find": "sdckit.catalogue",
    "gate": "sdckit.evaluation.gate",
    "protect": "sdckit.release",
    "publish": "sdckit.evaluation.publish",
    "read": "sdckit.files",
    "read_release": "sdckit.files.release_files",
    "report": "sdckit.reporting",
    "score": "sdckit.evaluation.score",
    "sweep": "sdckit.evaluation.sweep",
    "tune": "sdckit.evaluation.tune",
    "write": "sdckit.files",
}

__all__ = [
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


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'sdckit' has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
