"""numba's libraries of compiled code, cut to what a program with few entries and many inner functions needs.

numba optimises every function with all that it calls, and makes machine code of it, before it links it into the callers, where
both happen again: a function ten calls deep is compiled ten times over. Here an inner function is linked as it was lowered, and
optimised once in each entry that contains it.

numba keeps an entry as machine code with LLVM's bitcode, for others to link, and reads both. Nothing links entries; and before
each look into its cache it registers everything that it could compile with. Loading machine code needs neither. Of each inner
function it keeps the environment, what code looks Python's objects up in, and loading these took half of the time that loading
an entry takes: those that the code never looks at are left out."""

from __future__ import annotations

from typing import Any, ClassVar, cast

import llvmlite.binding as llvm
from numba.core.caching import CompileResultCacheImpl, FunctionCache, UserProvidedCacheLocator
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment
from numba.core.runtime.nrt import rtsys

_ENVIRONMENT = "_ZN08NumbaEnv"  # how numba's names of environments begin


class _Codegen:
    """The code generator as a library without machine code shows it: an environment has no address there."""

    def __init__(self, codegen: Any) -> None:
        self.generator = codegen

    def __getattr__(self, name: str) -> Any:
        return getattr(self.generator, name)

    def set_env(self, name: str, environment: Any) -> None:
        """Nothing to do: the entry sets it."""


class InnerLibrary(JITCodeLibrary):
    """An inner function as it was lowered: no optimisation beyond the function's own, no machine code."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0  # what numba answers for a function without a wrapper, too

    @property
    def codegen(self) -> Any:
        return _Codegen(self._codegen)


class EntryLibrary(JITCodeLibrary):
    """A function that Python calls, with all inner functions below it. What is read back from the cache has machine code only,
    so no compiled code may call it, not even where it has just been compiled."""

    def _get_module_for_linking(self) -> Any:
        raise RuntimeError("compiled code calls an entry; see inner and entry_of in ir/compiled.py")

    def serialize_using_object_code(self) -> Any:
        self._ensure_finalized()
        return (self.name, "object", (self._get_compiled_object(), _names(self._final_module)))

    def finalize(self) -> None:
        own = {variable.name for variable in self._final_module.global_variables}
        below = _callers_first(self)
        self._linking_libraries[:] = []
        for library in below:
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        inner = {one.name for library in below if isinstance(library, InnerLibrary) for one in library.get_defined_functions()}
        for function in self._final_module.functions:
            if function.name in inner and not function.is_declaration:
                # Nobody outside calls it: once it is copied into its callers, nothing of it is left.
                function.linkage = llvm.Linkage.internal
        text = str(self._final_module)
        for variable in self._final_module.global_variables:
            # One that is named where it is defined, and nowhere else, is left out when nobody outside can name it.
            if variable.name.startswith(_ENVIRONMENT) and variable.name not in own and text.count(variable.name) == 1:
                variable.linkage = llvm.Linkage.internal
        super().finalize()
        for variable in self._final_module.global_variables:
            environment = lookup_environment(variable.name) if variable.name.startswith(_ENVIRONMENT) else None
            if environment is not None:
                cast(Any, self._codegen).set_env(variable.name, environment)


class InnerCompiler(Compiler):
    """numba's compiler for inner functions."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        super().__init__(typing, target, InnerLibrary(target.codegen(), "inner"), *rest)


class EntryCompiler(Compiler):
    """numba's compiler for entries."""

    def __init__(self, typing: Any, target: Any, library: Any, *rest: Any) -> None:
        own = EntryLibrary(target.codegen(), "entry")
        own.enable_object_caching()
        super().__init__(typing, target, own, *rest)


class _Locator(UserProvidedCacheLocator):
    """A cache is named by what is in it (compiled.py). Where that lies does not matter, so a copied checkout finds it, too."""

    _writable: ClassVar[set[str]] = set()

    @classmethod
    def get_suitable_cache_subpath(cls, _py_file: str) -> str:
        """No folder named by the path of the source, which numba would make."""
        return ""

    def ensure_cache_path(self) -> None:
        """Once a folder: numba makes it, and a file in it, for each function."""
        if self.get_cache_path() not in self._writable:
            super().ensure_cache_path()
            self._writable.add(self.get_cache_path())


class _EntryCacheImpl(CompileResultCacheImpl):
    """Leaves out the types of all variables as text, and says when somebody links what has no code to link."""

    _locator_classes: list[type[object]] = [_Locator]  # noqa: RUF012

    def reduce(self, result: Any) -> Any:
        reduced = list(result._reduce())
        reduced[6] = ""
        return tuple(reduced)

    def rebuild(self, target_context: Any, payload: Any) -> Any:
        result = super().rebuild(target_context, payload)
        result.library._shared_module = None  # the names alone: linked, they would be empty functions
        return result


class EntryCache(FunctionCache):
    """numba's cache of one function, without the registration before each look."""

    _impl_class = _EntryCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The compiled code for a signature, or None where it must be compiled."""
        rtsys.initialize(target_context)
        with self._guard_against_spurious_io_errors():
            return cast(Any, super())._load_overload(sig, target_context)
        return None  # on Windows, where the file is another process's for the moment


def _callers_first(entry: EntryLibrary) -> list[Any]:
    """All libraries below an entry, each behind those that call it: LLVM leaves out functions that nobody calls yet."""
    order: list[Any] = []
    seen: set[int] = set()
    stack: list[tuple[Any, bool]] = [(library, False) for library in entry._linking_libraries]
    while stack:
        library, done = stack.pop()
        if done:
            order.append(library)
        elif id(library) not in seen:
            seen.add(id(library))
            stack.append((library, True))
            if isinstance(library, InnerLibrary):
                stack += [(one, False) for one in library._linking_libraries]
    return order[::-1]


def _names(module: Any) -> bytes:
    """Bitcode that defines the names of `module` and nothing else."""
    lines = [f'define void @"{one.name}"() {{ ret void }}' for one in module.functions if _visible(one)]
    lines += [f'@"{one.name}" = global i8 0' for one in module.global_variables if _visible(one)]
    return cast(bytes, llvm.parse_assembly("\n".join(lines)).as_bitcode())


def _visible(one: Any) -> bool:
    return not one.is_declaration and one.linkage in (llvm.Linkage.external, llvm.Linkage.common)
