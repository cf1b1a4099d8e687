"""Gate: is a policy met by a release that does not fit into memory?"""

from sdckit.engines.assess import EngineMeasurement, refuse_unmeasurable
from sdckit.engines.engine import Engine
from sdckit.engines.pair import Pair
from sdckit.errors import NotApplicableError
from sdckit.evaluation.gate import Finding, Verdict, finding_of
from sdckit.evaluation.policy import Policy
from sdckit.progress import NoProgress, Progress


def refuse_policy(policy: Policy) -> None:
    """Refuse a policy with a rule that no engine measures, unless it is optional, before any work."""
    refuse_unmeasurable(rule.measure for rule in policy.rules if not rule.optional)


def gate(
    pair: Pair,
    engine: Engine,
    policy: Policy,
    *,
    memory: int = 2**62,
    seed: int | None = None,
    progress: Progress = NoProgress(),
) -> Verdict:
    """Compare a release with a policy; the figures are those of all records, but for linkages, which take a sample."""
    known = policy.intruder.attributes
    measurement = EngineMeasurement(pair, engine, progress, None if known is None else tuple(known), memory, seed)
    findings = []
    for rule in policy.rules:
        try:
            findings.append(finding_of(rule, measurement.score(rule.measure)))
        except NotApplicableError as reason:
            findings.append(Finding(rule, None, reason=str(reason)))
    return Verdict(tuple(findings))
