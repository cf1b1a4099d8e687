"""Frequency tables and cross-tables on the terminal."""

from typing import TYPE_CHECKING

from sdckit.cli.scores import table_of
from sdckit.cli.terminal import Terminal, count, listed

if TYPE_CHECKING:
    from sdckit.files.frequency_tables import Tables

SHOWN = 40  # values of a frequency table
WIDEST = 10  # columns of a cross-table
LONGEST = 25  # its rows


def say_tables(terminal: Terminal, tables: "Tables", records: int) -> None:
    """Print the frequency table of each attribute, then the cross-tables of the keys that fit the terminal."""
    from rich.markup import escape

    for each in tables.frequencies:
        table = table_of(escape(each.name), ("records", "share"))
        for value, number in each.counts[:SHOWN]:
            table.add_row(escape(value), f"{number:,}", f"{100 * number / records:.1f}%")
        terminal.say(table)
        if len(each.counts) > SHOWN:
            terminal.say(f"[dim]and {count(len(each.counts) - SHOWN, 'value')} more: see --json[/]")
    large = []
    for crossed in tables.crossed:
        rows, columns = crossed.names
        if len(crossed.columns) > len(crossed.rows):
            rows, columns = columns, rows
        flipped = rows != crossed.names[0]
        row_texts, column_texts = (crossed.columns, crossed.rows) if flipped else (crossed.rows, crossed.columns)
        if len(column_texts) > WIDEST or len(row_texts) > LONGEST:
            large.append(f"{crossed.names[0]} × {crossed.names[1]}")
            continue
        counts = list(zip(*crossed.counts, strict=True)) if flipped else crossed.counts
        table = table_of(escape(f"{rows} × {columns}"), tuple(map(escape, column_texts)))
        for text, numbers in zip(row_texts, counts, strict=True):
            table.add_row(escape(text), *(f"{number:,}" if number else "[dim]–[/]" for number in numbers))
        terminal.say(table)
    if large:
        terminal.say(f"[dim]Too large for a terminal, see --json: {escape(listed(large))}.[/]")
    if tables.left_out:
        named = ", ".join(f"{name} ({number:,})" for name, number in tables.left_out.items())
        terminal.say(f"[dim]Too many values or cells for a table: {escape(named)}.[/]")
