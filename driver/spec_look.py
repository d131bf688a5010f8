"""Whether what a spec computes rests on its key alone, as far as its text says; nothing is executed.

Many things that a spec can ask leave no trace when it runs: whether a file exists, what a variable of the environment holds,
what time it is. So a spec's result is kept only where its file and the modules beside it import nothing but modules that know
nothing of the outside, and use none of the ways around an import. Where that is not so, all that is lost is time."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from volta_pipe.driver.library import LIBRARY
from volta_pipe.driver.parsing import parse
from volta_pipe.driver.versions import Import, imports_of, spec_sources

# What these compute depends on their arguments alone, or on files that they are handed opened, which is seen (spec_reads.py).
PURE = frozenset((
    "numpy", "math", "cmath", "itertools", "functools", "operator", "dataclasses", "typing", "collections", "enum",
    "fractions", "decimal", "numbers", "abc", "contextlib", "warnings", "copy", "string", "re", "types", "bisect",
    "heapq", "struct", "json", "zlib", "binascii", "__future__",
))  # fmt: skip
# Modules that those have as attributes. What begins with an underscore is refused as well.
LEADING_OUT = frozenset(("builtins", "bltns", "codecs", "copyreg", "inspect", "keyword", "os", "sys"))
# Parts of NumPy that read files or ask the system, or hand out what does.
_OUTSIDE = frozenset((
    "load", "loadtxt", "genfromtxt", "fromfile", "fromregex", "memmap", "open_memmap", "DataSource", "NpzFile", "npyio",
    "ctypeslib", "f2py", "testing", "core", "distutils", "show_config", "show_runtime", "get_include", "test",
    "introspect", "ctypes",
))  # fmt: skip
_BUILTINS = frozenset((
    "__import__", "exec", "eval", "compile", "open", "globals", "locals", "vars", "dir", "input", "breakpoint", "hash",
    "help",
))  # fmt: skip
# Of these, names that are often given to something else.
_OFTEN_BOUND = frozenset(("input", "vars", "dir", "hash", "help", "compile"))
_BY_NAME = frozenset(("getattr", "hasattr", "setattr", "delattr"))
_FRAMES = frozenset((
    "tb_frame", "gi_frame", "cr_frame", "ag_frame", "f_back", "f_globals", "f_locals", "f_builtins", "attrgetter",
    "methodcaller",
))  # fmt: skip
# Of the names that Python gives a meaning, those that hold nothing of where and when a spec runs.
_HARMLESS = frozenset((
    "__name__", "__doc__", "__all__", "__version__", "__author__", "__slots__", "__future__", "__annotations__",
    "__match_args__",
))  # fmt: skip
_DEFINED = frozenset(("__init__", "__post_init__", "__eq__", "__call__", "__getitem__", "__setitem__", "__len__"))
_SPECIAL = re.compile(r"__\w+__")
_UNTOLD = "what it reads or asks cannot be told"
_SEEDED = frozenset(("default_rng", "RandomState", "SeedSequence", "PCG64", "MT19937", "Philox", "SFC64"))


def spec_doubts(path: Path) -> list[str]:
    """Why the result of the spec at `path` must not be kept, each as `file.py:line does what`, in the order of files and lines;
    [] where its key holds all that it can rest on. A text that is no Python has nothing to say: it fails."""
    if path.parent == LIBRARY:
        return []
    sources = spec_sources(path)
    found: list[str] = []
    for file in sorted(sources):
        try:
            tree = parse(sources[file])
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        imports = [one for one in imports_of(sources[file], path.parent, file.parent) if not one.relative]
        look = _Look(tree, [(one, any(place in sources for place in one.places())) for one in imports])
        found += [f"{file.name}:{line} {what}" for line, what in sorted({*look.imports, *look.doubts()})]
    return found


class _Look:
    """One file, with what it imports by absolute names, and of each whether a file beside the spec is that."""

    def __init__(self, tree: ast.Module, imports: list[tuple[Import, bool]]) -> None:
        self.tree = tree
        self.imports = [(one.line, doubt) for one, beside in imports if (doubt := _import_doubt(one.parts, beside))]
        foreign = {(one.line, ".".join(one.parts)) for one, beside in imports if not beside}
        found = [(node, alias) for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]
        # Names that are modules of others, and names that the file gives a meaning of its own.
        self.modules = {a.asname or a.name.split(".")[0] for node, a in found if (node.lineno, a.name) in foreign}
        self.bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        self.bound |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}

    def doubts(self) -> Iterator[tuple[int, str]]:
        """Lines with what leads around an import statement."""
        bases = {id(node.value) for node in ast.walk(self.tree) if isinstance(node, ast.Attribute)}
        called = {id(node.func): node for node in ast.walk(self.tree) if isinstance(node, ast.Call)}
        texts = {id(text) for text in _docstrings(self.tree)}
        for node in ast.walk(self.tree):
            what = ""
            if isinstance(node, ast.Name):
                what = self._name(node, id(node) in bases, called.get(id(node)))
            elif isinstance(node, ast.Attribute):
                what = self._attribute(node, id(node) in bases, called.get(id(node)))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in texts:
                special = [name for name in _SPECIAL.findall(node.value) if name not in (*_HARMLESS, "__main__")]
                what = f"writes {special[0]}" if special else ""
            if what:
                yield getattr(node, "lineno", 0), what

    def _name(self, node: ast.Name, is_base: bool, call: ast.Call | None) -> str:
        name = node.id
        if (name in _BUILTINS and not (name in _OFTEN_BOUND and name in self.bound)) or (
            _SPECIAL.fullmatch(name) and name not in _HARMLESS
        ):
            return f"uses {name}"
        if name in _BY_NAME and not _by_plain_name(call):
            return f"uses {name} with a name that is not written there"
        if name in self.modules and not is_base:
            return f"uses the module {name} as a value" if isinstance(node.ctx, ast.Load) else f"sets {name}, which is a module"
        return ""

    def _attribute(self, node: ast.Attribute, is_base: bool, call: ast.Call | None) -> str:
        name, root = node.attr, _root(node)
        if _leads_out(name) or (_SPECIAL.fullmatch(name) and name not in _HARMLESS | _DEFINED):
            return f"uses {name}"
        if name == "random" and not is_base and root in self.modules:
            return f"uses the module {name} as a value"
        if isinstance(node.value, ast.Attribute) and node.value.attr == "random" and not _seeded(name, call):
            return f"uses random.{name} without a seed that is written there"
        if root in self.modules and name.startswith("_") and not _SPECIAL.fullmatch(name):
            return f"uses {name} of {root}"
        return f"sets {name} of {root}" if root in self.modules and not isinstance(node.ctx, ast.Load) else ""


def _import_doubt(parts: tuple[str, ...], beside: bool) -> str:
    first, *rest = parts
    name = ".".join(parts)
    if beside:
        twice = first in sys.stdlib_module_names or first in ("numpy", "volta_pipe")
        return f"imports {first}, which is a module beside it and one that is installed" if twice else ""
    if first == "volta_pipe":
        return "" if rest[:1] == ["spec"] and "*" not in rest else f"imports {name}: of volta_pipe only spec is part of its key"
    if first in PURE and "*" in rest:
        return f"imports all of {name.removesuffix('.*')}: which names that are is not written there"
    outside = [
        part for part in rest if _leads_out(part) or part == "random" or (part.startswith("_") and first != "__future__")
    ]
    return f"imports {name}: {_UNTOLD}" if first not in PURE or outside else ""


def _leads_out(name: str) -> bool:
    return name.lstrip("_") in LEADING_OUT or name in _OUTSIDE or name in _FRAMES


def _root(node: ast.expr) -> str:
    """The name that a chain of attributes begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node.id if isinstance(node, ast.Name) else ""


def _by_plain_name(call: ast.Call | None) -> bool:
    """Whether `getattr` and its like get a name that is written there, and no special one."""
    if call is None or len(call.args) < 2 or not isinstance(call.args[1], ast.Constant):
        return False
    name = call.args[1].value
    return isinstance(name, str) and not name.startswith("_") and not _leads_out(name)


def _seeded(name: str, call: ast.Call | None) -> bool:
    """Whether what is taken of `random` is a generator that gets its seed as a number."""
    if name not in _SEEDED or call is None or len(call.args) != 1 or call.keywords:
        return name == "Generator"
    return isinstance(call.args[0], ast.Constant) and type(call.args[0].value) is int


def _docstrings(tree: ast.Module) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            yield node.value
