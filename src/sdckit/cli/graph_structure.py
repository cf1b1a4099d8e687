"""The structure of a graph as `sdckit describe` prints it, and how its edges are masked."""

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Any

from sdckit.cli.scores import table_of
from sdckit.cli.terminal import Terminal, count

if TYPE_CHECKING:
    from sdckit.files.describe import Description
    from sdckit.graph import Graph


def describe_graph(terminal: Terminal, file: Path, graph: "Graph") -> dict[str, Any]:
    """Print the structure of a graph; the attributes of its nodes are described as those of any file."""
    from rich.markup import escape

    from sdckit.files.describe_graph import graph_description

    with terminal.progress("describing the graph"):
        description = graph_description(graph)
    notes = graph.cleaned.notes(weighted=graph.weight is not None)
    if terminal.chatty:
        nodes, edges = count(description.nodes, "node"), count(description.edges, graph.kind_of_edges.removesuffix("s"))
        terminal.say(f"[bold]{escape(file.name)}[/]  {nodes}, {edges}")
        table = table_of("Structure", ("",))
        for label, value in description.lines():
            table.add_row(label, value)
        terminal.say(table)
        for note in notes:
            terminal.note(note)
        if graph.edge_count:
            say_masking_of_edges(terminal, file, graph)
    structure = description.to_dict() | {"notes": list(notes)}
    if not graph.node_attributes:
        terminal.result(structure, f"{description.nodes}\t{description.edges}")
    return structure


def say_masking_of_edges(terminal: Terminal, file: Path, graph: "Graph") -> None:
    """Print a command that masks the edges of this graph."""
    from rich.markup import escape

    plain = not graph.directed and graph.weight is None
    method = "k-degree-anonymity" if plain else "edge-switching"
    suffix = file.suffix if graph.node_attributes else ".edges"
    command = f"sdckit protect {quote(str(file))} OUT{suffix} --method {method} --key-out KEY"
    terminal.line(f"\nTo mask the edges, run:\n[green]$ {escape(command)}[/]\n")


def say_edge_list(terminal: Terminal, file: Path, description: "Description") -> None:
    """A note where the columns of a table are named as those of an edge list are."""
    from sdckit.files.edge_lines import names_of_ends

    names = [each.name for each in description.attributes]
    if file.suffix.lower() in (".csv", ".tsv", ".txt") and len(names) <= 3 and names_of_ends(names):
        terminal.note(
            f"the columns {names[0]!r} and {names[1]!r} look like the ends of edges: to mask them as a graph, copy the "
            f"file to {file.stem}.edges; begin it by a line '# directed' where edges have directions"
        )
