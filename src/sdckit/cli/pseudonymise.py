"""`sdckit pseudonymise`: replace identifiers by keyed pseudonyms, or turn them back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from sdckit.cli.command import Argument, Option
from sdckit.cli.inputs import column_names, refuse_to_overwrite
from sdckit.cli.options import Force, Json, Quiet
from sdckit.cli.outputs import Output
from sdckit.cli.terminal import Terminal, count, listed
from sdckit.cli.verb import Verb
from sdckit.errors import ParameterError

if TYPE_CHECKING:
    from sdckit.microdata import Microdata
    from sdckit.pseudonyms import PseudonymKey


def pseudonymise(
    file: Annotated[Path, Argument(metavar="FILE", help="The file with identifiers.")],
    out: Annotated[Path, Argument(metavar="OUT", help="The file to write."), Output()],
    columns: Annotated[list[str], Option(metavar="NAME,…", help="The columns to replace. Repeatable.")],
    key: Annotated[
        Path | None, Option(metavar="KEY", help="Use this key, so that pseudonyms agree with earlier ones.")
    ] = None,
    key_out: Annotated[Path | None, Option(metavar="KEY", help="Draw a new key and write it here."), Output()] = None,
    together: Annotated[
        bool,
        Option(
            "--together",
            help="Give equal values of different columns equal pseudonyms, such as persons and their parents.",
        ),
    ] = False,
    one_way: Annotated[
        bool, Option("--one-way", help="Pseudonyms that cannot be turned back, even with the key.")
    ] = False,
    reverse: Annotated[bool, Option("--reverse", help="Turn pseudonyms back into identifiers.")] = False,
    force: Force = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Replace identifiers by keyed pseudonyms, or turn them back.

    Equal identifiers get equal pseudonyms under one key, so that files can be linked. A pseudonymised file is not
    anonymous: mask its quasi-identifiers as well, and keep the key apart from it.

    Example: sdckit pseudonymise persons.csv safe.csv --columns person_id --key-out pseudonyms.key
    """
    from rich.markup import escape

    from sdckit.files import read, write

    terminal = Terminal(json, quiet)
    if (key is None) == (key_out is None):
        raise ParameterError("name one key: --key to use an existing one, or --key-out to draw a new one")
    if reverse and (key is None or one_way):
        raise ParameterError("--reverse needs the key that the pseudonyms were made with (--key), and no --one-way")
    for path in filter(None, (out, key_out)):
        refuse_to_overwrite(path, force)
    with terminal.progress("reading"):
        data = read(file)
    names = column_names(columns, [each.name for each in data.attributes])
    secret = key_of(key, key_out, force=force)
    with terminal.progress("writing"):
        for name in names:
            domain = "identifier" if together else name
            data = replaced(data, name, secret, domain, one_way=one_way, reverse=reverse)
        write(data, out, force=force)
    did = "turned back" if reverse else "replaced by pseudonyms"
    terminal.line(f"{escape(listed(names))} of {count(len(data), 'record')} {did} in [bold]{escape(str(out))}[/]")
    if key_out is not None:
        terminal.line(f"[dim]{'key':14}[/][bold]{escape(str(key_out))}[/] (private: keep it apart from the file)")
    terminal.result({"path": str(out), "columns": list(names), "records": len(data), "reversed": reverse})


def key_of(key: Path | None, key_out: Path | None, *, force: bool) -> "PseudonymKey":
    """The key in a file, or a new one, written first so that no pseudonym is without its key."""
    from sdckit.files.atomic import OWNER_ONLY, replacing
    from sdckit.input_file import read_text
    from sdckit.pseudonyms import PseudonymKey

    if key is not None:
        text = read_text(key, "a pseudonym key; give what `sdckit pseudonymise --key-out` wrote")
        return PseudonymKey.from_text(text, str(key))
    assert key_out is not None
    drawn = PseudonymKey.drawn()
    with replacing(key_out, force=force, mode=OWNER_ONLY) as temporary:
        temporary.write_text(drawn.to_text(), encoding="utf-8")
    return drawn


def replaced(
    data: "Microdata", name: str, key: "PseudonymKey", domain: str, *, one_way: bool, reverse: bool
) -> "Microdata":
    """The file with one column replaced; a missing value stays missing."""
    import numpy as np

    from sdckit.microdata import Attribute, Kind, Role
    from sdckit.pseudonyms import distinct_pseudonyms

    texts = data.only([name]).to_frame("polars")[name].cast(str).to_list()
    known = [text for text in texts if text is not None]
    if reverse:
        new = {each: key.identifier(each, domain) for each in dict.fromkeys(known)}
    else:
        new = distinct_pseudonyms(key, known, domain, one_way=one_way)
    categories = tuple(sorted(set(new.values())))
    position = {category: code for code, category in enumerate(categories)}
    codes = np.array([-1 if text is None else position[new[text]] for text in texts], dtype=np.int32)
    attribute = Attribute(name, Kind.UNORDERED, Role.OTHER, categories=categories)
    return data.with_columns({name: codes}, [attribute])


VERB = Verb(pseudonymise, group="Prepare and mask", order=13)
