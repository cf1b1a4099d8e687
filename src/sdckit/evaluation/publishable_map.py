"""The publishable map: settings with their mean risk and mean loss; no point, no seed, no variation over the draws.

A setting is published where it was drawn more than once, since one draw may be the very one that was released, and
where its parameters may be published.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sdckit.catalogue import find
from sdckit.errors import SdcError
from sdckit.evaluation.baselines import BASELINES
from sdckit.evaluation.measure_traits import finds_records
from sdckit.evaluation.publishable_parameters import withheld_parameters
from sdckit.evaluation.published_rounding import rounded
from sdckit.evaluation.risk_utility_map import RiskUtilityMap, Setting
from sdckit.microdata import Microdata
from sdckit.recipe import STEP_WORDS

FEWEST_DRAWS = 2


@dataclass(frozen=True, eq=False)
class MapOfMeans(RiskUtilityMap):
    """A map that has the means of its settings and no points."""

    means: tuple[Setting, ...] = ()

    @cached_property
    def settings(self) -> tuple[Setting, ...]:
        """The settings, with their means only."""
        return self.means

    def _of_kind(self, kind: str) -> tuple[str, ...]:
        return tuple(name for name, each in self.kinds.items() if each == kind)


def publishable_map(swept: RiskUtilityMap, masked: Microdata) -> MapOfMeans | None:
    """The means on the two default axes; None where a risk or a loss is missing, or no setting may be published."""
    if not swept.risks or not swept.losses:
        return None
    risk, loss = swept.axes()
    means = tuple(
        _mean(each, risk, loss)
        for each in swept.settings
        if {risk, loss} <= {*each.mean} and _may_be_published(each, masked)
    )
    if all(each.baseline for each in means):
        return None
    attacks = [name for name in swept.risks if finds_records(name)]
    kinds = {**dict.fromkeys([risk, *attacks], "risk"), loss: "loss"}
    return MapOfMeans((), kinds, len(masked), means=means)


def _mean(setting: Setting, risk: str, loss: str) -> Setting:
    """The setting with its means on two axes, without standard deviations and number of draws."""
    steps = tuple(_without_attributes(step) for step in setting.steps)
    method = " → ".join(step["method"] for step in steps) or setting.method
    figures = {name: rounded(setting.mean[name]) for name in (risk, loss)}
    return Setting(setting.label, method, steps, 0, figures, {}, {}, {}, setting.baseline)


def _may_be_published(setting: Setting, masked: Microdata) -> bool:
    if setting.baseline:
        return setting.method in BASELINES and not setting.steps
    return (
        setting.seeds >= FEWEST_DRAWS
        and bool(setting.steps)
        and all(_publishable_step(step, masked) for step in setting.steps)
    )


def _publishable_step(step: Mapping[str, Any], masked: Microdata) -> bool:
    """Whether a step is one of the catalogue's methods, with parameters that it declares and that may be published."""
    given = {key: value for key, value in _without_attributes(step).items() if key not in STEP_WORDS}
    try:
        return not withheld_parameters(find("masking", step["method"]).build(**given), masked)
    except SdcError:
        return False


def _without_attributes(step: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in step.items() if key != "attributes"}
