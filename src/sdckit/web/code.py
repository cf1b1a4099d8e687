"""Code: the TOML, the commands and the Python that make the release which was clicked."""

import shlex
from dataclasses import dataclass
from pathlib import Path

from sdckit.web.workspace import State


@dataclass(frozen=True)
class Code:
    """Three ways to repeat a state without the browser; the secret is read from its private file by each of them."""

    toml: str
    shell: str
    python: str


def code_of(state: State, seed_path: Path) -> Code:
    """The code of a state: what it masks, and what it measures where there is a policy."""
    source = state.file.path
    out = f"{source.stem}-masked{source.suffix if source.suffix in ('.csv', '.parquet') else '.csv'}"
    return Code(state.node.run, _shell(state, source, out, seed_path), _python(state, source, seed_path))


def _shell(state: State, source: Path, out: str, seed_path: Path) -> str:
    file, seed = shlex.quote(str(source)), shlex.quote(str(seed_path))
    if not state.steps:
        return f"# run.toml is the text of the first tab\nsdckit describe {file}\n"
    name, key = shlex.quote(out), shlex.quote(f"{Path(out).stem}.key")
    recipe = shlex.quote(f"{Path(out).stem}-recipe.toml")
    lines = [
        "# run.toml is the text of the first tab; the seed is private and is read from its file",
        f"sdckit protect {file} {name} --schema run.toml --recipe run.toml \\",
        f'    --seed "$(cat {seed})" --recipe-out {recipe} --key-out {key}',
        f"sdckit attack {file} {name} --schema run.toml --recipe {recipe} --key {key}{_knowledge(state)}",
    ]
    if state.run.policy is not None:
        checked = f"{name} --original {file} --policy run.toml --schema run.toml --recipe {recipe} --key {key}"
        folder = shlex.quote(f"{source.stem}-release")
        lines += [
            f"sdckit gate {checked}",
            "# the published folder, where the policy is met: the same rows in an order that is drawn anew each time",
            f"sdckit publish {checked} \\",
            f"    --out {folder} --key-out {shlex.quote(f'{source.stem}-release.key')}",
        ]
    return "\n".join(lines) + "\n"


def _knowledge(state: State) -> str:
    """The options of the command line for what the intruder of the state knows."""
    intruder, options = state.run.intruder, []
    for name in intruder.attributes or ():
        options += ["--attributes", shlex.quote(name)]
    if isinstance(intruder.records, float):
        options += ["--records", f"{intruder.records!r}"]
    if intruder.noise:
        options += ["--noise", f"{intruder.noise!r}"]
    if intruder.missing:
        options += ["--missing", f"{intruder.missing!r}"]
    if not intruder.knows_method:
        options.append("--no-knows-method")
    return "".join(f" {each}" for each in options)


def _python(state: State, source: Path, seed_path: Path) -> str:
    lines = [
        "# run.toml is the text of the first tab; the seed is private and is read from its file",
        "from pathlib import Path",
        "",
        "import sdckit",
        "",
        'run = sdckit.Run.from_toml("run.toml")',
        f"data = sdckit.read({str(source)!r}, run.schema)",
    ]
    if state.steps:
        lines += [
            f"seed = int(Path({str(seed_path)!r}).read_text())",
            "release = sdckit.protect(data, run.recipe, seed=seed)",
            "result = sdckit.assess(release, intruder=run.intruder)",
            "found = sdckit.attack(release, intruder=run.intruder)",
        ]
        if state.run.policy is not None:
            lines += [
                "verdict = sdckit.gate(release, run.policy)",
                "if verdict.met:",
                f"    sdckit.publish(release, verdict, {f'{source.stem}-release'!r})",
            ]
    return "\n".join(lines) + "\n"
