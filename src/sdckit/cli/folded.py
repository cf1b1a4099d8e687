"""A table of figures whose names wrap."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table


def folded_table(title: str, figures: tuple[str, ...]) -> "Table":
    """A table with a column of long names, which are folded on a narrow terminal and never squeeze the figures."""
    from sdckit.cli.scores import table_of

    table = table_of(title, figures)
    table.columns[0].no_wrap, table.columns[0].overflow = False, "fold"
    return table
