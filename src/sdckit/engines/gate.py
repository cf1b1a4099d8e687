"""Gate: is a policy met by a release that does not fit into memory?"""

from dataclasses import replace

from sdckit.engines.assess import EngineMeasurement, refuse_unmeasurable
from sdckit.engines.engine import Engine
from sdckit.engines.pair import Pair
from sdckit.errors import NotApplicableError
from sdckit.evaluation.gate import Finding, Verdict, finding_of
from sdckit.evaluation.policy import Policy
from sdckit.intruder import Intruder
from sdckit.progress import NoProgress, Progress


def gate(
    pair: Pair,
    engine: Engine,
    policy: Policy,
    *,
    memory: int = 2**62,
    seed: int | None = None,
    progress: Progress = NoProgress(),
) -> Verdict:
    """Compare a release with a policy; a rule that takes more memory is refused, unless optional."""
    if replace(policy.intruder, attributes=None) != Intruder():
        raise NotApplicableError(
            "the policy's intruder knows some records only, or with errors, and an engine measures one who knows every "
            "key exactly; leave that out of the policy, or use --engine memory on a sample of the records"
        )
    known = None if policy.intruder.attributes is None else tuple(policy.intruder.attributes)
    refuse_unmeasurable((rule.measure for rule in policy.rules if not rule.optional), pair, memory, known)
    measurement = EngineMeasurement(pair, engine, progress, known, memory, seed)
    findings = []
    for rule in policy.rules:
        try:
            findings.append(finding_of(rule, measurement.score(rule.measure)))
        except NotApplicableError as reason:
            findings.append(Finding(rule, None, reason=str(reason)))
    return Verdict(tuple(findings))
