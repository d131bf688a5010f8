"""The symbolic array: graph nodes in the shape of an array, which NumPy code accepts through NumPy's own protocols."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from volta_pipe.ir.graph import ONE, ZERO, Int32
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace.integers import congruent, to_integer, wrap
from volta_pipe.passes.trace.known import freeze_views, known, known_inputs, known_only
from volta_pipe.passes.trace.tape import Tape

# NumPy functions (by their name) and methods that `structure`, `reductions`, `products` and `elementwise` fill in.
FUNCTIONS: dict[str, Callable[..., Any]] = {}
_PLAIN = (
    "a symbolic value cannot become a plain number here: float(x), np.float32(x) and the math module want one (use x.astype and "
    "NumPy's own np.exp, …), so does np.asarray() in a module that is not the spec's, and assignment into a plain NumPy array "
    "(make that array with np.zeros, np.array or np.zeros_like(x)); what depends on a condition is selected with np.where"
)
# Where a result without dims is an array as in NumPy, not a scalar.
_KEEPS_ARRAYS = frozenset({"volta_pipe.passes.trace.structure", "volta_pipe.passes.trace.placing"})
BOOL = np.dtype(np.bool_)


def function(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers what to run for the NumPy functions of these names; it gets the tape, then the function's arguments."""

    def register(run: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            FUNCTIONS[name] = run
        return run

    return register


class Symbolic(np.lib.mixins.NDArrayOperatorsMixin):
    """`nodes`: int32 graph nodes in the array's shape; `dtype`: what NumPy would hold there, which decides how constants that
    meet the array are rounded. Views share their nodes, so that assignment through a view behaves as NumPy's. `made`: the spec made
    the array out of plain numbers (making.py), which it is as long as nothing symbolic is assigned to it (known.py)."""

    # Above NumPy's own types, so that plain arrays defer to it.
    __array_priority__ = 1000.0

    def __init__(self, tape: Tape, nodes: Int32, dtype: Any, made: bool = False) -> None:
        self.tape = tape
        self.made = made
        self.nodes = np.asarray(nodes)
        self.dtype = np.dtype(dtype)
        # A NumPy scalar where NumPy would give one: `t = x[0]; t += 1` binds a new value and leaves x alone.
        self.scalar = not isinstance(nodes, np.ndarray)

    @property
    def shape(self) -> tuple[int, ...]:
        return self.nodes.shape

    @property
    def ndim(self) -> int:
        return self.nodes.ndim

    @property
    def size(self) -> int:
        return int(self.nodes.size)

    @property
    def itemsize(self) -> int:
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        return int(self.size * self.itemsize)

    @property
    def T(self) -> Symbolic:  # noqa: N802 (NumPy's name)
        return self.like(self.nodes.T)

    @property
    def mT(self) -> Symbolic:  # noqa: N802 (NumPy's name)
        return self.like(self.nodes.swapaxes(-1, -2))

    @property
    def flat(self) -> Iterator[Symbolic]:
        return iter(self.like(self.nodes.reshape(-1)))

    def like(self, nodes: Any) -> Symbolic:
        """Other nodes of the same dtype."""
        return Symbolic(self.tape, nodes, self.dtype, self.made)

    def __repr__(self) -> str:
        return f"<symbolic {self.dtype} array of shape {self.shape}>"

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Symbolic]:
        return (self.like(self.nodes[i]) for i in range(len(self.nodes)))

    def __getitem__(self, key: Any) -> Symbolic:
        return self.like(self.nodes[self.known_key(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.nodes[self.known_key(key)] = as_nodes(self.tape, value, self.dtype)

    def known_key(self, key: Any) -> Any:
        """An index, which must not depend on anything symbolic."""
        for part in key if isinstance(key, tuple) else (key,):
            if isinstance(part, Symbolic) or (isinstance(part, list) and any(isinstance(one, Symbolic) for one in part)):
                self.tape.refuse("an index or mask depends on a symbolic value (np.where selects by a symbolic mask)")
        return key

    def __bool__(self) -> bool:
        if (values := known(self)) is not None:
            return bool(values)
        if self.size == 1 and self.dtype == BOOL and self.nodes.reshape(-1)[0] in (ZERO, ONE):
            return bool(self.nodes.reshape(-1)[0] == ONE)
        return self.tape.refuse("the spec branches on a symbolic value (use np.where, np.maximum or np.minimum)")

    def _plain(self, *_: Any, **__: Any) -> NoReturn:
        self.tape.refuse(_PLAIN)

    def __float__(self) -> float:
        values = known(self)
        return self._plain() if values is None else float(values)

    def __int__(self) -> int:
        values = known(self)
        return self._plain() if values is None else int(values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        values = known(self)
        if values is None:
            self._plain()
        if not copy:
            # NumPy would give the same memory: neither can be written to from now on.
            freeze(self)
            values.flags.writeable = False
        return values if dtype is None else values.astype(dtype, copy=False)

    def item(self, *place: Any) -> Any:
        values = known(self)
        return self._plain() if values is None else values.item(*place)

    def tolist(self) -> Any:
        values = known(self)
        return self._plain() if values is None else values.tolist()

    __index__ = __complex__ = __round__ = _plain

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from volta_pipe.passes.trace.elementwise import call_ufunc, store_into

        fresh = kwargs.get("out") is None
        options = {key: kwargs[key] for key in kwargs if key != "out"}
        inputs = (
            (*inputs[:1], *known_inputs(ufunc.__name__, inputs[1:])) if method == "at" else known_inputs(ufunc.__name__, inputs)
        )
        if (
            method != "at"
            and not any(isinstance(value, Symbolic) for value in (*inputs, *options.values()))
            and "where" not in options
        ):
            result = getattr(ufunc, method)(*inputs, **options)
            return result if fresh else store_into(self.tape, kwargs["out"], result)
        result = call_ufunc(self.tape, ufunc, method, inputs, kwargs)
        if isinstance(result, Symbolic):
            result.scalar |= fresh and result.ndim == 0
        self.tape.check(f"np.{ufunc.__name__}")
        return result

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        name = str(func.__name__)
        own = (getattr(np, name, None), np.lib.stride_tricks.sliding_window_view)
        if not any(func is one for one in own):  # np.linalg.diagonal is not np.diagonal
            name = f"{str(func.__module__).removeprefix('numpy.')}.{name}"
        run = FUNCTIONS.get(name)
        if run is None or run.__module__ not in _KEEPS_ARRAYS:
            plain = known_only(args, kwargs)
            if plain is not None and plain[1].get("out") is None:
                result = func(*plain[0], **plain[1])
                freeze_views(result, (args, kwargs), plain)
                return result
        return self._call(name, *args, **kwargs)

    def _call(self, name: str, *args: Any, **kwargs: Any) -> Any:
        run = FUNCTIONS.get(name)
        if run is None:
            self.tape.refuse(f"np.{name} is not supported on symbolic arrays")
        out = None if run.__module__ in _KEEPS_ARRAYS else kwargs.pop("out", None)
        order = kwargs.get("order", args[_MAYBE_VIEWS[name]] if len(args) > _MAYBE_VIEWS.get(name, len(args)) else "C")
        if order not in ("C", "F") or kwargs.get("copy") is not None:
            self.tape.refuse(f"np.{name} with order K or A, or copy=, is not supported: memory layouts are not traced")
        result = run(self.tape, *args, **kwargs)
        if name in _MAYBE_VIEWS:
            result = self._flat(args[0], result)
        if isinstance(result, Symbolic) and result.ndim == 0 and run.__module__ not in _KEEPS_ARRAYS:
            result.scalar = True
        self.tape.check(f"np.{name}")
        if out is not None:
            from volta_pipe.passes.trace.elementwise import store_into

            return store_into(self.tape, out, result)
        return result

    def __getattr__(self, name: str) -> Any:
        if name in _METHODS:
            method = getattr(np, name)
            return lambda *args, **kwargs: self.__array_function__(method, (Symbolic,), (self, *args), kwargs)
        if name.startswith("__"):
            raise AttributeError(name)
        if (values := known(self)) is not None and hasattr(values, name):
            freeze(self)
            values.flags.writeable = False
            return getattr(values, name)
        return self.tape.refuse(f"symbolic arrays have no attribute {name}")

    def _flat(self, source: Any, result: Any) -> Any:
        """What reshape and ravel give is a view or a copy, as the layout in memory has it, which is not traced: neither it nor
        what it was made from can be written to from now on."""
        if not isinstance(result, Symbolic):
            return result
        if isinstance(source, Symbolic):
            freeze(source)
        frozen = result.nodes.view()
        frozen.flags.writeable = False
        return Symbolic(self.tape, frozen, result.dtype, result.made)

    def __copy__(self) -> Symbolic:
        return self.like(self.nodes.copy())

    def __deepcopy__(self, _: Any) -> Symbolic:
        return self.like(self.nodes.copy())

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        return self._call("reshape", self, shape[0] if len(shape) == 1 else shape, order=order, copy=copy)

    def transpose(self, *axes: Any) -> Any:
        return self.like(self.nodes.transpose(*axes))

    def flatten(self, order: str = "C") -> Symbolic:
        if order != "C":
            self.tape.refuse("flatten with order= is not supported: memory layouts are not traced")
        return self.like(self.nodes.flatten())

    def erf(self) -> Symbolic:
        """The error function, which NumPy lacks: `volta_pipe.spec.erf` calls it as NumPy calls methods of what it holds."""
        floats = self if self.dtype.kind == "f" else self.cast(np.dtype(np.float64))
        return floats.like(self.tape.emit(Node.ERF, floats.nodes))

    def fill(self, value: Any) -> None:
        self[...] = value

    def astype(self, dtype: Any, *more: Any, **options: Any) -> Symbolic:
        if more or options:
            self.tape.refuse("astype takes only a dtype on symbolic arrays")
        return self.like(self.nodes.copy()).cast(np.dtype(dtype))

    def _wrapped(self, dtype: Any) -> Int32:
        """Integers as those of another type that is no narrower, modulo 2^bits as in NumPy."""
        tape, x = self.tape, self.nodes
        if np.can_cast(self.dtype, dtype, "safe"):
            return x
        bits = 8 * dtype.itemsize
        if dtype.kind == "u":
            return tape.emit(Node.SELECT, tape.emit(Node.LT, x, ZERO), tape.emit(Node.ADD, x, tape.constants(2.0**bits)), x)
        large = tape.emit(Node.LE, tape.constants(2.0 ** (bits - 1)), x)
        return tape.emit(Node.SELECT, large, tape.emit(Node.SUB, x, tape.constants(2.0**bits)), x)

    def cast(self, dtype: Any) -> Symbolic:
        """The same values in another dtype: floats are reals, so nothing is rounded, but cut off to integers; a predicate
        becomes 0 or 1; integers are taken modulo 2^bits."""
        kinds = self.dtype.kind + dtype.kind
        if self.dtype == dtype or kinds in ("ff", "if", "uf"):
            return Symbolic(self.tape, self.nodes, dtype)
        if kinds in ("ii", "iu", "ui", "uu") and (dtype.itemsize >= self.dtype.itemsize):
            return Symbolic(self.tape, self._wrapped(dtype), dtype)
        if kinds in ("ii", "iu", "ui", "uu"):
            return Symbolic(self.tape, wrap(self.tape, congruent(self.tape, self.nodes, dtype), dtype), dtype)
        if kinds in ("fi", "fu"):
            return Symbolic(self.tape, to_integer(self.tape, self.nodes, dtype), dtype)
        if self.dtype == BOOL and dtype.kind in "fiu":
            return Symbolic(self.tape, self.tape.emit(Node.SELECT, self.nodes, ONE, ZERO), dtype)
        if dtype == BOOL:
            return Symbolic(self.tape, self.tape.emit(Node.NE, self.nodes, ZERO), dtype)
        return self.tape.refuse(f"a symbolic {self.dtype} array cannot become {dtype}")


# Functions of which NumPy makes a view or a copy, as the layout in memory has it, and where `order` stands.
_MAYBE_VIEWS = {"reshape": 2, "ravel": 1}
_METHODS = frozenset({
    "sum", "mean", "max", "min", "prod", "cumsum", "cumprod", "var", "std", "any", "all", "ravel", "swapaxes", "squeeze",
    "repeat", "take", "diagonal", "dot", "copy", "clip", "round", "trace",
})  # fmt: skip


def freeze(a: Symbolic) -> None:
    """Neither the array nor what it is a view of can be written to from now on."""
    nodes: Any = a.nodes
    while isinstance(nodes, np.ndarray):
        nodes.flags.writeable = False
        nodes = nodes.base


def dtype_of(value: Any) -> Any:
    """What decides a promotion: a dtype, or the Python type where NumPy takes the number as weak."""
    if isinstance(value, Symbolic):
        return value.dtype
    if type(value) in (int, float):
        return type(value)
    return np.asarray(value).dtype


def result_dtype(values: Any) -> Any:
    """NumPy's result_type of plain and symbolic values (Python numbers are weak)."""
    return np.result_type(*(v.dtype if isinstance(v, Symbolic) else v for v in values))


def joined_dtype(values: Any) -> Any:
    """The dtype of what NumPy joins or gathers into one array: each value becomes an array first, so Python numbers are not
    weak, and a float among float32 arrays makes all of them float64."""
    return np.result_type(*(v.dtype if isinstance(v, Symbolic) else np.asarray(v).dtype for v in values))


def as_nodes(tape: Tape, value: Any, dtype: Any) -> Int32:
    """Nodes of a plain or symbolic value after a cast to `dtype`; a plain value is rounded to it as NumPy does."""
    if isinstance(value, Symbolic):
        if value.tape is not tape:
            tape.refuse("a symbolic array of another run cannot be used")
        return value.cast(dtype).nodes
    if isinstance(value, list | tuple):
        from volta_pipe.passes.trace.structure import gather

        return as_nodes(tape, gather(tape, value), dtype)
    known = np.asarray(value)
    if known.dtype.kind not in "fiub" or known.dtype.itemsize > 8:
        tape.refuse(f"{known.dtype} values cannot meet symbolic arrays")
    known = known.astype(dtype)
    if known.dtype.kind in "iu" and known.size and bool((known.astype(np.float64).astype(known.dtype) != known).any()):
        tape.refuse("an integer beyond 2^53 cannot meet symbolic arrays")
    return tape.constants(known)
