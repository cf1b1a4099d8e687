"""Dossier of a release in parts: the figures of all records, with a sample of them for distributions."""

from sdckit.engines.assess import BY_NAME, IN_COLUMNS, EngineAssessment
from sdckit.engines.describe import sample_of
from sdckit.evaluation.assess import Assessment
from sdckit.evaluation.dossier import Dossier
from sdckit.evaluation.gate import Verdict
from sdckit.intruder import Intruder
from sdckit.release import Release

SAMPLE = 100_000  # released records whose distributions are shown


def dossier_of_parts(found: EngineAssessment, intruder: Intruder, verdict: Verdict) -> Dossier:
    """The results on a release in parts; measures that were not asked for count as such, not as inapplicable."""
    pair = found.pair
    sample = Release.in_order(sample_of(pair.original, SAMPLE), sample_of(pair.masked, SAMPLE), pair.recipe)
    skipped = {name: reason for name, reason in found.skipped.items() if reason not in (BY_NAME, IN_COLUMNS)}
    whole = None if len(sample.masked) == pair.records else pair.records
    return Dossier(
        Assessment(sample, intruder, dict(found.scores), dict(found.before), skipped), gate=verdict, sampled_from=whole
    )
