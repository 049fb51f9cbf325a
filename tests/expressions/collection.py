"""Every regular expression of the product, found by importing all its modules and reading their source.

Expressions made at import are recorded while they are made. Those made in a function are evaluated from its
source with the values of its module. What depends on a value known only when the function runs has samples in
`SAMPLES`. A pydantic `pattern=` is not among them: its engine takes linear time for any expression.

`collect` must be called before anything of the product is imported: what exists already isn't recorded.
"""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import FrameType, ModuleType
from typing import Any, Final, NamedTuple, TypeGuard

ROOT: Final = Path(__file__).resolve().parents[2]
_FOLDERS = (*sorted((ROOT / "layers").glob("*/")), ROOT / "functions", ROOT / "local")
_BUILDERS = "intent/regular_expressions.py"

MESSAGE: Final = 8_000
"""The most characters of a message, and of the texts that an expression is tried on unless it reads fewer."""
_LONGEST: Final[Mapping[str, int]] = {
    "conversation.context.extractive_summary": 6_000,
    "conversation.redaction.labelled_secrets._compiled": 320,
    "conversation.search.query": 500,
    "conversation.threads.titles": 500,
    "intent.acts.naming": 1_000,
    "intent.classifier": 3_000,
    "intent.entities": 1_001,
    "intent.entities.own_words": MESSAGE,
    "intent.entities.text_requests": 600,
    "intent.entities.answers": 1_001,
    "intent.entities.services": MESSAGE,
    "intent.offline": 1_001,
    "intent.rules": 1_001,
    "agent.chat.labelled_examples": 300,
    "intent.sums.arithmetic_questions": 200,
    "tools.builtin.calculator": 200,
    "local": 1_000,
}
"""The most characters that the expressions of these modules read: by a constant of the module, or because it
reads only what `intent.regular_expressions.normalise` returns.
"""

SAMPLES: Final[Mapping[str, str]] = {
    "agent.dialogue.agent_acts.listings._with_pronouns": r"""
        [(rf"(?<![\w-]){re.escape(name)}(?![\w-])", 8_000, "finditer") for name in ("parcels", "a-" * 20)]
    """,
    "conversation.redaction.key_formats._compiled": """
        [(form, WINDOW, "match") for form in (_PEM, *dict(_FORMS).values(), *(row[2] for row in _INSIDE))]
        + [(form, 8_000, "finditer") for form in _NAMELESS.values()]
    """,
    "conversation.redaction.labelled_secrets._compiled": "list(_PATTERNS.values())",
    "conversation.redaction.masking._compiled": "[(form, 8_000, 'finditer') for form, _ in _DOUBTFUL]",
    "conversation.redaction.national_ids._compiled": "[form.names for form in _FORMS if form.names]",
    "conversation.redaction.national_ids._number_of": "[_number_of(form.pattern).pattern for form in _FORMS]",
    "conversation.search.service._phrase": """
        [(_phrase(words).pattern, 8_000, "search") for words in (("a", "b", "c"), ("a",) * 40)]
    """,
    "intent.rules.agent_references._form_of": """
        [(_form_of(name).pattern, 8_000, "finditer") for name in ("a-b", "a " * 40)]
    """,
    "intent.rules.agent_references._is_written": "['(?<![\\w-])a\\-a\\-b(?![\\w-])']",
    "intent.sums.arithmetic_questions._in_signs": "[words for words, _ in _WORDS] + [r'\\bone\\b']",
    "edge.environment.matching": "[]",
    "edge.http.parameters._whole": "['[0-9]{1,9}']",
    "edge.http.resolver._compile_regex": "[r'/a/(?P<one>[^/]+)/b/(?P<two>[^/]+)\\Z']",
    "intent.regular_expressions._compiled": "[]",
    "local.gateway.authorizers._glob": "[_glob('arn:*/GET/v1/*').pattern]",
    "local.gateway.authorizers._identity": "['^Bearer [-0-9a-zA-Z._]*$']",
    "local.gateway.chat_page._glob": "[_glob('/assets/*').pattern]",
}
"""By function, a Python expression that gives examples of the expressions it makes, in terms of its module.

Empty for `edge.environment`, which reads an operator's settings with the forms in `edge.settings`, and for
`intent.regular_expressions`, whose patterns are recorded where they are made.
"""

_COSTS: Final[Mapping[str, str]] = {
    "search": "search", "text_before": "search", "match": "match", "fullmatch": "fullmatch",
    "finditer": "finditer", "findall": "finditer", "sub": "finditer", "subn": "finditer",
    "split": "finditer", "replace_matches": "finditer",
}  # fmt: skip
"""The methods of a pattern, and which of four each costs as much as."""
METHODS: Final = frozenset(_COSTS.values())


class Expression(NamedTuple):
    """A regular expression: where it is made, its source and flags, the methods that match it, and how many
    characters they read.
    """

    place: str
    source: str
    flags: int = 0
    methods: frozenset[str] = METHODS
    longest: int = MESSAGE


class _Made(NamedTuple):
    """A pattern that was made at import: the object, its source and flags, and who made it."""

    pattern: object
    source: str
    flags: int
    file: str
    line: int


def collect() -> tuple[Expression, ...]:
    """Return every expression of the product once, in the order of their places.

    Raises:
        LookupError: an expression is made in a function from what only its caller knows, and has no sample.
    """
    made: list[_Made] = []
    _record(made)
    trees = {name: ast.parse(file.read_text()) for name, file in _python_files()}
    modules = {name: importlib.import_module(name) for name in trees if _may_make_any(trees[name])}
    uses = _Uses(modules, trees)
    found = [*_made_at_import(made, uses), *_made_in_functions(modules, trees)]
    merged: dict[tuple[str, int, int], Expression] = {}
    for each in sorted(found):
        key = each.source, each.flags, each.longest
        known = merged.get(key, each)
        merged[key] = known._replace(methods=known.methods | each.methods)
    return tuple(merged.values())


def _may_make_any(tree: ast.Module) -> bool:
    """Whether a module can make expressions: it imports `re` or what builds lazy patterns."""
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    sources = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    return "re" in names or not sources.isdisjoint({"re", "intent.regular_expressions"})


def _python_files() -> Iterator[tuple[str, Path]]:
    for folder in _FOLDERS:
        base = ROOT if folder.parent == ROOT else folder
        for file in sorted(folder.rglob("*.py")):
            parts = file.relative_to(base).with_suffix("").parts
            if parts[-1] != "__main__":
                yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), file


def _record(made: list[_Made]) -> None:
    """Make `re.compile` and the lazy patterns keep a record of what the product makes with them."""
    from intent import regular_expressions

    compile_ = re.compile

    def recording(pattern: Any, flags: Any = 0) -> re.Pattern[Any]:
        compiled = compile_(pattern, flags)
        if by := _maker(sys._getframe(1)):
            is_text = isinstance(compiled.pattern, str)
            source = compiled.pattern if is_text else compiled.pattern.decode("latin-1")
            made.append(_Made(compiled, source, compiled.flags | (0 if is_text else re.ASCII), *by))
        return compiled

    re.compile = recording
    for kind, flags in (
        (regular_expressions.LazyPattern, re.IGNORECASE),
        (regular_expressions.LowerPattern, 0),
    ):

        def recorded(self: Any, expression: str, flags: int = int(flags)) -> None:
            self._expression = expression
            if by := _maker(sys._getframe(1)):
                made.append(_Made(self, expression, flags, *by))

        kind.__init__ = recorded  # type: ignore[method-assign]


def _maker(frame: FrameType | None) -> tuple[str, int] | None:
    """The file and line of the product that makes an expression; None when another library makes it."""
    while frame is not None and frame.f_code.co_filename.endswith(_BUILDERS):
        frame = frame.f_back
    while frame is not None and frame.f_code.co_filename == __file__:
        frame = frame.f_back
    file = frame.f_code.co_filename if frame else ""
    is_ours = any(file.startswith(f"{folder}/") for folder in _FOLDERS)
    return (file, frame.f_lineno) if frame and is_ours else None


def _made_at_import(made: Iterable[_Made], uses: _Uses) -> Iterator[Expression]:
    names = {file: name for name, file in ((name, str(file)) for name, file in _python_files())}
    for each in made:
        module = names[each.file]
        place = f"{module}:{each.line}"
        yield Expression(place, each.source, each.flags, uses.methods_of(each.pattern), longest_read(module))


def _made_in_functions(
    modules: Mapping[str, ModuleType], trees: Mapping[str, ast.Module]
) -> Iterator[Expression]:
    sampled: set[str] = set()
    for module in modules:
        tree, values = trees[module], vars(modules[module])
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            name = f"{module}.{function.name}"
            for call, method in _calls_of_re(function):
                methods = frozenset({_COSTS[method]}) if method in _COSTS else METHODS
                for made in _sources(call.args[0], values, name):
                    source, longest, how = made if isinstance(made, tuple) else (made, longest_read(name), "")
                    how_all = frozenset({how}) if how else methods
                    yield Expression(f"{module}:{call.lineno}", source, 0, how_all, longest)
                sampled.add(name)
    if unknown := SAMPLES.keys() - sampled:
        raise LookupError(f"no expression is made in {', '.join(sorted(unknown))}")


def _calls_of_re(function: ast.FunctionDef) -> Iterator[tuple[ast.Call, str]]:
    """Yield the calls that make an expression, with the names of the functions of `re`."""
    for node in ast.walk(function):
        called = node.func if isinstance(node, ast.Call) else None
        is_on_re = isinstance(called, ast.Attribute) and _name(called.value) == "re"
        if isinstance(node, ast.Call) and is_on_re and _name(node.func) in {*_COSTS, "compile"}:
            yield node, _name(node.func)


def _sources(node: ast.expr, values: dict[str, Any], name: str) -> Sequence[str | tuple[str, int, str]]:
    if name in SAMPLES:
        return list(eval(f"({SAMPLES[name]})", dict(values)))
    try:
        return [eval(compile(ast.Expression(node), name, "eval"), dict(values))]
    except NameError:
        raise LookupError(
            f"{name} makes an expression of {ast.unparse(node)!r}: give SAMPLES of it"
        ) from None


def longest_read(name: str) -> int:
    """Return the most characters that the expressions of a module or function read."""
    parts = name.split(".")
    prefixes = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
    return next((_LONGEST[prefix] for prefix in prefixes if prefix in _LONGEST), MESSAGE)


class _Uses:
    """How the product's patterns are matched, by reading its source.

    A pattern is matched by the methods called on its name. One in a table, or passed on, may be matched by
    any method that is called on a local name where it is mentioned, or in the function it is passed to.
    """

    def __init__(self, modules: Mapping[str, ModuleType], trees: Mapping[str, ast.Module]) -> None:
        self._names: dict[int, tuple[str, str, bool]] = {}
        for module_name, module in modules.items():
            for name, value in vars(module).items():
                for pattern, is_direct in _patterns_in(value):
                    if _is_assigned(trees[module_name], name):
                        self._names.setdefault(id(pattern), (module_name, name, is_direct))
        self._trees = trees

    def methods_of(self, pattern: object) -> frozenset[str]:
        """Return the methods; all of them when none is found."""
        if id(pattern) not in self._names:
            return METHODS
        module, name, is_direct = self._names[id(pattern)]
        readers = [tree for each, tree in self._trees.items() if each == module or _imports(tree, module)]
        found = (method for tree in readers for method in _methods(tree, name, is_direct, frozenset()))
        return frozenset(found) or METHODS


def _imports(tree: ast.Module, module: str) -> bool:
    return module in _imported(tree)


@cache
def _imported(tree: ast.Module) -> frozenset[str]:
    """The modules that a module takes names from, or that it takes from their packages."""
    froms = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module]
    return frozenset(
        name
        for node in froms
        for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        if name
    )


def _is_assigned(tree: ast.Module, name: str) -> bool:
    return any(name in map(_name, _targets(statement)) for statement in tree.body)


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, ast.AnnAssign) else []


class _Scope(NamedTuple):
    """What a statement or function of a module names and calls."""

    targets: tuple[str, ...]
    names: Counter[str]
    called: tuple[tuple[str, str], ...]
    """Names, and the methods of patterns called on them."""
    passed: tuple[tuple[str, frozenset[str]], ...]
    """Functions that are called, and the names in their arguments."""

    def on_locals(self) -> Iterator[str]:
        """Yield what is called on names that are no constants."""
        for name, method in self.called:
            if not _is_constant(name) and name != "re" and method != "split":
                yield _COSTS[method]


@cache
def _scopes(tree: ast.Module) -> tuple[tuple[_Scope, ...], Mapping[str, _Scope]]:
    """The statements at the top of a module, and its functions by name."""
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    return tuple(map(_scope, tree.body)), {function.name: _scope(function) for function in functions}


def _scope(node: ast.stmt) -> _Scope:
    nodes = list(ast.walk(node))
    called = ((_name(each.value), each.attr) for each in nodes if _is_method(each))
    passed = (
        (_name(call.func), frozenset(_name(each) for argument in call.args for each in ast.walk(argument)))
        for call in nodes
        if isinstance(call, ast.Call)
    )
    return _Scope(tuple(map(_name, _targets(node))), Counter(map(_name, nodes)), tuple(called), tuple(passed))


def _is_method(node: ast.AST) -> TypeGuard[ast.Attribute]:
    return isinstance(node, ast.Attribute) and node.attr in _COSTS


def _methods(tree: ast.Module, name: str, is_direct: bool, seen: frozenset[str]) -> Iterator[str]:
    """Yield the methods by which a module matches a pattern, or the patterns of a table, of this name."""
    statements, functions = _scopes(tree)
    for scope in statements:
        if scope.names[name] and name not in seen:
            for table in scope.targets:
                yield from _methods(tree, table, False, seen | {name}) if table != name else ()
    for scope in functions.values():
        on_it = [_COSTS[method] for called, method in scope.called if called == name]
        yield from on_it
        if scope.names[name] > (len(on_it) if is_direct else 0):
            yield from scope.on_locals()
            for function, names in scope.passed:
                yield from functions[function].on_locals() if name in names and function in functions else ()


def _is_constant(name: str) -> bool:
    return name.lstrip("_").isupper()


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _patterns_in(value: object, depth: int = 4) -> Iterator[tuple[object, bool]]:
    """Yield the patterns in a value of a module, and whether each is the value itself."""
    if isinstance(value, re.Pattern) or type(value).__name__ in ("LazyPattern", "LowerPattern"):
        yield value, True
    elif depth and isinstance(value, tuple | list | frozenset | set):
        yield from ((pattern, False) for each in value for pattern, _ in _patterns_in(each, depth - 1))
    elif depth and isinstance(value, Mapping):
        yield from (
            (pattern, False) for each in value.values() for pattern, _ in _patterns_in(each, depth - 1)
        )
