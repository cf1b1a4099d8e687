"""Mutants of a source file: one operator, constant, condition or result changed at a time."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "argmin": "argmax", "argmax": "argmin"}
NAMES |= {"minimum": "maximum", "maximum": "minimum", "floor": "ceil", "ceil": "floor"}
ABOUT_SPEED = re.compile(r"faster|memory|cache|at a time|at once|cheaper|bounds|quick", re.IGNORECASE)
UNTOUCHED = ("__repr__", "_repr_html_", "__str__", "notes")


@dataclass(frozen=True)
class Mutant:
    """A changed source, and what was changed in which line."""

    module: str
    line: int
    change: str
    source: str

    def __str__(self) -> str:
        return f"{self.module}:{self.line}: {self.change}"


def mutants(module: str, source: str) -> list[Mutant]:
    """Every mutant of a source."""
    every = (mutant(module, source, number) for number in range(sites(source)))
    return [each for each in every if each is not None]


def sites(source: str) -> int:
    """The number of sites at which a source can be changed."""
    counter = _Mutator(-1)
    counter.visit(ast.parse(source))
    return counter.seen


def mutant(module: str, source: str, number: int) -> Mutant | None:
    """The source changed at one site; None where the result cannot differ."""
    tree = ast.parse(source)
    visitor = _Mutator(number)
    visitor.visit(tree)
    if _about_speed(source.splitlines()[visitor.line - 1]):
        return None
    return Mutant(module, visitor.line, visitor.change, ast.unparse(ast.fix_missing_locations(tree)))


def _about_speed(line: str) -> bool:
    """Whether a line is a constant whose comment says that it changes the time or the memory, not the result."""
    return bool(re.match(r"[A-Z_]+ = ", line)) and bool(ABOUT_SPEED.search(line.partition("#")[2]))


class _Mutator(ast.NodeTransformer):
    """Change the site with a number; with −1, only count the sites."""

    def __init__(self, wanted: int) -> None:
        self.wanted, self.seen, self.line, self.change = wanted, 0, 0, ""

    def _here(self, node: ast.AST, change: str) -> bool:
        """Whether this is the site; counts it in any case."""
        self.seen += 1
        if self.seen - 1 != self.wanted:
            return False
        self.line, self.change = getattr(node, "lineno", 0), change
        return True

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        if node.name in UNTOUCHED:
            return node
        start = 1 if ast.get_docstring(node, clean=False) is not None else 0
        node.body[start:] = [self.visit(each) for each in node.body[start:]]
        node.args.defaults = [self.visit(each) for each in node.args.defaults]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.body = [self.visit(each) for each in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None and not (isinstance(node.value, ast.Call) and _name(node.value.func) == "param"):
            node.value = self.visit(node.value)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return node  # the wording of a message

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return node  # for the type checker

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        for index, operator in enumerate(node.ops):
            other = COMPARISONS[type(operator)]
            if self._here(node, f"{type(operator).__name__} → {other.__name__} in `{ast.unparse(node)}`"):
                node.ops[index] = other()
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        other = OPERATORS.get(type(node.op))
        if other and self._here(node, f"{type(node.op).__name__} → {other.__name__} in `{ast.unparse(node)}`"):
            node.op = other()
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        node.value = self.visit(node.value)
        other = OPERATORS.get(type(node.op))
        if other and self._here(node, f"{type(node.op).__name__} → {other.__name__} in `{ast.unparse(node)}`"):
            node.op = other()
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        self.generic_visit(node)
        other = ast.Or if isinstance(node.op, ast.And) else ast.And
        if self._here(node, f"{type(node.op).__name__} → {other.__name__} in `{ast.unparse(node)}`"):
            node.op = other()
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert) and self._here(
            node, f"`{ast.unparse(node.operand)}` for `{ast.unparse(node)}`"
        ):
            return node.operand
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        value = node.value
        if isinstance(value, bool):
            other: object = not value
        elif isinstance(value, int):
            other = value + 1
        elif isinstance(value, float):
            other = value * 2 if value else 1.0
        else:
            return node
        return ast.Constant(other) if self._here(node, f"{value!r} → {other!r}") else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = _name(node.func)
        if name == "zip":  # that lengths agree is checked against defects, as by an assertion
            node.args = [self.visit(each) for each in node.args]
            return node
        self.generic_visit(node)
        if name in NAMES and self._here(node, f"{name} → {NAMES[name]} in `{ast.unparse(node)}`"):
            if isinstance(node.func, ast.Attribute):
                node.func.attr = NAMES[name]
            elif isinstance(node.func, ast.Name):
                node.func.id = NAMES[name]
        return node

    def visit_If(self, node: ast.If) -> ast.AST:
        if _name(node.test) == "TYPE_CHECKING":
            return node
        self.generic_visit(node)
        if self._here(node, f"not `{ast.unparse(node.test)}`"):
            node.test = ast.UnaryOp(ast.Not(), node.test)
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is None or isinstance(node.value, ast.Constant):  # a constant is a site of its own
            return node
        if self._here(node, f"return None for `{ast.unparse(node.value)[:60]}`"):
            node.value = ast.Constant(None)
        return node


def _name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def imported_modules(source: str) -> Iterator[str]:
    """The dotted names of sdckit's modules that a source imports."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("sdckit"):
            yield node.module
            yield from (f"{node.module}.{each.name}" for each in node.names)
        elif isinstance(node, ast.Import):
            yield from (each.name for each in node.names if each.name.startswith("sdckit"))
