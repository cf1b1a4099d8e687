"""`sdckit combine`: one estimate and its error from several synthetic files."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import schema_of
from sdckit.cli.options import AllowCode, Json, Quiet, RecipeFile, SchemaFile
from sdckit.cli.terminal import Terminal, count
from sdckit.cli.verb import Verb
from sdckit.errors import ParameterError

if TYPE_CHECKING:
    from sdckit.evaluation.combining_rules import CombinedEstimate, CombiningRule
    from sdckit.microdata import Microdata
    from sdckit.recipe import Recipe


def combine(
    files: Annotated[list[Path], Argument(metavar="FILE...", help="The synthetic files, two or more.")],
    original: Annotated[
        Path | None, Option(help="The original file, to print its estimates alongside: not to be published.")
    ] = None,
    schema: SchemaFile = None,
    recipe: RecipeFile = None,
    rule: Annotated[
        str | None,
        Option(
            metavar="partial|full|simple",
            help="How the files were made, by default as the recipe says: some attributes replaced, records of other "
            "people imputed, or whole files drawn from a model that was fitted once.",
        ),
    ] = None,
    analysis: Annotated[
        str | None,
        Option(
            metavar="FILE.py:FUNCTION",
            help="A function of a data frame that returns estimates with standard errors by name; the file is "
            "executed. By default means and shares.",
        ),
    ] = None,
    level: Annotated[float, Option(help="Confidence level of the intervals.")] = 0.95,
    allow_code: AllowCode = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Combine the estimates of several synthetic files into one, with the error that synthesis adds.

    Example: sdckit combine safe-1.csv safe-2.csv safe-3.csv --recipe recipe-1.toml --schema schema.toml
    """
    from sdckit.evaluation.several_estimates import combined_estimates, estimates
    from sdckit.files import read
    from sdckit.files.release_files import read_released
    from sdckit.recipe import Recipe
    from sdckit.user_function import FunctionInFile

    terminal = Terminal(json, quiet)
    if len(files) < 2:
        raise ParameterError(f"{count(len(files), 'file')} to combine; name two or more (`protect --files 5` makes 5)")
    if not 0 < level < 1:
        raise ParameterError(f"level = {level:g} is out of range; use a number between 0 and 1, such as 0.95")
    model = None if analysis is None else FunctionInFile.read(analysis)
    made_by = None if recipe is None else Recipe.from_toml(recipe, allow_code=allow_code or ())
    chosen = _rule(rule, made_by)
    declared = schema_of(schema)
    with terminal.progress("reading"):
        synthetic = [read_released(path, declared) for path in files]
        before = None if original is None else read(original, declared)
    found = combined_estimates(synthetic, chosen, size=_size(synthetic[0], before, made_by), model=model)
    beside = {} if before is None else estimates(before, model)
    result = {name: _to_dict(name, each, level, beside) for name, each in found.items()}
    _say(terminal, result, len(files), chosen, level)
    bare = "\n".join(
        f"{name}\t{each['value']:.6g}\t{each['low']:.6g}\t{each['high']:.6g}" for name, each in result.items()
    )
    terminal.result({"rule": chosen.value, "files": len(files), "level": level, "estimates": result}, bare)


def _rule(typed: str | None, recipe: "Recipe | None") -> "CombiningRule":
    """The rule named, or that of the recipe: whole files are drawn from one fit, or attributes are replaced."""
    from sdckit.evaluation.combining_rules import CombiningRule
    from sdckit.rows import Rows

    if typed is not None:
        if typed not in [each.value for each in CombiningRule]:
            raise ParameterError(f"there is no combining rule {typed!r}; use partial, full or simple")
        return CombiningRule(typed)
    if recipe is None:
        raise ParameterError(
            "how the files were made is not known; give --recipe FILE, or --rule partial, full or simple"
        )
    return CombiningRule.SIMPLE if recipe.rows is Rows.SYNTHESISED else CombiningRule.PARTIAL


def _size(synthetic: "Microdata", original: "Microdata | None", recipe: "Recipe | None") -> float:
    """Synthetic records for each original one."""
    if original is not None:
        return len(synthetic) / max(len(original), 1)
    steps = () if recipe is None else recipe.steps
    return float(next((getattr(step.masking, "size", 1.0) for step in steps if hasattr(step.masking, "size")), 1.0))


def _to_dict(
    name: str, estimate: "CombinedEstimate", level: float, original: "dict[str, tuple[float, float]]"
) -> dict[str, Any]:
    low, high = map(float, estimate.interval(level))
    values: dict[str, Any] = {
        "value": estimate.value,
        "standard_error": estimate.variance**0.5,
        "low": low,
        "high": high,
    }
    return values | ({"original": original[name][0]} if name in original else {})


def _say(
    terminal: Terminal, result: dict[str, dict[str, Any]], files: int, rule: "CombiningRule", level: float
) -> None:
    if not terminal.chatty:
        return
    from rich.markup import escape
    from rich.table import Table

    with_original = any("original" in each for each in result.values())
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("Estimate", overflow="fold")
    for title in ("value", "standard error", f"{level:.0%} interval", *(("original",) if with_original else ())):
        table.add_column(title, justify="right")
    for name, each in result.items():
        beside = [f"{each['original']:.5g}" if "original" in each else "–"] if with_original else []
        ends = f"{each['low']:.5g} to {each['high']:.5g}"
        table.add_row(escape(name), f"{each['value']:.5g}", f"{each['standard_error']:.3g}", ends, *beside)
    terminal.say(table)
    terminal.line(f"{count(files, 'file')} combined by the rule '{rule.value}'")


VERB = Verb(combine, group="Measure a release", order=36)
