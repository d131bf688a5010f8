"""The symbolic array: graph nodes in the shape of an array, which NumPy code accepts through NumPy's own protocols."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from volta_pipe.ir.graph import ONE, ZERO, Int32
from volta_pipe.ir.nodes import Node
from volta_pipe.passes.trace.integers import congruent, to_integer, wrap
from volta_pipe.passes.trace.known import check_writable, freeze, freeze_views, known, known_inputs, known_only
from volta_pipe.passes.trace.numbers import BOOL, Numbers
from volta_pipe.passes.trace.tape import Tape

# NumPy functions (by their name) and methods that `structure`, `reductions`, `products` and `elementwise` fill in.
FUNCTIONS: dict[str, Callable[..., Any]] = {}
# Where a result without dims is an array as in NumPy, not a scalar.
_KEEPS_ARRAYS = frozenset({"volta_pipe.passes.trace.structure", "volta_pipe.passes.trace.placing"})


def function(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers what to run for the NumPy functions of these names; it gets the tape, then the function's arguments."""

    def register(run: Callable[..., Any]) -> Callable[..., Any]:
        for name in names:
            FUNCTIONS[name] = run
        return run

    return register


class Symbolic(Numbers, np.lib.mixins.NDArrayOperatorsMixin):
    """`nodes`: int32 graph nodes in the array's shape; `dtype`: what NumPy would hold there, which decides how constants that
    meet the array are rounded. Views share their nodes, so that assignment through a view behaves as NumPy's. `made`: the spec
    made the array out of plain numbers (making.py), which it is until something symbolic is assigned to it (known.py)."""

    # Above NumPy's own types, so that plain arrays defer to it.
    __array_priority__ = 1000.0

    def __init__(self, tape: Tape, nodes: Int32, dtype: Any, made: bool = False) -> None:
        self.tape = tape
        self.made = made
        self.nodes: Int32 = np.asarray(nodes)
        self.dtype = np.dtype(dtype)
        # A NumPy scalar where NumPy would give one: `t = x[0]; t += 1` binds a new value and leaves x alone.
        self.scalar = not isinstance(nodes, np.ndarray)

    @property
    def shape(self) -> tuple[int, ...]:
        shape: tuple[int, ...] = self.nodes.shape
        return shape

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
        return self._same(self.nodes.T)

    @property
    def mT(self) -> Symbolic:  # noqa: N802 (NumPy's name)
        return self.like(self.nodes.swapaxes(-1, -2))

    @property
    def flat(self) -> Iterator[Symbolic]:
        return iter(self.like(self.nodes.reshape(-1)))

    def like(self, nodes: Any) -> Symbolic:
        """Other nodes of the same dtype."""
        return Symbolic(self.tape, nodes, self.dtype, self.made)

    def _same(self, nodes: Any) -> Symbolic:
        """Other nodes that are a NumPy scalar if these are one."""
        found = self.like(nodes)
        found.scalar = self.scalar and found.ndim == 0
        return found

    def __repr__(self) -> str:
        return f"<symbolic {self.dtype} array of shape {self.shape}>"

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[Symbolic]:
        return (self.like(self.nodes[i]) for i in range(len(self.nodes)))

    def __getitem__(self, key: Any) -> Symbolic:
        return self.like(self.nodes[self.known_key(key)])

    def __setitem__(self, key: Any, value: Any) -> None:
        from volta_pipe.passes.trace.meeting import as_nodes, check_bounds

        check_writable(self)
        check_bounds(value, self.dtype)
        self.nodes[self.known_key(key)] = as_nodes(self.tape, value, self.dtype)

    def known_key(self, key: Any) -> Any:
        """An index, which must not depend on anything symbolic."""
        for part in key if isinstance(key, tuple) else (key,):
            if isinstance(part, Symbolic) or (isinstance(part, list) and any(isinstance(one, Symbolic) for one in part)):
                self.tape.refuse("an index or mask depends on a symbolic value (np.where selects by a symbolic mask)")
        return key

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from volta_pipe.passes.trace.elementwise import call_ufunc
        from volta_pipe.passes.trace.into import store_into

        fresh = kwargs.get("out") is None
        options = {key: kwargs[key] for key in kwargs if key != "out"}
        inputs = (
            (*inputs[:1], *known_inputs(ufunc.__name__, inputs[1:])) if method == "at" else known_inputs(ufunc.__name__, inputs)
        )
        outs = kwargs.get("out") or ()
        if not any(isinstance(value, Symbolic) for value in (*inputs, *options.values())):
            if not any(isinstance(value, Symbolic) for value in outs):
                return getattr(ufunc, method)(*inputs, **kwargs)
            if "where" not in options:
                return store_into(self.tape, outs, getattr(ufunc, method)(*inputs, **options))
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
        plain = known_only(args, kwargs)
        if plain is not None and (run is None or run.__module__ not in _KEEPS_ARRAYS) and plain[1].get("out") is None:
            result = func(*plain[0], **plain[1])
            freeze_views(result, (args, kwargs), plain)
            return result
        result = self._call(name, *args, **kwargs)
        if plain is not None:
            for part in result if isinstance(result, list | tuple) else [result]:
                if isinstance(part, Symbolic):
                    part.made = True
        return result

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
            result.scalar = name not in _GIVES_ARRAYS
        elif isinstance(result, Symbolic) and result.ndim == 0 and name in _CALLS_METHODS:
            result.scalar = isinstance(args[0], Symbolic) and args[0].scalar
        self.tape.check(f"np.{name}")
        if out is not None:
            from volta_pipe.passes.trace.into import store_into

            return store_into(self.tape, out, result)
        return result

    def __getattr__(self, name: str) -> Any:
        if name in _METHODS:
            method = getattr(np, name)
            return lambda *args, **kwargs: self._method(method, args, kwargs)
        if name.startswith("__"):
            raise AttributeError(name)
        if (values := known(self)) is not None and hasattr(values, name):
            freeze(self)
            values.flags.writeable = False
            return getattr(values, name)
        return self.tape.refuse(f"symbolic arrays have no attribute {name}")

    def _method(self, function: Any, args: Any, kwargs: Any) -> Any:
        """A method by the function of its name; of a NumPy scalar it gives one."""
        result = self.__array_function__(function, (Symbolic,), (self, *args), kwargs)
        if isinstance(result, Symbolic) and result.ndim == 0:
            result.scalar |= self.scalar
        return result

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
        return self._same(self.nodes.copy())

    def __deepcopy__(self, _: Any) -> Symbolic:
        return self._same(self.nodes.copy())

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        return self._call("reshape", self, shape[0] if len(shape) == 1 else shape, order=order, copy=copy)

    def transpose(self, *axes: Any) -> Any:
        return self._same(self.nodes.transpose(*axes))

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

    def astype(self, dtype: Any, *more: Any, **options: Any) -> Any:
        if more or options:
            self.tape.refuse("astype takes only a dtype on symbolic arrays")
        if np.dtype(dtype).kind != "f" and (values := known(self)) is not None:
            return values.astype(dtype)  # plain, as all arrays of integers that a spec makes
        found = self._same(self.nodes.copy()).cast(np.dtype(dtype))
        found.scalar, found.made = self.scalar, self.made and found.made
        return found

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
        if self.dtype != dtype and dtype.kind in "fiub" and (values := known(self)) is not None:
            return Symbolic(self.tape, self.tape.constants(values.astype(dtype)), dtype, dtype.kind == "f")
        if self.dtype == dtype or kinds in ("ff", "if", "uf"):
            return Symbolic(self.tape, self.nodes, dtype, self.made and dtype.kind == "f")
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
# Functions that give an array, not a scalar, where there are no dims, and those that give a scalar for one, as methods do.
_GIVES_ARRAYS = frozenset({"where", "select", "piecewise"})
_CALLS_METHODS = frozenset({"squeeze", "transpose", "permute_dims"})
_METHODS = frozenset({
    "sum", "mean", "max", "min", "prod", "cumsum", "cumprod", "var", "std", "any", "all", "ravel", "swapaxes", "squeeze",
    "repeat", "take", "diagonal", "dot", "copy", "clip", "round", "trace",
})  # fmt: skip
