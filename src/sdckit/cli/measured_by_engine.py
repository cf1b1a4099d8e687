"""Figures of a release that does not fit into memory, as tables; each says how exact it is."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sdckit.cli.by_engine import print_line
from sdckit.cli.counts import say_count_totals, say_counts
from sdckit.cli.inputs import RowOptions, schema_of
from sdckit.cli.terminal import Terminal, count, listed

if TYPE_CHECKING:
    from sdckit.counts import ReleaseCounts
    from sdckit.engines.assess import EngineAssessment
    from sdckit.engines.choose import Choice
    from sdckit.engines.engine import Engine
    from sdckit.engines.exactness import Exactness
    from sdckit.engines.pair import Pair
    from sdckit.evaluation.edit_checks import EditCheck
    from sdckit.measure import Measure, Score


@contextmanager
def opened_pair(
    terminal: Terminal,
    choice: "Choice",
    original: Path,
    masked: Path,
    schema: Path | None,
    recipe: Path | None,
    rows: RowOptions,
    allow_code: Sequence[Path] | None,
    keep_codes: bool = False,
) -> Iterator[tuple["Pair", "Engine"]]:
    """The two files in parts, in a private folder beside the masked file that is removed afterwards."""
    from sdckit.engines.open_pair import open_pair
    from sdckit.engines.start import start
    from sdckit.files.temporary import remove_stale, temporary_beside

    target = masked.resolve()
    remove_stale(target.parent)
    with temporary_beside(target, folder=True) as folder:
        engine = start(choice, folder)
        try:
            with terminal.progress("reading both files") as progress:
                pair = open_pair(
                    original,
                    masked,
                    engine,
                    folder,
                    choice.memory,
                    schema=schema_of(schema),
                    recipe=recipe,
                    key=rows.key,
                    rows_in_order=rows.rows_in_order,
                    allow_code=allow_code or (),
                    keep_codes=keep_codes,
                    progress=progress,
                )
            print_line(terminal, f"{count(pair.records, 'record')} in {count(len(pair.original.cut), 'part')}")
            yield pair, engine
        finally:
            engine.close()


def guessable_recipe(recipe: Path) -> bool:
    """Whether the recipe says that the draws came from a short seed."""
    from sdckit.release_table import ReleaseTable

    described = ReleaseTable.from_toml(recipe)
    return described is not None and described.guessable_seed


def assess_by_engine(
    terminal: Terminal,
    pair: "Pair",
    engine: "Engine",
    measures: "list[Measure] | None",
    keys: tuple[str, ...],
    memory: int,
    seed: int | None,
) -> "EngineAssessment":
    """The assessment of a release in parts, with its progress on stderr."""
    from sdckit.engines.assess import assess

    with terminal.progress("measuring") as progress:
        return assess(pair, engine, measures, keys=keys or None, memory=memory, seed=seed, progress=progress)


def counts_by_engine(
    terminal: Terminal, pair: "Pair", engine: "Engine", key: Path | None, memory: int
) -> "ReleaseCounts":
    """The counts of a release in parts; the private key knows those after each step of a chain."""
    from sdckit.engines.release_counts import release_counts
    from sdckit.evaluation.release_counts import with_steps
    from sdckit.files.key_file import read_key

    names = [each.name for each in pair.masked.header.attributes if each.name in pair.original.header]
    with terminal.progress("counting"):
        counts = release_counts(pair.original, [("", pair.masked, names)], engine, memory=memory)
    known = None if key is None else read_key(key).counts
    return counts if known is None else with_steps(counts, known)


def say_assessment(
    terminal: Terminal,
    result: "EngineAssessment",
    counts: "ReleaseCounts",
    broken: "Sequence[EditCheck]",
    masked: Path,
    original: Path,
) -> None:
    """Print each figure, its interval, the risk before masking and how exact it is, then the counts."""
    from rich.markup import escape
    from rich.table import Table

    from sdckit.engines.assess import BY_NAME, IN_COLUMNS
    from sdckit.formatting import between, figure, percent

    if terminal.chatty:
        records = count(result.pair.records, "record")
        terminal.say(f"[bold]{escape(masked.name)}[/] against {escape(original.name)} ({records})")
        for kind, read in (("risk", percent), ("loss", figure)):
            table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
            table.add_column(kind.capitalize(), style="cyan")
            for heading in ("figure", "95%", "before") if kind == "risk" else ("figure",):
                table.add_column(heading, justify="right")
            table.add_column("exactness")
            for name, score in result.scores.items():
                if score.kind != kind:
                    continue
                cells = [name, f"[bold]{read(score.value)}[/]"]
                if kind == "risk":
                    earlier = result.before.get(name)
                    cells += [between(score.interval), "–" if earlier is None else percent(earlier.value)]
                table.add_row(*cells, _exactness(score, result.exactness[name]))
            if table.row_count:
                terminal.say(table)
        (say_counts if counts.steps else say_count_totals)(terminal, counts)
        by_name = [name for name, reason in result.skipped.items() if reason in (BY_NAME, IN_COLUMNS)]
        if by_name:
            terminal.say(
                f"[dim]Measured where named (--measure), with the columns that they read in memory or on a sample of "
                f"the records: {escape(listed(by_name))}.[/]"
            )
        others = sorted(set(result.skipped) - set(by_name))
        if others:
            terminal.say(f"[dim]Did not apply: {escape(listed(others))}; --json gives the reasons.[/]")
    bare = "\n".join(f"{name}\t{score.value:.6g}\t{result.exactness[name]}" for name, score in result.scores.items())
    more = {"broken_edits": [edit.to_dict() for edit in broken], "counts": counts.to_dict()}
    terminal.result(result.to_dict() | more, bare)


def _exactness(score: "Score", exactness: "Exactness") -> str:
    """How exact a figure is, with the records that it is of where these are not all."""
    sampled, known = (score.details.get(name) for name in ("sampled_records", "known_records"))
    if known:
        return f"{exactness.value} (at least; the intruder knows {count(known, 'record')})"
    return exactness.value + (f" ({count(sampled, 'record')})" if sampled else "")
