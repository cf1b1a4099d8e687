"""The counts that a steward reports: by hand, and against brute force."""

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from sdckit.counts import ReleaseCounts
from sdckit.evaluation.release_counts import attribute_counts, release_counts, stage_of
from sdckit.methods import GlobalRecodingBreaks, LocalSuppression
from sdckit.microdata import Microdata
from sdckit.recipe import Recipe, Step
from sdckit.release import Release, protect


@pytest.fixture
def people() -> Microdata:
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {"age": rng.integers(0, 90, 60), "sex": rng.choice(["f", "m"], 60), "pay": rng.normal(2000, 300, 60).round()}
    )
    return Microdata.from_frame(frame, roles={"age": "key", "sex": "key", "pay": "confidential"})


def test_violations_and_expected_are_those_of_brute_force_after_every_step(people: Microdata) -> None:
    stages = []
    recipe = Recipe(
        (Step(GlobalRecodingBreaks(breaks=tuple(range(0, 90, 5))), ("age",)), Step(LocalSuppression(group_size=4)))
    )
    release = protect(
        people,
        recipe,
        seed=1,
        after_step=lambda name, file: stages.append(stage_of(len(stages) + 1, name, file, people)),
    )
    counts = release_counts(release, stages)
    assert [each.stage for each in counts.stages] == [
        "before masking", "1 global-recoding-breaks", "2 local-suppression",
    ]  # fmt: skip
    files = [people, stages[0][1], release.masked]
    for each, file in zip(counts.stages, files, strict=True):
        rows = [tuple(row) for row in file.codes(("age", "sex")).tolist()]
        sizes = Counter(rows)
        assert each.violations == {k: sum(sizes[row] < k for row in rows) for k in (2, 3, 5)}
        assert each.expected_reidentifications == pytest.approx(sum(1 / sizes[row] for row in rows))
    assert counts.stages[-1].violations_any_value[3] == 0, "local suppression promises this reading"


def test_changed_and_suppressed_values_by_hand() -> None:
    frame = pl.DataFrame({"age": [3, 20, 21, None], "sex": ["f", "m", None, "m"]})
    data = Microdata.from_frame(frame, roles={"age": "key"})
    counts = attribute_counts(
        protect(data, GlobalRecodingBreaks(breaks=(0, 20, 21, 22)), ["age"], allow_undeclared=True)
    )
    assert {each.name: (each.present, each.changed, each.suppressed) for each in counts} == {
        "age": (3, 1, 0),  # the bands 20 and 21 are the values themselves
        "sex": (3, 0, 0),
    }


@pytest.fixture
def chained() -> tuple[Release, ReleaseCounts]:
    """Ages recoded to two bands in a first step, with the one person over 50 suppressed in a second."""
    frame = pl.DataFrame({"age": [3, 20, 21, 60], "sex": ["f", "f", "f", "m"]})
    data = Microdata.from_frame(frame, roles={"age": "key", "sex": "key"})
    stages: list[tuple[str, Microdata]] = []
    recipe = Recipe((Step(GlobalRecodingBreaks(breaks=(0, 50)), ("age",)), Step(LocalSuppression(group_size=2))))
    release = protect(
        data, recipe, seed=1, after_step=lambda name, file: stages.append(stage_of(len(stages) + 1, name, file, data))
    )
    return release, release_counts(release, stages)


def test_values_changed_and_suppressed_after_each_step_by_hand(chained: tuple[Release, ReleaseCounts]) -> None:
    release, counts = chained
    after = [{each.name: (each.changed, each.suppressed) for each in step.attributes} for step in counts.steps]
    assert after[0] == {"age": (4, 0), "sex": (0, 0)}
    assert after[1] == {each.name: (each.changed, each.suppressed) for each in counts.attributes}
    assert after[1]["age"][1] + after[1]["sex"][1] == sum(release.masked.absent(name).sum() for name in ("age", "sex"))
    assert after[1]["age"][1] or after[1]["sex"][1], "the man is alone"


def test_steps_that_the_key_knows_stand_between_the_counts_of_the_two_files(
    chained: tuple[Release, ReleaseCounts],
) -> None:
    release, counts = chained
    assert release_counts(release).steps == () and len(release_counts(release).stages) == 2
    assert release_counts(replace(release, counts=counts)) == counts


def test_counts_on_other_keys_than_while_masking_are_not_shown(chained: tuple[Release, ReleaseCounts]) -> None:
    release, counts = chained
    again = release_counts(replace(release, counts=replace(counts, keys=("age",))))
    assert [each.stage for each in again.stages] == ["before masking", "after masking"]
    assert again.steps == counts.steps
