"""The order of the rows: figures mean nothing where the rows of two files do not belong together."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sdckit.cli.terminal import Terminal
    from sdckit.evaluation.assess import Assessment
    from sdckit.release import Release


def warn_of_shuffled_rows(terminal: "Terminal", then: str) -> None:
    """Say that the rows may be in another order, and what follows from it."""
    terminal.warn(
        "the released values are no nearer to their records than to others: either the masking left nothing, or "
        f"the rows of the two files are not in the same order, and then {then}"
    )


def looks_shuffled(result: "Assessment") -> bool:
    """Whether a released value tells no more of its own record than of a random one, but for chance."""
    import numpy as np

    near = result.get("interval-disclosure")
    if near is None or near.baseline is None or near.by_record is None:
        return False
    judged = near.by_record[np.isfinite(near.by_record)]
    chance = 3 * float(np.std(judged) * np.sqrt(2 / len(judged)))  # value and baseline both vary
    return near.value <= near.baseline + chance


def rows_look_mixed(release: "Release") -> bool:
    """Whether the order of the rows may make every attack fail: a verdict on that would pass any file."""
    from sdckit.errors import NotApplicableError
    from sdckit.evaluation.assess import assess

    try:
        return looks_shuffled(assess(release, "interval-disclosure", seed=0, before=False))
    except NotApplicableError:
        return False
