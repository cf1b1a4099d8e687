"""Gate: is a policy met by a release that does not fit into memory?"""

from dataclasses import replace
from math import isfinite

from sdckit.engines.assess import EngineMeasurement
from sdckit.engines.engine import Engine
from sdckit.engines.exactness import Exactness
from sdckit.engines.pair import Pair
from sdckit.errors import NotApplicableError, NotMeasuredError, message_to_store
from sdckit.evaluation.gate import Finding, Verdict, finding_of, implied_rules
from sdckit.evaluation.policy import Policy
from sdckit.intruder import Intruder
from sdckit.measure import Need
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
    """Compare a release with a policy; a rule that takes more memory is refused.

    An optional rule is left out where its measure does not apply to the file, never for lack of memory.
    """
    if replace(policy.intruder, attributes=None) != Intruder():
        raise NotApplicableError(
            "the policy's intruder knows some records only, or with errors, and an engine measures one who knows every "
            "key exactly; leave that out of the policy, or use --engine memory on a sample of the records"
        )
    known = None if policy.intruder.attributes is None else tuple(policy.intruder.attributes)
    measurement = EngineMeasurement(pair, engine, progress, known, memory, seed)
    measurement.refuse_without_memory(rule.measure for rule in policy.rules if not rule.optional)
    findings = []
    for rule in (*policy.rules, *implied_rules(policy, pair.masked.header)):
        try:
            score, exactness = measurement.score_and_exactness(rule.measure)
            findings.append(_checked(finding_of(rule, score), exactness))
        except NotMeasuredError as reason:
            raise NotMeasuredError(f"{rule.measure.name} applies and cannot be measured: {reason}") from None
        except NotApplicableError as reason:
            if rule not in policy.rules:
                continue
            missing = pair.recipe is None and Need.RECIPE in rule.measure.needs
            findings.append(
                Finding(rule, None, reason=f"does not apply: {message_to_store(reason)}", input_missing=missing)
            )
    return Verdict(tuple(findings))


def _checked(finding: Finding, exactness: Exactness) -> Finding:
    """The finding; a lower bound within its limit shows nothing, as the true risk may be beyond it."""
    lower_bound = exactness is Exactness.BOUNDED and not finding.rule.measure.anytime  # which is one in memory too
    if not lower_bound or not finding.met or not isfinite(finding.rule.max):
        return finding
    reason = f"the figure is at least {finding.value:.4g}, and no more is known with this memory; allow more (--memory)"
    return replace(finding, value=None, interval=None, reason=reason, input_missing=True)
