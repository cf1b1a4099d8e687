"""The story of an attack as tables and sentences: who is re-identified, how confidently, why, and what to mask."""

from typing import TYPE_CHECKING

from sdckit.cli.scores import table_of
from sdckit.cli.terminal import Terminal, bar, count, listed

if TYPE_CHECKING:
    from rich.table import Table

    from sdckit.evaluation.attack import Attack
    from sdckit.evaluation.evidence import Explanation, Weight
    from sdckit.measure import Score

BAR = 16
SHOWN = 0.05  # a weight that is printed as 0.1 at least
WHY = (
    "[bold]Why:[/] the correct claims of highest confidence, by the number of the record in the file. A figure is "
    "the logarithm of how much better an attribute fits the claimed row than the next one."
)


def say_attack(terminal: Terminal, found: "Attack", records: int, links: str, unit: str) -> None:
    """Print what the two intruders re-identify, and what their claims rest on; `records` is how many are known."""
    if not terminal.chatty:
        return
    from rich.markup import escape

    known = escape(listed(found.attributes))
    if links:
        known = f"{links} of the original" + (f" and {known} of its {unit}s" if known else "")
    attacked = found.leading.details.get("records_attacked", records)
    terminal.say(f"The intruder knows {known} and tries to re-identify {count(attacked, unit)}.")
    if "other_releases" in found.leading.details:
        terminal.say(f"Rows of other releases: {listed(found.leading.details['other_releases'])}.")
    terminal.say(_who(found), _cost(found, unit))
    if found.strongest is not found.leading:
        terminal.say(_by_using_more(found, unit))
    if "expected_found" in found.leading.details:
        terminal.say(_claims(found), _expectation(found.leading, unit))
    if found.leading.details.get("calibration"):
        terminal.say(_calibration(found.leading), _judged(found))
    if found.explanations:
        terminal.say("", WHY, _why(found.explanations))
    if found.worth:
        terminal.say(_which_attribute(found), _most_valuable(found))
    if found.curve:
        terminal.say(_curve(found))
    if found.curve_records is not None:
        terminal.say(
            f"[dim]For each attribute and number known, the intruders know {found.curve_records:,} records.[/]"
        )


def _who(found: "Attack") -> "Table":
    from sdckit.formatting import between, percent

    table = table_of("Intruder", ("re-identified", "95%", "guessing"))
    for score in (*found.intruders, *found.extensions):
        table.add_row(score.name, f"[bold]{percent(score.value)}[/]", between(score.interval), percent(score.baseline))
    return table


def _cost(found: "Attack", unit: str) -> str:
    from sdckit.formatting import percent

    cost = found.cost_of_transparency
    if cost is None:
        return "The method is not known: only the ordinary intruder was simulated."
    return f"Transparency costs {percent(max(cost, 0.0))} of the {unit}s: what knowing the method adds."


def _by_using_more(found: "Attack", unit: str) -> str:
    """What the leading intruder finds by using more columns, and that the tables which follow do without these."""
    from rich.markup import escape

    from sdckit.evaluation.component_descriptions import describe_component
    from sdckit.formatting import percent

    strongest = found.strongest
    columns = escape(listed(strongest.details.get("also_uses", ())))
    return (
        f"[bold]{describe_component(strongest.name).title}[/] uses {columns} too and re-identifies "
        f"[bold]{percent(strongest.value)}[/] of the {unit}s: leaving {columns} out of the release would protect most. "
        f"What follows is about the {found.leading.name}, who re-identifies {percent(found.leading.value)}."
    )


def _claims(found: "Attack") -> "Table":
    from sdckit.evaluation.main_figures import certain_share
    from sdckit.formatting import percent

    table = table_of("Claims", tuple(score.name for score in found.intruders))
    details = [score.details for score in found.intruders]
    certain = [certain_share(score) if score is found.informed else None for score in found.intruders]
    table.add_row("expected to be correct", *(percent(each.get("expected_found")) for each in details))
    table.add_row("confidence of 95 % or more", *(_counted(each.get("sure_claims")) for each in details))
    table.add_row("  of these correct", *(_counted(each.get("sure_claims_correct")) for each in details))
    table.add_row("certain: one possible row", *(percent(each) for each in certain))
    table.add_row("effective number of rows", *(f"{each.get('rows_left_open', 0):,.1f}" for each in details))
    return table


def _counted(number: float | None) -> str:
    return "–" if number is None else f"{number:,.0f}"


def _expectation(score: "Score", unit: str) -> str:
    from sdckit.formatting import percent

    expected = percent(score.details["expected_found"])
    if score.details.get("expected_found_is_bound"):
        return f"No attack with the same knowledge is expected to re-identify more than {expected} of the {unit}s."
    return f"The {expected} expected is an estimate, not a bound on every attack."


def _calibration(score: "Score") -> "Table":
    from sdckit.formatting import between, percent

    table = table_of("Confidence", ("claims", "stated", "correct", "95%"))
    for each in reversed(score.details["calibration"]):
        table.add_row(
            f"{100 * each['low']:.0f}–{100 * each['high']:.0f} %",
            f"{each['count']:,}",
            percent(each["stated"]),
            f"[bold]{percent(each['correct'])}[/]",
            between(each["interval"]),
        )
    return table


def _judged(found: "Attack") -> str:
    """The calibration of the leading intruder, and of any other on which one should not rely."""
    from sdckit.evaluation.calibration_text import describe_calibration, uncertain

    others = [each for each in found.intruders if each.name != found.leading.name]
    judged = [found.leading, *filter(uncertain, others)]
    return " ".join(describe_calibration(each) for each in judged)


def _why(explanations: "tuple[Explanation, ...]") -> "Table":
    from sdckit.formatting import percent

    table = table_of("Record", ("confidence", "effective rows"))
    table.add_column("its row against the next one")
    for each in explanations:
        weights = ", ".join(_weight(weight) for weight in each.weights if abs(weight.log_ratio) >= SHOWN)
        row = (str(each.record + 1), percent(each.confidence), f"{each.rows_open:,.1f}")
        table.add_row(*row, weights or "there is no other row")
    return table


def _weight(weight: "Weight") -> str:
    from rich.markup import escape

    if weight.decisive:
        return f"[bold]{escape(weight.label)}: impossible[/]"
    return f"{escape(weight.label)} {weight.log_ratio:+.1f}"


def _which_attribute(found: "Attack") -> "Table":
    from rich.markup import escape

    from sdckit.formatting import percent

    laws = found.leading.details.get("laws", {})
    table = table_of("Attribute known", ("likelihood", "re-identified without it", "adds"))
    table.add_column("", width=BAR, no_wrap=True)
    for each in found.worth:
        table.add_row(
            escape(each.attribute),
            laws.get(each.attribute, "–"),
            percent(each.found_without),
            f"[bold]{percent(max(each.worth, 0.0))}[/]",
            bar(max(each.worth, 0.0), width=BAR),
        )
    return table


def _most_valuable(found: "Attack") -> str:
    from rich.markup import escape

    first = found.worth[0]
    if first.worth <= 0:
        return "No single attribute adds to the re-identifications: mask several."
    if found.strongest is not found.leading:
        return f"Of these, masking [bold]{escape(first.attribute)}[/] more would protect most."
    return f"Masking [bold]{escape(first.attribute)}[/] more would protect most."


def _curve(found: "Attack") -> "Table":
    from sdckit.formatting import percent

    table = table_of("Attributes known", ("without the method", "with it"))
    table.add_column("", width=BAR, no_wrap=True)
    for each in found.curve:
        informed = each.informed if each.informed is not None else each.ordinary
        table.add_row(
            str(each.known) if each.known else "0: links alone",
            percent(each.ordinary),
            percent(each.informed),
            bar(each.ordinary, informed, BAR),
        )
    return table
