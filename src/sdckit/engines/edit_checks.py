"""Edit checks of a file in parts: which edits its records break, and how many records, as from memory."""

from collections.abc import Sequence

from sdckit.edit_checks import attributes_of, edit_columns, rounding_units
from sdckit.engines.engine import Engine
from sdckit.engines.pair import Pair
from sdckit.engines.parts import WorkingFile
from sdckit.evaluation.edit_checks import EditCheck


def broken_in_file(file: WorkingFile, engine: Engine) -> dict[str, int]:
    """The edits of a file that its records break, and how many records."""
    edits = file.header.edits
    names = [name for name in attributes_of(edits, file.header) if name in file.stage_of]
    if not names:
        return {}
    units = common_units(file, engine, names)

    def kernel(part: int) -> dict[str, int]:
        broken = edits.broken(edit_columns(file.chunk(part, names), names), units)
        return {str(each.edit): each.records for each in broken}

    found = engine.run(kernel, range(len(file.cut)))
    counts = {str(edit): sum(part.get(str(edit), 0) for part in found) for edit in edits}
    return {edit: count for edit, count in counts.items() if count}


def broken_edits(pair: Pair, engine: Engine) -> tuple[EditCheck, ...]:
    """The edits of the original that the masked file breaks; edits on columns it does not have are left out."""
    edits, files = pair.original.header.edits, (pair.original, pair.masked)
    names = [
        name for name in attributes_of(edits, pair.original.header) if all(name in file.stage_of for file in files)
    ]
    if not names:
        return ()
    units = [common_units(file, engine, names) for file in files]

    def kernel(part: int) -> list[tuple[str, int, int]]:
        before, after = (edit_columns(file.chunk(part, names), names) for file in files)
        return [(str(each.edit), each.before, each.after) for each in edits.compared(before, after, *units)]

    found = engine.run(kernel, range(len(pair.original.cut)))
    checks = (
        EditCheck(each[0][0], pair.records, sum(after for _, _, after in each), sum(before for _, before, _ in each))
        for each in zip(*found, strict=True)
    )
    return tuple(check for check in checks if check.broken)


def common_units(file: WorkingFile, engine: Engine, names: Sequence[str]) -> dict[str, float]:
    """The unit of each attribute that is rounded in every part; one value off the grid shows that it is not."""

    def kernel(part: int) -> dict[str, float]:
        return rounding_units(file.chunk(part, names), names)

    found = engine.run(kernel, range(len(file.cut)))
    return {name: unit for name, unit in found[0].items() if all(name in units for units in found)}
