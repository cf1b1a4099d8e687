"""Tasks: what a job does in its process. Each takes a payload and yields results by name as they are ready."""

import tomllib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from sdckit.errors import NotApplicableError
from sdckit.evaluation.gate import gate
from sdckit.evaluation.measurement import main_attacks, of_few_records
from sdckit.evaluation.policy import Policy
from sdckit.intruder import Intruder
from sdckit.measure import Need, Score
from sdckit.microdata import Microdata, Role
from sdckit.progress import Progress, by_piece
from sdckit.recipe import Recipe
from sdckit.release import Release, protect
from sdckit.run import Run
from sdckit.web.figures import FIRM, GUESS, first_figures, policy_figures, quick_assessment, strip_figures

Results = Iterator[tuple[str, Any]]
LARGE = 2_000  # records from which on a first figure comes from attacking few of them
FEW = 200  # records attacked for it, in the whole release: the interval is wide, and not shifted
PREVIEW = 0.05  # share of the records that a preview masks
PREVIEW_LEAST = 500


@dataclass(frozen=True)
class Work:
    """What is worked on: the original under its schema, the run as TOML, and the secret of the draws.

    `measured`, `judged`: whether the figures and the verdict are known already, as after a restart
    """

    data: Microdata
    run: str
    seed: int
    measured: bool = False
    judged: bool = False

    def parsed(self) -> Run:
        """The run."""
        return Run.from_dict(tomllib.loads(self.run))


def load() -> None:
    """Import what most jobs need, while the worker waits for its job."""
    from importlib import import_module

    from sdckit.catalogue import entries

    entries()
    import_module("sdckit.evaluation.attack")


def made_release(data: Microdata, recipe: Recipe | None, seed: int, progress: Progress) -> Release:
    """The release of a recipe; without one, the file itself without its identifiers, for the risk before masking."""
    if recipe is None:
        plain = data.without(data.names(role=Role.IDENTIFIER))
        return Release.in_order(data, replace(plain, lineage=None))
    return protect(data, recipe, seed=seed, progress=progress)


def release(work: Work, progress: Progress) -> Results:
    """Mask the file, then measure it: by few of the records first where the file is large."""
    run = work.parsed()
    made = made_release(work.data, run.recipe, work.seed, progress)
    yield "release", (made.masked, made.rows, made.recipe, made.notes())
    if len(work.data) > LARGE and not work.measured:
        for figures in first_figures(made, run.intruder, FEW, progress):
            yield "strip", figures
    yield from measure((made, None if work.measured else run.intruder, None if work.judged else run.policy), progress)


def measure(payload: tuple[Release, Intruder | None, Policy | None], progress: Progress) -> Results:
    """Measure a release that is there already, and check its policy; without an intruder, the policy alone."""
    made, intruder, policy = payload
    if intruder is not None:
        yield "strip", strip_figures(quick_assessment(made, intruder, progress), FIRM)
    if policy is not None:
        yield "policy", policy_figures(gate(made, policy, progress=progress))


def preview(payload: tuple[Work, Recipe], progress: Progress) -> Results:
    """Mask some of the records by a recipe, to show what it does; the figures are rough."""
    work, recipe = payload
    records = min(max(round(PREVIEW * len(work.data)), PREVIEW_LEAST), len(work.data))
    chosen = np.sort(np.random.default_rng(0).choice(len(work.data), records, replace=False))
    some = replace(work.data.take(chosen), lineage=None)
    made = protect(some, recipe, seed=work.seed, progress=progress)
    yield "release", (chosen, made)
    result = quick_assessment(made, work.parsed().intruder, progress)
    yield "strip", strip_figures(result, GUESS)


def attack(payload: tuple[Release, Intruder, int | None], progress: Progress) -> Results:
    """Attack a release as an intruder with this knowledge: few records first, then more, then by fewer attributes."""
    from sdckit.evaluation.attack import attack_by_stages

    made, intruder, seed = payload
    if len(intruder.known_rows(made, seed)) > 2 * FEW:
        yield "first", first_score(made, intruder, seed, progress)
    for so_far in attack_by_stages(made, intruder=intruder, seed=seed, progress=progress):
        yield "attack", so_far


def first_score(made: Release, intruder: Intruder, seed: int | None, progress: Progress) -> Score | None:
    """What the strongest main attack that applies finds among few records of the whole release."""
    start = by_piece(progress, 1)
    for measure in main_attacks(type(made.original)):
        if Need.RECIPE in measure.needs and (made.recipe is None or not intruder.knows_method):
            continue
        start(f"{measure.name}, {FEW} records")
        with suppress(NotApplicableError):
            return of_few_records(measure, FEW).measure(made, intruder, seed=seed)
    return None


def sweep(payload: dict[str, Any], progress: Progress) -> Results:
    """Try the methods that suit the file; what is finished stays in the folder."""
    from sdckit.evaluation.sweep import sweep as swept

    yield "map", swept(**payload, progress=progress)


def tune(payload: dict[str, Any], progress: Progress) -> Results:
    """Search for the recipe of least loss within a bound on the risk."""
    from sdckit.evaluation.tune import tune as tuned

    yield "tuning", tuned(**payload, progress=progress)


def decide(payload: tuple[Release, Run], progress: Progress) -> Results:
    """Everything that a decision rests on: the assessment, the attack, the policy, and both reports."""
    from sdckit.evaluation.assess import assess
    from sdckit.evaluation.attack import attack as attacked
    from sdckit.evaluation.dossier import Dossier
    from sdckit.evaluation.release_warnings import release_warnings
    from sdckit.reporting.document import describe_dossier
    from sdckit.reporting.page import render

    made, run = payload
    start = by_piece(progress, 6)
    start("checking the policy")
    verdict = None if run.policy is None else gate(made, run.policy)
    start("measuring")
    result = assess(made, intruder=run.intruder)
    start("attacking")
    found = None
    with suppress(NotApplicableError):
        found = attacked(made, intruder=run.intruder, measured=result)
    dossier = Dossier(result, found, gate=verdict)
    start("writing the internal report")
    internal = render(describe_dossier(dossier))
    start("writing the public report")
    public = render(describe_dossier(dossier, public=True))
    yield (
        "decision",
        {
            "verdict": verdict,
            "dossier": dossier,
            "internal": internal,
            "public": public,
            "warnings": release_warnings(made),
        },
    )


@dataclass(frozen=True)
class Publication:
    """What is published where."""

    release: Release
    run: Run
    out: Path
    key: Path | None
    format: str
    shuffle: bool


def publish(order: Publication, progress: Progress) -> Results:
    """Publish a release that meets its policy into a folder, and write its private key beside it."""
    from sdckit.cli.publish import REPORT
    from sdckit.evaluation.assess import assess
    from sdckit.evaluation.attack import attack as attacked
    from sdckit.evaluation.dossier import Dossier
    from sdckit.evaluation.publish import publish as published
    from sdckit.evaluation.publish import refuse_unpublishable, without_text
    from sdckit.evaluation.publishable import publishable
    from sdckit.files.key_file import write_key
    from sdckit.key import Key
    from sdckit.reporting import report

    made, policy = order.release, order.run.policy
    assert policy is not None
    refuse_unpublishable(made)
    start = by_piece(progress, 4)
    start("checking the policy")
    verdict = gate(made, policy)
    start("measuring")
    result = assess(made, intruder=policy.intruder)
    start("attacking")
    found = None
    with suppress(NotApplicableError):
        found = attacked(made, intruder=policy.intruder, measured=result)
    dossier = Dossier(result, found, gate=verdict)
    start("writing")
    public = publishable(dossier).gate
    assert public is not None
    rules = [without_text(rule) for rule in public.to_dict()["rules"]]
    key = order.key
    published(
        made,
        verdict,
        order.out,
        rules=rules,
        data_format=order.format,
        shuffle_rows=order.shuffle,
        more={REPORT: lambda path: report(dossier, path, public=True)},
        write_key=None if key is None else lambda final: write_key(Key.of(final), key),
    )
    yield "published", sorted(path.name for path in order.out.iterdir())


@dataclass(frozen=True)
class Export:
    """A masked file to write, with its recipe and private key beside it, as `sdckit protect` does."""

    release: Release
    out: Path
    recipe: Path | None
    key: Path | None


def export(order: Export, progress: Progress) -> Results:
    """Write the masked file, its recipe and its key."""
    from sdckit.cli.release_outputs import describe_release
    from sdckit.files import write

    by_piece(progress, 1)("writing")

    def describe(complete: Path) -> None:
        describe_release(order.release, complete, None, order.recipe, order.key, force=False)

    written = write(order.release, order.out, before_release=describe)
    yield "exported", {"path": str(written.path), "records": written.records}


TASKS: dict[str, Callable[[Any, Progress], Results]] = {
    "release": release,
    "measure": measure,
    "preview": preview,
    "attack": attack,
    "sweep": sweep,
    "tune": tune,
    "decide": decide,
    "publish": publish,
    "export": export,
}
