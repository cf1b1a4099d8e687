"""Scores set as tables, and in words; the words and figures are those of the report."""

from typing import TYPE_CHECKING

from sdckit.cli.terminal import Terminal, bar, count, listed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table
    from rich.text import Text

    from sdckit.evaluation.assess import Assessment

TONES = {"good": "green", "fair": "yellow", "bad": "red"}


def say_scores(terminal: Terminal, result: "Assessment") -> None:
    """Risks beside what they were and what chance gives, losses beside their meaning, and the gist in words."""
    from rich.markup import escape

    if not terminal.chatty:
        return
    if result.of_kind("risk"):
        terminal.say(_risks(result, 16 if terminal.console.width >= 100 else 8))
    if result.of_kind("loss"):
        terminal.say(_losses(result))
    for reason, names in by_reason(result.skipped).items():
        terminal.say(f"[dim]left out, as {escape(reason)}: {escape(listed(names))}[/]")
    terminal.say(*in_words(result))


def by_reason(skipped: "Mapping[str, str]") -> dict[str, list[str]]:
    """What did not apply, the measures of one reason together.

    >>> by_reason({"household-risk": "there are no weights", "individual-risk": "there are no weights"})
    {'there are no weights': ['household-risk', 'individual-risk']}
    """
    together: dict[str, list[str]] = {}
    for name, reason in skipped.items():
        together.setdefault(reason.replace(f"{name} ", "it "), []).append(name)
    return together


def in_words(result: "Assessment") -> list["Text"]:
    """What the figures mean for the people in the file."""
    from rich.text import Text

    from sdckit.report.sections.verdict import headline_risk, judgement, risk_before
    from sdckit.report.words import percent

    lines = []
    found = headline_risk(result)
    if found is not None:
        before = risk_before(result, found)
        verdict, tone = judgement(found, before)
        known = listed(found.details.get("attributes", ()))
        who = f"an intruder who knows {known} of everybody" if known else "an intruder"
        told = f"{verdict}: by {found.name}, {who} reaches {percent(found.value)} of the "
        told += f"{count(len(result.release.original), 'record')}"
        told += f"; guessing reaches {percent(found.baseline)}" if found.baseline is not None else ""
        told += f"; before masking it was {percent(before.value)}" if before is not None else ""
        line = Text(f"{told}.")
        line.stylize(f"bold {TONES[tone]}", 0, len(verdict))
        lines.append(line)
    if "il1" in result:
        lines.append(Text(f"A value moved by {percent(result['il1'].value)} of itself on average."))
    return lines


def _risks(result: "Assessment", bar_width: int) -> "Table":
    from sdckit.report.words import percent

    table = table_of("Risk", ("after", "95%", "chance", "before"))
    table.add_column("", width=bar_width, no_wrap=True)
    for score in result.of_kind("risk"):
        earlier = result.before.get(score.name)
        before = earlier.value if earlier is not None else None
        table.add_row(
            score.name,
            f"[bold]{percent(score.value)}[/]",
            f"[dim]{_interval(score.interval)}[/]",
            f"[dim]{percent(score.baseline)}[/]",
            percent(before),
            _coloured(score.value, before, bar_width),
        )
        if score.bound is not None:
            table.add_row("", f"[dim]≤ {percent(score.bound)}[/]", "[dim]proven[/]")
    return table


def _losses(result: "Assessment") -> "Table":
    from rich.markup import escape

    from sdckit.report.words import words

    table = table_of("Loss")
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("most on", max_width=26)
    table.add_column("what it is")
    for score in result.of_kind("loss"):
        worst = max((score.by_attribute or {}).items(), key=lambda pair: pair[1], default=None)
        table.add_row(
            score.name,
            f"[bold]{_figure(score.value)}[/]",
            f"{escape(worst[0])} [dim]{_figure(worst[1])}[/]" if worst else "–",
            f"[dim]{escape(words(score.name).definition)}[/]",
        )
    return table


def table_of(title: str, figures: tuple[str, ...] = ()) -> "Table":
    """A table with a column of names, and one for each kind of figure."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column(title, style="cyan", no_wrap=True)
    for heading in figures:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def _coloured(value: float, before: float | None, width: int) -> "Text":
    from rich.text import Text

    drawn = bar(value, before, width)
    text = Text(drawn, style="red")
    if "░" in drawn:
        text.stylize("green", drawn.index("░"))
    return text


def _interval(ends: tuple[float, float] | None) -> str:
    return "–" if ends is None else f"{100 * ends[0]:.1f}–{100 * ends[1]:.1f}%"


def _figure(value: float) -> str:
    """A loss to three decimals, so that figures stand under each other.

    >>> _figure(0.03641), _figure(1e-7), _figure(0.0), _figure(1234.5)
    ('0.036', '<0.001', '0', '1,234.500')
    """
    if value and abs(value) < 0.0005:
        return "<0.001"
    return f"{value:,.3f}" if value else "0"
