"""`sdckit correct`: estimates without the bias of the masking, from the released file and its recipe."""

from pathlib import Path
from typing import Annotated

from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import column_names, schema_of
from sdckit.cli.options import AllowCode, Json, Quiet, SchemaFile
from sdckit.cli.terminal import Terminal
from sdckit.cli.verb import Verb
from sdckit.errors import NotApplicableError


def correct(
    masked: Annotated[Path, Argument(metavar="MASKED", help="The released file.")],
    recipe: Annotated[Path, Option(help="The published recipe.")],
    attributes: Annotated[
        list[str] | None,
        Option(metavar="NAME,…", help="Attributes to estimate for, by default the ordered ones that are masked."),
    ] = None,
    regress: Annotated[str | None, Option(metavar="NAME", help="Regress this attribute on the others instead.")] = None,
    schema: SchemaFile = None,
    seed: Annotated[int | None, Option(help="Seed of the resampling behind the standard errors.")] = None,
    allow_code: AllowCode = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Remove the bias of the masking from estimates.

    Means, variances, correlations or a regression of the original are estimated from the released file and its recipe
    alone, with standard errors.

    Example: sdckit correct safe.csv --recipe recipe.toml --regress income --attributes age,hours
    """
    from rich.markup import escape

    from sdckit.cli.folded import folded_table
    from sdckit.evaluation.corrections import corrected_regression, corrected_statistics, masked_attributes
    from sdckit.files.release_files import read_released
    from sdckit.microdata import Kind
    from sdckit.recipe import Recipe

    terminal = Terminal(json, quiet)
    with terminal.progress("reading"):
        published = Recipe.from_toml(recipe, allow_code=allow_code or ())
        data = read_released(masked, schema_of(schema))
    columns = [each.name for each in data.attributes]
    names = column_names(attributes or (), columns)
    if not names and not masked_attributes(data, published):
        raise NotApplicableError(
            f"{masked} has no ordered column that the recipe masks, so no mean, variance or correlation to correct"
        )
    if schema is None and not all(step.attributes for step in published.steps):
        terminal.warn(
            "the recipe does not name the columns it masks: every numeric column is assumed to be masked; give --schema"
        )
    with terminal.progress("resampling"):
        if regress is None:
            estimates = corrected_statistics(data, published, names, seed=seed)
        else:
            outcome = column_names([regress], columns)[0]
            others = names or tuple(name for name in data.names(kind=Kind.ORDERED) if name != outcome)
            estimates = corrected_regression(data, published, outcome, others, seed=seed)
    table = folded_table("Slope of" if regress else "Estimate", ("released", "corrected", "s.e.", "95%"))
    for each in estimates:
        known = each.corrected == each.corrected
        table.add_row(
            escape(each.name),
            f"{each.released:.4g}" if each.released == each.released else "–",
            f"[bold]{each.corrected:.4g}[/]" if known else "–",
            f"{each.standard_error:.2g}" if known else "",
            f"[dim]{each.interval[0]:.4g} to {each.interval[1]:.4g}[/]"
            if known
            else f"[dim]{'not determined by the recipe' if each.released == each.released else 'does not vary'}[/]",
        )
    terminal.say(table)
    bare = "\n".join(f"{each.name}\t{each.corrected:.6g}" for each in estimates)
    terminal.result({"estimates": [each.to_dict() for each in estimates]}, bare)


VERB = Verb(correct, group="Publish and use a release", order=41)
