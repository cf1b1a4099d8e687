"""What `protect` did: as plain values, and as a table on the terminal."""

from typing import TYPE_CHECKING, Any

from sdckit.cli.terminal import Terminal, count, listed

if TYPE_CHECKING:
    from sdckit.release import Release


def summary(release: "Release") -> dict[str, Any]:
    """What was done, in plain values; nothing in it is private."""
    from sdckit.microdata import Role
    from sdckit.privacy import privacy_budget

    assert release.recipe is not None
    touched = release.recipe.touched(release.original)
    steps = release.recipe.to_dict()["steps"]
    budget = privacy_budget(release.recipe, release.original, release.masked)
    return {
        "records": len(release.original),
        "released_records": len(release.masked),
        "steps": [{**step, "attributes": list(names)} for step, names in zip(steps, touched, strict=True)],
        "dropped": list(release.original.names(role=Role.IDENTIFIER)),
        "unchanged": [
            each.name for each in release.masked.attributes if not any(each.name in names for names in touched)
        ],
        "differential_privacy": None if budget is None else budget.to_dict(),
    }


def print_summary(terminal: Terminal, done: dict[str, Any], unit: str = "record") -> None:
    """Print what was done."""
    if not terminal.chatty:
        return
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(style="dim", width=12)
    table.add_column(overflow="fold")
    for step in done["steps"]:
        values = ", ".join(f"{key}={_setting(step[key])}" for key in step if _is_set(key, step[key]))
        method = f"[bold cyan]{step['method']}[/]" + (f" ({escape(values)})" if values else "")
        table.add_row("masked", f"{escape(listed(step['attributes'])) or 'edges'} by {method}")
    if done["dropped"]:
        table.add_row("dropped", f"{escape(listed(done['dropped']))} (identifiers)")
    if done["unchanged"]:
        table.add_row("unchanged", escape(listed(done["unchanged"])))
    if done["differential_privacy"]:
        table.add_row("privacy", escape(done["differential_privacy"]["statement"]))
    terminal.say(table)
    order = ", in a random order" if done["shuffled"] else ""
    terminal.line(
        f"[dim]{'written':14}[/]{count(done['released_records'], unit)}{order} to [bold]{escape(done['path'])}[/]"
    )
    for what in ("recipe", "key", "run", "codebook", "report"):
        if done.get(f"{what}_path"):
            terminal.line(f"[dim]{what:14}[/][bold]{escape(done[f'{what}_path'])}[/]")


def _is_set(key: str, value: Any) -> bool:
    """Whether an entry of a step is a parameter that says something."""
    return key not in ("method", "attributes", "exactness") and value not in ("", [], None)


def _setting(value: Any) -> str:
    """The value of a parameter as it is typed on a command line."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return "+".join(map(_setting, value))
    return f"{value:g}" if isinstance(value, float) else str(value)
