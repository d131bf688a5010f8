"""What `numpy` is in a spec: NumPy, but arrays that are made during a trace can take symbolic values.

`y = np.zeros((n, m))`, then `y[i] = …` is how much NumPy code is written, and a plain array cannot hold what is symbolic. Only
the modules of specs see this; outside a trace, and for all that has no floats, each function is NumPy's own."""

from __future__ import annotations

import builtins
import contextlib
import sys
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from volta_pipe.passes.installed import MODULE
from volta_pipe.passes.trace.surroundings import imported

if TYPE_CHECKING:
    from volta_pipe.passes.trace.tape import Tape

_TAPE: ContextVar[Tape | None] = ContextVar("tape", default=None)


@contextlib.contextmanager
def tracing(tape: Tape) -> Iterator[None]:
    """While the spec runs on symbolic arrays."""
    token = _TAPE.set(tape)
    try:
        yield
    finally:
        _TAPE.reset(token)


def _like_numpy(make: Callable[..., Any]) -> Callable[..., Any]:
    """`make` runs during a trace; otherwise the NumPy function of its name does."""
    own = getattr(np, make.__name__)

    def choose(*args: Any, **kwargs: Any) -> Any:
        tape = _TAPE.get()
        return own(*args, **kwargs) if tape is None else make(tape, own, *args, **kwargs)

    choose.__name__, choose.__doc__ = make.__name__, own.__doc__
    return choose


def _lifted(tape: Tape, values: Any) -> Any:
    """A new plain array as one that symbolic values can be assigned to, if it is of floats. −0 is 0 on a tape: such an array
    stays plain."""
    from volta_pipe.passes.trace.symbolic import Symbolic

    if not isinstance(values, np.ndarray) or values.dtype.kind != "f" or values.dtype.itemsize > 8:
        return values
    if bool((np.signbit(values) & (values == 0)).any()):
        return values
    first = values.reshape(-1)[:1]
    if len(first) and bool((values == first[0]).all()):
        return Symbolic(tape, np.full(values.shape, tape.constants(first[0]), np.int32), values.dtype, made=True)
    return Symbolic(tape, tape.constants(values), values.dtype, made=True)


def zeros(tape: Tape, own: Any, *args: Any, **kwargs: Any) -> Any:
    return _lifted(tape, own(*args, **kwargs))


def ones(tape: Tape, own: Any, *args: Any, **kwargs: Any) -> Any:
    return _lifted(tape, own(*args, **kwargs))


def empty(tape: Tape, own: Any, *args: Any, **kwargs: Any) -> Any:
    """NaN where nothing was assigned: nothing can be proved of it."""
    made = own(*args, **kwargs)
    if made.dtype.kind == "f":
        made.fill(np.nan)
    return _lifted(tape, made)


def zeros_like(tape: Tape, own: Any, *args: Any, **kwargs: Any) -> Any:
    return _lifted(tape, own(*args, **kwargs))


def ones_like(tape: Tape, own: Any, *args: Any, **kwargs: Any) -> Any:
    return _lifted(tape, own(*args, **kwargs))


def empty_like(tape: Tape, own: Any, *args: Any, **kwargs: Any) -> Any:
    made = own(*args, **kwargs)
    if isinstance(made, np.ndarray) and made.dtype.kind == "f":
        made.fill(np.nan)
    return _lifted(tape, made)


def full_like(tape: Tape, own: Any, *args: Any, **kwargs: Any) -> Any:
    return _lifted(tape, own(*args, **kwargs))


def full(tape: Tape, own: Any, shape: Any, fill_value: Any, dtype: Any = None, **kwargs: Any) -> Any:
    from volta_pipe.passes.trace.symbolic import Symbolic

    if isinstance(fill_value, Symbolic):
        value = fill_value if dtype is None else fill_value.astype(dtype)
        return value.like(np.array(np.broadcast_to(value.nodes, shape)))
    return _lifted(tape, own(shape, fill_value, dtype, **kwargs))


def array(tape: Tape, own: Any, object: Any, dtype: Any = None, **kwargs: Any) -> Any:
    gathered = _gathered(tape, object, dtype)
    if gathered is None:
        made = own(object, dtype, **kwargs)
        return made if kwargs.get("copy", True) is not True else _lifted(tape, made)
    if {key: value for key, value in kwargs.items() if not (key == "copy" and value is True)}:
        tape.refuse(f"np.array of symbolic values with {', '.join(kwargs)} is not supported")
    return gathered.like(gathered.nodes.copy())


def asarray(tape: Tape, own: Any, a: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    gathered = _gathered(tape, a, dtype)
    if gathered is None:
        return own(a, dtype, *args, **kwargs)
    if args or kwargs:
        tape.refuse("np.asarray of symbolic values takes only a dtype")
    return gathered


def asanyarray(tape: Tape, own: Any, a: Any, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    return asarray(tape, own, a, dtype, *args, **kwargs)


def ascontiguousarray(tape: Tape, own: Any, a: Any, dtype: Any = None) -> Any:
    """A view or a copy, as the layout has it, which is not traced: neither can be written to from now on."""
    from volta_pipe.passes.trace.known import freeze
    from volta_pipe.passes.trace.symbolic import Symbolic

    gathered = _gathered(tape, a, dtype)
    if gathered is None:
        return own(a, dtype)
    if isinstance(a, Symbolic):
        freeze(a)
    kept = gathered.like(gathered.nodes.view() if gathered.ndim else gathered.nodes.reshape(1))
    kept.nodes.flags.writeable = False
    return kept


def _gathered(tape: Tape, value: Any, dtype: Any) -> Any:
    """Nested lists and tuples with symbolic values in them as one array, a symbolic array as it is; None if all is plain."""
    from volta_pipe.passes.trace.structure import gather
    from volta_pipe.passes.trace.symbolic import Symbolic

    found = gather(tape, value)
    if not isinstance(found, Symbolic):
        return None
    if not isinstance(found.nodes, np.ndarray) or found.scalar:
        found = found.like(np.array(found.nodes))
        found.scalar = False
    if dtype is None or np.dtype(dtype) == found.dtype:
        return found
    return found.astype(dtype)


class vectorize:  # noqa: N801 (NumPy's name)
    """np.vectorize: the function on one element after the other, symbolic ones, too."""

    def __init__(self, pyfunc: Any, *args: Any, **kwargs: Any) -> None:
        self._function, self._own = pyfunc, np.vectorize(pyfunc, *args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        from volta_pipe.passes.trace.structure import gather
        from volta_pipe.passes.trace.symbolic import Symbolic

        tape = _TAPE.get()
        if tape is None or not any(isinstance(value, Symbolic) for value in args):
            return self._own(*args, **kwargs)
        if kwargs or self._own.signature is not None or self._own.excluded:
            tape.refuse("np.vectorize with keywords, signature= or excluded= is not supported on symbolic arrays")
        shape = np.broadcast_shapes(*(np.shape(value) for value in args))
        flat = [np.reshape(np.broadcast_to(value, shape), -1) for value in args]
        results = [self._function(*values) for values in zip(*flat, strict=True)]
        if any(isinstance(result, tuple) for result in results):
            tape.refuse("np.vectorize of a function with several results is not supported on symbolic arrays")
        made = np.reshape(gather(tape, results), shape)
        types = self._own.otypes
        return made.astype(np.dtype(types[0])) if types else made


class _Numpy(ModuleType):
    """NumPy, but for the names that are set in it."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(np, name)
        if isinstance(found, ModuleType):  # NumPy imports some when they are asked for
            imported()
        return found

    def __dir__(self) -> list[str]:
        return dir(np)


SPEC_NUMPY = _Numpy("numpy", np.__doc__)
for _make in (
    zeros,
    ones,
    empty,
    full,
    zeros_like,
    ones_like,
    empty_like,
    full_like,
    array,
    asarray,
    asanyarray,
    ascontiguousarray,
):
    setattr(SPEC_NUMPY, _make.__name__, _like_numpy(_make))
setattr(SPEC_NUMPY, "vectorize", vectorize)  # noqa: B010 (a module has what is set in it)
SPEC_NUMPY.__spec__, SPEC_NUMPY.__path__ = np.__spec__, np.__path__


def spec_builtins() -> dict[str, Any]:
    """The builtins of a spec's module: those of Python, but `import numpy` gives SPEC_NUMPY, and modules are told (MODULE)."""

    def load(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        found = builtins.__import__(name, globals, locals, fromlist, level)
        imported()
        if found is np:
            return SPEC_NUMPY
        parts = name.split(".") if not level else []
        modules = [found, *(sys.modules.get(".".join(parts[: i + 1])) for i in range(len(parts)))]
        modules += [getattr(found, part, None) for part in fromlist or ()]
        for file in {str(getattr(one, "__file__", None) or "") for one in modules if isinstance(one, ModuleType)} - {""}:
            sys.audit(MODULE, file)
        return found

    return {**vars(builtins), "__import__": load}
