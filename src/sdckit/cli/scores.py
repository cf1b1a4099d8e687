"""Scores as tables and as sentences; the figures are those of the report."""

from typing import TYPE_CHECKING

from sdckit.cli.terminal import Terminal, bar, count, listed

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from rich.table import Table
    from rich.text import Text

    from sdckit.evaluation.assess import Assessment
    from sdckit.evaluation.main_figures import MainRisk
    from sdckit.measure import Score

TONES = {"good": "green", "fair": "yellow", "bad": "red"}


def say_scores(terminal: Terminal, result: "Assessment", *, every: bool = False, named: "Container[str]" = ()) -> None:
    """A summary, then the main figures and those in `named`; with `every`, all of them."""
    from sdckit.evaluation.main_figures import main_losses, main_risks

    if not terminal.chatty:
        return
    terminal.say(*summary(result))
    width = 16 if terminal.console.width >= 100 else 8
    risks, losses = main_risks(result, named), main_losses(result, named)
    if result.of_kind("risk"):
        terminal.say(_risks(result, width) if every else _main_risks(result, risks, width))
    if result.of_kind("loss"):
        terminal.say(_losses(result.of_kind("loss")) if every else _main_losses(losses))
    _say_relations(terminal, result)


def say_unshown(terminal: Terminal, result: "Assessment", *, every: bool = False, named: "Container[str]" = ()) -> None:
    """How many figures `say_scores` did not show; with `every`, why measures are left out."""
    from rich.markup import escape

    from sdckit.evaluation.main_figures import main_losses, main_risks

    if not terminal.chatty:
        return
    if every:
        for reason, names in by_reason(result.skipped).items():
            terminal.say(f"[dim]left out, because {escape(reason)}: {escape(listed(names))}[/]")
    else:
        shown = len(main_risks(result, named)) + len(main_losses(result, named))
        terminal.say(*_what_else(result, shown))


def _say_relations(terminal: Terminal, result: "Assessment") -> None:
    """What became of the strongest relations of the file, and whether shuffled keys would keep as much."""
    from sdckit.cli.relations import say_relations
    from sdckit.evaluation.relations import loses_like_shuffled, strongest_relations
    from sdckit.evaluation.risk_utility_map import RELATIONS

    score = result.scores.get(RELATIONS)
    if score is None:
        return
    say_relations(terminal, strongest_relations(score))
    if loses_like_shuffled(score):
        terminal.say("[bold red]The relations are lost about as much as if the keys were shuffled.[/]")


def by_reason(skipped: "Mapping[str, str]") -> dict[str, list[str]]:
    """The measures that did not apply, grouped by the reason.

    >>> by_reason({"household-risk": "there are no weights", "individual-risk": "there are no weights"})
    {'there are no weights': ['household-risk', 'individual-risk']}
    """
    together: dict[str, list[str]] = {}
    for name, reason in skipped.items():
        together.setdefault(reason.replace(f"{name} ", "it "), []).append(name)
    return together


def summary(result: "Assessment") -> list["Text"]:
    """The headline risk and the main loss, one sentence each, and a stronger attack where there is one."""
    from rich.text import Text

    from sdckit.evaluation.component_descriptions import describe_component
    from sdckit.evaluation.main_figures import headline_loss, is_synthesised, prominent
    from sdckit.evaluation.measure_traits import domain, finds_records
    from sdckit.evaluation.verdict import headline_risk, judgement_of, risk_before, stronger_attack
    from sdckit.formatting import percent
    from sdckit.graph import Graph

    lines = []
    found = headline_risk(result)
    if found is not None:
        before = risk_before(result, found)
        verdict, tone = judgement_of(result) or ("", "")
        unit = result.release.original.unit
        known = listed(found.details.get("attributes", ()))
        if known and isinstance(result.release.original, Graph) and domain(found.name) is Graph:
            known = f"the links and {known}"
        if prominent([found]):
            title = describe_component(found.name).title
            intruder = title[:1].lower() + title[1:] + (f", who knows {known} of every {unit}," if known else "")
        else:
            attack = found.details.get("strongest", found.name)
            intruder = f"by {attack}, an intruder" + (f" who knows {known} of every {unit}" if known else "")
        records = count(len(result.release.original), unit)
        sentence = (
            f"{verdict}: {intruder} re-identifies {percent(found.value)} of the {records}"
            if finds_records(found.name)
            else f"{verdict}: no row belongs to a record, and {found.name} succeeds in {percent(found.value)}"
            if is_synthesised(result)
            else f"{verdict}: {_with_gist(found.name)} is {percent(found.value)}"  # of pairs, values, classes …
        )
        if "excess" in found.details:
            sentence += f"; on control records it succeeds in {percent(found.details['control'])}"
        elif found.baseline is not None:
            sentence += f"; guessing reaches {percent(found.baseline)}"
        sentence += f"; before masking it was {percent(before.value)}" if before is not None else ""
        line = Text(f"{sentence}.")
        line.stylize(f"bold {TONES[tone]}", 0, len(verdict))
        lines.append(line)
        stronger = stronger_attack(result, found)
        if stronger is not None:
            lines.append(Text(f"{stronger.name} re-identifies more: {percent(stronger.value)}.", style="bold red"))
    loss = headline_loss(result)
    if loss is not None:
        gist = describe_component(loss.name).gist
        lines.append(Text(f"Information loss: {loss.name} {_figure(loss.value)}{f' ({gist})' if gist else ''}."))
    return lines


def _with_gist(name: str) -> str:
    from sdckit.evaluation.component_descriptions import describe_component

    gist = describe_component(name).gist
    return f"{name} ({gist})" if gist else name


def _what_else(result: "Assessment", shown: int) -> list["Text"]:
    """How many figures are not shown, and where to see them."""
    from rich.text import Text

    sentences = []
    if len(result) > shown:
        sentences.append(
            f"{count(len(result) - shown, 'more figure')} measured: see --json or `sdckit report`; --all shows them "
            "and adds the slow measures"
        )
    if result.skipped:
        sentences.append(f"{count(len(result.skipped), 'measure')} did not apply: --all shows the reasons")
    return [Text(f"{each}.", style="dim") for each in sentences]


def _main_risks(result: "Assessment", risks: "tuple[MainRisk, ...]", bar_width: int) -> "Table":
    """Each main risk under a heading that says what it is a share of."""
    from sdckit.formatting import figure, percent

    table = _table_of_risks(bar_width)
    for risk in risks:
        table.add_row(f"[bold default]{risk.heading}[/]")
        _add_risk(table, result, risk.score, bar_width, "  ")
        for label, value in risk.more:
            table.add_row(f"  [default]{label}[/]", f"[bold]{figure(value) if value >= 1 else percent(value)}[/]")
    return table


def _risks(result: "Assessment", bar_width: int) -> "Table":
    table = _table_of_risks(bar_width)
    for score in result.of_kind("risk"):
        _add_risk(table, result, score, bar_width)
    return table


def _table_of_risks(bar_width: int) -> "Table":
    table = table_of("Risk", ("after", "95%", "guessing", "before"))
    table.columns[0].no_wrap = False  # a long heading takes two lines, so that no figure is cut short
    key = "█ after ░ before"
    table.add_column(key if bar_width >= len(key) else "", width=bar_width, no_wrap=True)
    return table


def _add_risk(table: "Table", result: "Assessment", score: "Score", bar_width: int, indent: str = "") -> None:
    """The figure with its interval, what guessing reaches and what it was before.

    A proven bound and the figures by both readings of missing keys are on lines of their own.
    """
    from sdckit.evaluation.hole_readings import hole_readings
    from sdckit.evaluation.verdict import risk_before
    from sdckit.formatting import percent

    earlier = risk_before(result, score)
    before = earlier.value if earlier is not None else None
    table.add_row(
        f"{indent}{score.name}",
        f"[bold]{percent(score.value)}[/]",
        f"[dim]{_interval(score.interval)}[/]",
        f"[dim]{percent(score.baseline)}[/]",
        percent(before),
        _coloured(score.value, before, bar_width),
    )
    if "excess" in score.details:
        table.add_row(f"{indent}  [dim default]on control records[/]", f"[dim]{percent(score.details['control'])}[/]")
        ends = _interval(score.details["excess_interval"])
        table.add_row(f"{indent}  [dim default]excess[/]", f"{percent(score.details['excess'])}", f"[dim]{ends}[/]")
    if score.bound is not None:
        table.add_row("", f"[dim]≤ {percent(score.bound)}[/]", "[dim]proven[/]")
    for label, text in hole_readings(score):
        table.add_row(f"{indent}  [dim default]{label}[/]", f"[dim]{text}[/]")


def _main_losses(losses: "Sequence[Score]") -> "Table":
    table = _table_of_losses()
    for score in losses:
        table.add_row(score.name, f"[bold]{_figure(score.value)}[/]", _what_it_is(score))
    return table


def _losses(losses: "Sequence[Score]") -> "Table":
    from rich.markup import escape

    table = _table_of_losses()
    table.add_column("largest for", max_width=26)
    for score in losses:
        worst = max((score.by_attribute or {}).items(), key=lambda pair: pair[1], default=None)
        largest = f"{escape(worst[0])} [dim]{_figure(worst[1])}[/]" if worst and worst[1] else "–"
        table.add_row(score.name, f"[bold]{_figure(score.value)}[/]", _what_it_is(score), largest)
    return table


def _table_of_losses() -> "Table":
    table = table_of("Loss", ("value",))
    table.columns[0].no_wrap = True  # the sentences give way
    table.add_column("what it is")
    return table


def _what_it_is(score: "Score") -> str:
    from rich.markup import escape

    from sdckit.evaluation.component_descriptions import describe_component

    term = describe_component(score.name)
    interval = f" (95%: {'–'.join(_figure(end) for end in score.interval)})" if score.interval is not None else ""
    floor = f" (without masking {_figure(score.baseline)})" if score.baseline else ""
    return f"[dim]{escape((term.gist or term.definition) + interval + floor)}[/]"


def table_of(title: str, figures: tuple[str, ...] = ()) -> "Table":
    """A table with a column of names, and one for each kind of figure."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column(title, style="cyan", overflow="fold")  # it gives way where the terminal is narrow, not the figures
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
    """A loss to three decimals, so that the figures of a column align.

    >>> _figure(0.03641), _figure(1e-7), _figure(0.0), _figure(1234.5)
    ('0.036', '<0.001', '0', '1,234.500')
    """
    if value and abs(value) < 0.0005:
        return "<0.001"
    return f"{value:,.3f}" if value else "0"
