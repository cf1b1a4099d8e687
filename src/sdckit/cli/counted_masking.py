"""Masking with the counts that a data steward reports of it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from sdckit.cli.terminal import Terminal

if TYPE_CHECKING:
    from sdckit.counts import ReleaseCounts
    from sdckit.draws import Secret
    from sdckit.microdata import Microdata
    from sdckit.recipe import Recipe
    from sdckit.release import Release


def masked_and_counted(
    terminal: Terminal,
    data: "Microdata",
    steps: "Recipe",
    *,
    seed: "int | Secret | None",
    allow_undeclared: bool,
    kept: bool,
    title: str = "masking",
) -> "tuple[Release, ReleaseCounts | None]":
    """The release and its counts; where they are kept for later, the release has those after each step of a chain."""
    from sdckit.evaluation.release_counts import release_counts, stage_of
    from sdckit.release import protect as protected

    stages: list[tuple[str, Microdata]] = []

    def remember(name: str, file: "Microdata") -> None:
        stages.append(stage_of(len(stages) + 1, name, file, data))

    with terminal.progress(title) as progress:
        release = protected(
            data, steps, seed=seed, allow_undeclared=allow_undeclared, progress=progress, after_step=remember
        )
    kept = kept and len(stages) > 1
    with terminal.progress("counting"):
        counts = release_counts(release, stages) if kept or not terminal.quiet else None
    return (replace(release, counts=counts) if kept else release), counts
