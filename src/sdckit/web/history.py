"""History: the nodes of a file as a tree, drawn with one line per node."""

from dataclasses import dataclass

from sdckit.web.store import Node


@dataclass(frozen=True)
class Branch:
    """A node with its depth: a chain stays at one depth, and a second child begins a deeper one."""

    node: Node
    depth: int
    current: bool
    on_path: bool


@dataclass(frozen=True)
class Tree:
    """The whole history, and where undo and redo lead."""

    branches: tuple[Branch, ...]
    undo: int | None
    redo: int | None


def tree_of(nodes: list[Node], current: Node) -> Tree:
    """The history, each chain before the branches that leave it later."""
    children: dict[int | None, list[Node]] = {}
    for node in nodes:
        children.setdefault(node.parent, []).append(node)
    parents = {node.id: node.parent for node in nodes}
    path: set[int] = set()
    at: int | None = current.id
    while at is not None:
        path.add(at)
        at = parents.get(at)
    branches: list[Branch] = []
    waiting = [(node, 0) for node in reversed(children.get(None, []))]
    while waiting:
        node, depth = waiting.pop()
        branches.append(Branch(node, depth, node.id == current.id, node.id in path))
        following = children.get(node.id, [])
        first_last = [(child, depth + (number > 0)) for number, child in enumerate(following)]
        waiting += reversed(first_last)
    later = children.get(current.id, [])
    return Tree(tuple(branches), current.parent, later[-1].id if later else None)
