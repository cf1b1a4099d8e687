"""Counts that a data steward reports, as tables: by stage of the masking and by variable."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sdckit.cli.scores import table_of
from sdckit.cli.terminal import Terminal, count, listed

if TYPE_CHECKING:
    from sdckit.counts import AttributeCounts, ReleaseCounts

SHOWN = 30  # variables in the table


def say_counts(terminal: Terminal, counts: "ReleaseCounts", unit: str = "record") -> None:
    """Print how many records violate k-anonymity at each stage, and what became of the values of each variable."""
    from rich.markup import escape

    from sdckit.counts import SIZES

    if not terminal.chatty:
        return
    if counts.stages:
        table = table_of(f"{unit.title()}s violating", (*(f"k={size}" for size in SIZES), "expected"))
        for each in counts.stages:
            expected = f"{each.expected_reidentifications:,.0f}"
            table.add_row(escape(each.stage), *(f"{each.violations[size]:,}" for size in SIZES), expected)
            if each.violations_any_value is not None:
                table.add_row(
                    "[dim default]  missing key as any value[/]",
                    *(f"[dim]{each.violations_any_value[size]:,}[/]" for size in SIZES),
                )
        terminal.say(
            table,
            f"[dim]Keys: {escape(listed(counts.keys))}. Expected: the re-identifications by an intruder who knows the "
            f"keys of everybody in the file and picks at random among the {unit}s that agree.[/]",
        )
    touched = _touched(counts)
    if touched:
        table = table_of("Variable", ("values", "changed", "suppressed"))
        for variable in touched[:SHOWN]:
            table.add_row(escape(variable.name), *_cells(variable))
            for stage, earlier in counts.earlier(variable.name):
                table.add_row(
                    f"[dim default]  after {escape(stage)}[/]", *(f"[dim]{cell}[/]" for cell in _cells(earlier))
                )
        terminal.say(table)
        if len(touched) > SHOWN:
            terminal.say(f"[dim]and {count(len(touched) - SHOWN, 'variable')} more: see --json[/]")


def say_count_totals(terminal: Terminal, counts: "ReleaseCounts", unit: str = "record") -> None:
    """Print the same before and after masking, for the whole file, in two lines."""
    from sdckit.counts import SIZES

    if counts.stages:
        first, last = counts.stages[0], counts.stages[-1]
        if first is last:
            sizes = ", ".join(f"k={size} {first.violations[size]:,}" for size in SIZES)
            terminal.say(f"{unit.title()}s violating k-anonymity {first.stage}: {sizes}.")
            return
        by_size = ", ".join(f"k={size} {first.violations[size]:,} → {last.violations[size]:,}" for size in SIZES)
        expected = f"{first.expected_reidentifications:,.0f} → {last.expected_reidentifications:,.0f}"
        terminal.say(
            f"{unit.title()}s violating k-anonymity: {by_size}; re-identifications expected by the keys: {expected}."
        )
    touched = _touched(counts)
    if touched:
        changed, suppressed = (sum(getattr(each, what) for each in touched) for what in ("changed", "suppressed"))
        terminal.say(
            f"{count(changed, 'value')} changed and {suppressed:,} suppressed in {count(len(touched), 'variable')}."
        )


def _touched(counts: "ReleaseCounts") -> "list[AttributeCounts]":
    return [each for each in counts.attributes if each.changed or each.suppressed]


def say_exposed(terminal: Terminal, exposed: Sequence[Mapping[str, Any]], unit: str = "record") -> None:
    """Print the records at highest risk, numbered as in the file, with their keys and the mean of their risks."""
    from rich.markup import escape

    if not exposed or not terminal.chatty:
        return
    table = table_of(unit.title(), ("mean risk",))
    for name in exposed[0]["keys"]:
        table.add_column(escape(name), overflow="fold")
    for each in exposed:
        risks = [value for value in each["risks"].values() if value is not None]
        mean = f"{100 * sum(risks) / max(len(risks), 1):.1f}%"
        texts = (escape(text) if text else "[dim]missing[/]" for text in each["keys"].values())
        table.add_row(str(each["record"]), mean, *texts)
    terminal.say(table, f"[dim]{unit.title()}s are numbered as in the original file. This table is private.[/]")


def _cells(variable: "AttributeCounts") -> tuple[str, str, str]:
    present = variable.present
    return f"{present:,}", _share(variable.changed, present), _share(variable.suppressed, present)


def _share(number: int, values: int) -> str:
    """A count with its share of the values.

    >>> _share(5, 200), _share(0, 200)
    ('5 [dim]2.5%[/]', '[dim]–[/]')
    """
    return f"{number:,} [dim]{100 * number / max(values, 1):.1f}%[/]" if number else "[dim]–[/]"
