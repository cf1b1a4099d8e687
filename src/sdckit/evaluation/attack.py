"""Attack: whom an ordinary and an informed intruder re-identify, with what confidence, and why."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from types import MappingProxyType
from typing import Any

from sdckit.errors import NotApplicableError
from sdckit.evaluation.evidence import Explanation, explanations
from sdckit.evaluation.known_sets import MOST_LEFT_OUT, RECORDS, Found, KnownSets, numbers_known
from sdckit.evaluation.main_figures import certain_share
from sdckit.evaluation.measurement import extensions_of, main_attacks, of_every_record
from sdckit.formatting import html_table, percent
from sdckit.graph import Graph
from sdckit.intruder import Intruder
from sdckit.measure import Measure, Need, Score
from sdckit.progress import NoProgress, Progress, by_piece
from sdckit.release import Release
from sdckit.risk.intruder.joint_attack import Claims, JointAttack
from sdckit.risk.transparency.intersection_attack import allowed_rows


@dataclass(frozen=True)
class AttributeWorth:
    """What the leading intruder re-identifies without knowing one attribute, and by how much less that is.

    In a large file both figures are of an intruder who knows a sample of the records.
    """

    attribute: str
    found_without: float
    worth: float


@dataclass(frozen=True, eq=False)
class Attack:
    """The claims of two intruders on one release.

    `ordinary`      the score of the intruder who does not know the method
    `informed`      the score of the one who knows method and parameters; None where these are not known
    `curve`         the shares re-identified as the number of known attributes grows
    `worth`         what the leading intruder re-identifies without each attribute, the most valuable first
    `explanations`  evidence for the claims of highest confidence: it names records, so it is never published
    `extensions`    the scores of the same intruders where they use more, such as who lives together
    `impossible`    share of the records for which the recipe leaves no row: then the recipe is not that of the file
    `curve_records` how many records the intruders know for `curve` and `worth`; None where it is as for the scores
    """

    attributes: tuple[str, ...]
    ordinary: Score
    informed: Score | None
    curve: tuple[Found, ...] = ()
    worth: tuple[AttributeWorth, ...] = ()
    explanations: tuple[Explanation, ...] = field(default=(), repr=False)
    impossible: float = 0.0
    curve_records: int | None = None
    extensions: tuple[Score, ...] = ()

    @property
    def leading(self) -> Score:
        """The informed intruder, or the ordinary one where the method is not known."""
        return self.ordinary if self.informed is None else self.informed

    @property
    def intruders(self) -> tuple[Score, ...]:
        """The scores, the leading one first."""
        return (self.ordinary,) if self.informed is None else (self.informed, self.ordinary)

    @property
    def strongest(self) -> Score:
        """The leading intruder, or what it finds by using more where that is more."""
        return max((self.leading, *self.extensions), key=lambda score: score.value)

    @property
    def cost_of_transparency(self) -> float | None:
        """The share of records that knowing the method adds; None where the method is not known."""
        return None if self.informed is None else self.informed.value - self.ordinary.value

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: figures, record numbers and names of attributes, no value of a record."""
        return {
            "attributes": list(self.attributes),
            "ordinary": self.ordinary.to_dict(),
            "informed": None if self.informed is None else self.informed.to_dict(),
            "cost_of_transparency": self.cost_of_transparency,
            "curve": [asdict(each) for each in self.curve],
            "worth_of_attributes": [asdict(each) for each in self.worth],
            "explanations": [each.to_dict() for each in self.explanations],
            "impossible": self.impossible,
            "curve_records": self.curve_records,
            "extensions": [score.to_dict() for score in self.extensions],
        }

    def _repr_html_(self) -> str:
        """What a notebook shows: each intruder, and the shares re-identified by the number of attributes known."""
        intruders = [
            (
                score.name,
                percent(score.value),
                percent(score.details.get("expected_found")),
                percent(certain_share(score)),
                percent(score.baseline),
            )
            for score in (*self.intruders, *self.extensions)
        ]
        curve = [(str(each.known), percent(each.ordinary), percent(each.informed)) for each in self.curve]
        headings = ("intruder", "re-identified", "expected", "with certainty", "guessing")
        return html_table(headings, intruders) + html_table(
            ("attributes known", "method unknown", "method known"), curve
        )


def attack(
    release: Release,
    *,
    intruder: Intruder = Intruder(),
    every: bool = False,
    sets: bool = True,
    measured: Mapping[str, Score] = MappingProxyType({}),
    seed: int | None = None,
    progress: Progress = NoProgress(),
) -> Attack:
    """Attack a release as an intruder who has only the file, and as one who also knows method and parameters.

    Parameters
    ----------
    intruder
        Which attributes of which records are known; `Intruder(knows_method=False)` leaves out the second attack.
    every
        Attack all known records instead of 1,000 at most.
    sets
        Attack by some of the known attributes too, for `curve` and `worth`, which takes most of the time.
    measured
        The assessment of this release by this intruder, whose scores are not measured again.
    seed
        Seed of what an intruder knows, where that is drawn at random.

    Returns
    -------
    The scores of both intruders with their confidence, the shares re-identified by the number of attributes known and
    without each attribute, and the evidence for the claims of highest confidence.

    Example
    -------
    >>> from sdckit.datasets import simulate_business
    >>> from sdckit.release import protect
    >>> found = attack(protect(simulate_business(40, seed=1), "rank-swapping:window=0.1", seed=1))
    >>> [score.name for score in found.intruders]
    ['informed-intruder', 'ordinary-intruder']
    >>> found.informed.details["laws"]
    {'sector': 'untouched', 'region': 'untouched', 'employees': 'learned', 'turnover': 'learned'}
    """
    stages = attack_by_stages(
        release, intruder=intruder, every=every, sets=sets, measured=measured, seed=seed, progress=progress
    )
    return list(stages)[-1]


def attack_by_stages(
    release: Release,
    *,
    intruder: Intruder = Intruder(),
    every: bool = False,
    sets: bool = True,
    measured: Mapping[str, Score] = MappingProxyType({}),
    seed: int | None = None,
    progress: Progress = NoProgress(),
) -> Iterator[Attack]:
    """The attack as it becomes known: the scores, then what each attribute adds, then the curve, which takes longest.

    The parameters are those of `attack`, which is the last stage.
    """
    links = isinstance(release.original, Graph)
    names = intruder.known_attributes(release)
    if not names and not links:
        raise NotApplicableError("the intruder knows no attribute that the release still has")
    attacks = [of_every_record(each) if every else each for each in main_attacks(type(release.original))]
    ordinary = next(each for each in attacks if Need.RECIPE not in each.needs)
    informed = next((each for each in attacks if Need.RECIPE in each.needs), None)
    if release.recipe is None or not intruder.knows_method:
        informed = None
    extensions = () if informed is None else extensions_of(informed, release.original)
    sizes = numbers_known(len(names), links=links) if names and sets else ()
    known_sets = KnownSets(release, intruder, names, ordinary, informed, seed)
    left_out = names if len(names) <= MOST_LEFT_OUT and sets and known_sets.quick else ()
    report = by_piece(progress, 1 + (informed is not None) + len(extensions) + len(sizes) + len(left_out))
    report(ordinary.name)
    known = measured if informed is not None else {}  # claims are made again, to explain those of the leading intruder
    scores = {ordinary.name: _scored(ordinary, release, intruder, seed, known)}
    if informed is not None:
        report(informed.name)
        scores[informed.name] = _scored(informed, release, intruder, seed)
    extended = []
    for each in extensions:
        report(each.name)
        with suppress(NotApplicableError):  # a release that does not show who lives together, for example
            extended.append(_scored(of_every_record(each) if every else each, release, intruder, seed, measured)[0])
    claims = scores[known_sets.leading.name][1]
    found = Attack(
        names,
        scores[ordinary.name][0],
        None if informed is None else scores[informed.name][0],
        explanations=() if claims is None else explanations(claims),
        impossible=0.0 if claims is None or informed is None else _impossible(claims),
        extensions=tuple(extended),
    )
    yield found
    if not sizes and not left_out:
        return
    found = replace(found, curve_records=None if known_sets.whole else RECORDS)
    for name in left_out:
        report(f"without {name}")
        worth = (*found.worth, *_worth(known_sets, name))
        found = replace(found, worth=tuple(sorted(worth, key=lambda each: -each.worth)))
        yield found
    for size in sizes:
        report(f"{size} attribute{'s' if size > 1 else ''} known" if size else "links alone")
        found = replace(found, curve=(*found.curve, known_sets.found(size)))
        yield found


def _scored(
    measure: Measure,
    release: Release,
    intruder: Intruder,
    seed: int | None,
    measured: Mapping[str, Score] = MappingProxyType({}),
) -> tuple[Score, Claims | None]:
    """The score of an intruder, and the claims behind it where it makes any and was not measured before."""
    if measure.name in measured:
        return measured[measure.name], None
    claims = measure.claims(release, intruder, seed=seed) if isinstance(measure, JointAttack) else None
    score = (
        measure.score(release, claims)
        if isinstance(measure, JointAttack) and claims is not None
        else measure.measure(release, intruder, seed=seed)
    )
    return replace(score, name=measure.name, kind=measure.kind), claims


def _worth(sets: KnownSets, name: str) -> list[AttributeWorth]:
    every, without = sets.share(sets.leading, sets.names), sets.without(name)
    if every is None or without is None:
        return []
    return [AttributeWorth(name, without, every - without)]


def _impossible(claims: Claims) -> float:
    """The share of the records attacked that no row can belong to, by what the recipe promises."""
    released = claims.judged[claims.truth >= 0]  # a record that was left out has none
    if not claims.view.exact or not len(released):
        return 0.0
    return float((allowed_rows(claims.view).promised_sizes(released) == 0).mean())
