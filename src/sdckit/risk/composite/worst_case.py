"""The worst case: the quick attack that re-identifies most records."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from sdckit.catalogue import entries
from sdckit.errors import NotApplicableError, message_to_store
from sdckit.intruder import Intruder
from sdckit.measure import Composite, Cost, Finds, Measure, Need, Score, risk
from sdckit.recipe import Recipe
from sdckit.release import Release

ON_SINGLE_STEPS = " on single steps"  # added to the name of an attack that is tried on each step of a chain


@risk(
    "worst-case",
    heading="Re-identified, strongest attack",
    reference="hundepool2012",
    finds=Finds.RECORDS,
    needs={Need.ROWS},
    cost=Cost.SLOW,
)
class WorstCase(Composite):
    r"""Largest share of records re-identified by any of the quick attacks that apply to the release.

    The attacks are those of the catalogue that re-identify records within seconds and that an intruder can carry out,
    which leaves out those that learn from the true links. Where the recipe has several steps, an attack that uses the
    recipe is also tried on each step alone, as if the other steps had not been applied. Interval, baseline and figures
    by record are those of the strongest attack; the details give the figure of each.

    Formula: $\max_a$ of the share of records that attack $a$ re-identifies

    Intruder: carries out every quick attack and relies on the one that turns out to be the strongest.

    Use it when every attack of the literature is to count. It measures all of them, so it is slow; the main figures
    are those of the intruders who combine all that is known.
    """

    uses: ClassVar[frozenset[Need]] = frozenset({Need.RECIPE})

    def parts(self) -> tuple[Measure, ...]:
        attacks = []
        for entry in entries("risk"):
            attack = entry.component
            if not issubclass(attack, Measure) or issubclass(attack, Composite) or attack.domain is not self.domain:
                continue
            if attack.finds is Finds.RECORDS and attack.cost is Cost.QUICK and Need.TRUTH not in attack.needs:
                attacks.append(entry.build())
        return (*attacks, *(SingleSteps(attack) for attack in attacks if Need.RECIPE in attack.needs))

    def combine(self, scores: Mapping[str, Score | NotApplicableError]) -> Score:
        measured = {name: score for name, score in scores.items() if isinstance(score, Score)}
        if not measured:
            reasons = (message_to_store(each) for each in scores.values() if isinstance(each, NotApplicableError))
            raise NotApplicableError(f"no attack applies: {next(reasons, 'there is none')}")
        strongest = max(measured, key=lambda name: measured[name].value)
        score = measured[strongest]
        return Score(
            score.value,
            by_record=score.by_record,
            interval=score.interval,
            baseline=score.baseline,
            details={
                "strongest": strongest,
                "by_attack": {name: each.value for name, each in measured.items()},
                "attributes": score.details.get("attributes", ()),
            },
        )


@dataclass(frozen=True)
class SingleSteps(Measure):
    """An attack on a recipe tried on each step of a chain as if it were the whole; the strongest reading counts."""

    attack: Measure

    def __post_init__(self) -> None:
        # Of the instance, not of the class: it is not a component of the catalogue.
        object.__setattr__(self, "name", self.attack.name + ON_SINGLE_STEPS)

    def measure(self, release: Release, intruder: Intruder = Intruder(), *, seed: int | None = None) -> Score:
        recipe = release.recipe
        if recipe is None or len(recipe.steps) < 2:
            raise NotApplicableError("the recipe has no chain of steps")
        scores = []
        for number, step in enumerate(recipe.steps, start=1):
            try:
                score = self.attack.measure(replace(release, recipe=Recipe((step,))), intruder, seed=seed)
            except NotApplicableError:
                continue
            scores.append(replace(score, details={**score.details, "step": number}))
        if not scores:
            raise NotApplicableError(f"{self.attack.name} applies to no step of the recipe alone")
        return max(scores, key=lambda score: score.value)
