"""`sdckit warm-up`: compile what a first masking and assessment need."""

from collections.abc import Iterator
from time import perf_counter
from typing import TYPE_CHECKING

from sdckit.cli.options import Json, Quiet
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb

if TYPE_CHECKING:
    from sdckit.release import Release

RECORDS = 1_100  # enough for every kernel of a default run to be called


def warm_up(json: Json = False, quiet: Quiet = False) -> None:
    """Compile the kernels once, so that the first run starts at once.

    Two simulated files are masked and assessed; nothing is written but the compiled code, next to the package or in
    the user's cache. Use it after an installation or in an image.

    Example: sdckit warm-up
    """
    from sdckit.evaluation.assess import assess
    from sdckit.kernels.compiled import compilations

    terminal = Terminal(json, quiet)
    start, before, lost = perf_counter(), compilations.count, compilations.lost
    compilations.spared = False
    try:
        with terminal.progress("compiling") as progress:
            for release in _releases():
                assess(release, seed=1, progress=progress)
    finally:
        compilations.spared = True
    compiled, seconds = compilations.count - before, perf_counter() - start
    if compilations.lost > lost:
        terminal.say(
            f"{count(compiled, 'kernel')} compiled in {seconds:.0f} s, and the code cannot be kept: name a folder that "
            "you may write to in NUMBA_CACHE_DIR, or free some disk space, and warm up again."
        )
    elif compiled:
        terminal.say(f"{count(compiled, 'kernel')} compiled in {seconds:.0f} s; later runs start at once.")
    else:
        terminal.say("All kernels of a default run are compiled already.")
    terminal.result({"compiled": compiled, "seconds": round(seconds, 1)}, bare=str(compiled))


def _releases() -> "Iterator[Release]":
    """The survey of the demo with its recipe, and firms masked by mdav, which has a kernel for numbers only, too."""
    import tomllib
    from importlib.resources import files

    from sdckit.attribute import Kind
    from sdckit.datasets import simulate_business, simulate_survey
    from sdckit.methods import Mdav
    from sdckit.recipe import Recipe
    from sdckit.release import protect

    recipe = tomllib.loads(files("sdckit.cli").joinpath("demo_recipe.toml").read_text(encoding="utf-8"))
    yield protect(simulate_survey(RECORDS, seed=1), Recipe.from_dict(recipe), seed=1)
    firms = simulate_business(RECORDS, seed=1)
    numbers = [name for name in firms.columns if firms.attribute(name).kind is Kind.CONTINUOUS]
    protect(firms, Mdav(group_size=3), numbers, seed=1)
    yield protect(firms, Mdav(group_size=3), seed=1)


VERB = Verb(warm_up, group="Look things up and try them out", order=55)
