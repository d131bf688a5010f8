"""What a spec may not do, and that each refusal names the spec's file and line."""

from __future__ import annotations

import os
import py_compile
import sys
import threading
from pathlib import Path

import pytest
from trace_specs import launch, tensor, traced, written

from volta_pipe.ir.errors import InputError, UnsupportedError
from volta_pipe.ir.launch import Scalar
from volta_pipe.passes.trace import load_spec, trace
from volta_pipe.passes.trace.spec import running


def _refused(folder: Path, body: str, line: int, *fragments: str) -> None:
    """`body`: the lines of the function from line 3 on."""
    text = "def spec(x, t, n):\n" + "".join(f"    {part}\n" for part in body.splitlines())
    parts = (
        tensor("x", (4, 4), dtype="f32"),
        tensor("t", (4,), dtype="s32"),
        tensor("r", (4, 4), "out"),
        Scalar("n", "s32", None),
    )
    with pytest.raises((InputError, UnsupportedError)) as caught:
        traced(folder, text, *parts)
    message = str(caught.value)
    assert message.startswith(f"{folder / 'spec.py'}:{line}: "), message
    assert "\n" not in message
    for fragment in fragments:
        assert fragment in message


OK = "return {'r': x}"
CASES = {
    "branch": (f"y = 1\nif x[0, 0] > 0:\n    x = x + 1\n{OK}", 4, "branches on a symbolic value"),
    "the sign of a zero": ("return {'r': np.copysign(x, -np.zeros_like(x))}", 3, "-0 is not followed"),
    "float": (f"y = float(x[0, 0])\n{OK}", 3, "float(x)", "x.astype"),
    "float32": (f"y = np.float32(x[0, 0])\n{OK}", 3, "np.float32(x)", "x.astype"),
    "the math module": (f"import math\ny = math.exp(x[0, 0])\n{OK}", 4, "the math module", "np.exp"),
    "Python's max": (f"y = max(x[0, 0], x[0, 1])\n{OK}", 3, "branches on a symbolic value", "np.maximum"),
    "Python's sorted": (f"y = sorted(x[0])\n{OK}", 3, "branches on a symbolic value"),
    "a conditional expression": (f"y = x if x[0, 0] > x[1, 0] else -x\n{OK}", 3, "branches on a symbolic value"),
    "a chain of comparisons": (f"y = np.where(0 < x < 1, x, 0)\n{OK}", 3, "branches on a symbolic value"),
    "and": (f"y = np.where(x > 0 and x < 1, x, 0)\n{OK}", 3, "branches on a symbolic value"),
    "while": (f"y = x.sum()\nwhile y > 0:\n    y = y - 1\n{OK}", 4, "branches on a symbolic value"),
    "any of Python": (f"y = any(v > 0 for v in x[0])\n{OK}", 3, "branches on a symbolic value"),
    "assert": (f"assert (x > 0).all()\n{OK}", 3, "branches on a symbolic value"),
    "argsort": (f"y = np.argsort(x)\n{OK}", 3, "np.argsort is not supported"),
    "argmax": (f"y = np.argmax(x, axis=1)\n{OK}", 3, "np.argmax is not supported"),
    "median": (f"y = np.median(x)\n{OK}", 3, "np.median is not supported"),
    "nonzero": (f"y = np.nonzero(x)\n{OK}", 3, "np.nonzero is not supported"),
    "where with one argument": (f"y = np.where(x > 0)\n{OK}", 3, "needs both values"),
    "frompyfunc": (f"y = np.frompyfunc(lambda v: v + 1, 1, 1)(x)\n{OK}", 3, "is not supported on symbolic arrays"),
    "choose": (f"y = np.choose(t, [x, x])\n{OK}", 3, "np.select and np.where"),
    "isnan of a quotient": (f"y = np.where(np.isnan(x / x[0, 0]), 0, x)\n{OK}", 3, "infinite or NaN is not followed"),
    "nan_to_num of a quotient": (f"y = np.nan_to_num(x / x[0, 0])\n{OK}", 3, "infinite or NaN is not followed"),
    "put at symbolic places": (f"y = np.zeros(4)\nnp.put(y, t, 1.0)\n{OK}", 4, "plac"),
    "symbolic index of a made array": (f"y = np.zeros(4)[t]\n{OK}", 3, "index or mask"),
    "symbolic index in a list": (f"y = x[[t[0], 1]]\n{OK}", 3, "index or mask"),
    "symbolic size": (f"y = np.zeros(n)\n{OK}", 3, "plain number"),
    "a made zero as a divisor": (f"y = x / np.zeros(4)\n{OK}", 3, "indeterminate"),
    "a plain function after assignment": (f"y = np.zeros((4, 4))\ny[0] = x[0]\nz = np.linalg.inv(y)\n{OK}", 5, "linalg.inv"),
    "written after asarray elsewhere": (
        f"y = np.zeros(4)\nz = np.real(np.sort(y)) + y.view(np.float64)\ny[0] = 1\n{OK}",
        5,
        "read-only",
    ),
    "a view of a made array that is written": (f"y = np.ones(4)\nz = y.view(np.float64)\nz[0] = 2\n{OK}", 5, "read-only"),
    "in place by a plain function": (f"y = np.ones(4)\ny.sort()\n{OK}", 4, "read-only"),
    "a format": (f"y = f'{{x[0, 0]:.2f}}'\n{OK}", 3, "raised TypeError"),
    "range": (f"for i in range(n):\n    pass\n{OK}", 3, "plain number"),
    "into a plain array": (f"r = np.zeros((4, 4), int)\nr[0] = x[0]\n{OK}", 4, "np.zeros_like(x)"),
    "a scalar into a plain array": (f"r = np.arange(16.0).reshape(4, 4)\nr[0, 0] = x[0, 0]\n{OK}", 4, "np.zeros_like(x)"),
    "in place into a plain array": (f"r = np.linspace(0, 1, 4)\nr += x\n{OK}", 4, "np.zeros_like(x)"),
    "unknown function": (f"\nx = np.sort(x, axis=1)\n{OK}", 4, "np.sort is not supported"),
    "unknown function of a module": (f"x = np.linalg.inv(x)\n{OK}", 3, "np.linalg.inv is not supported"),
    "unknown ufunc": (f"x = np.arctan(x)\n{OK}", 3, "np.arctan is not supported"),
    "unknown method": (f"x = x.argmax()\n{OK}", 3, "no attribute argmax"),
    "ufunc.at": (f"np.add.at(np.arange(4), [0], x[0, 0])\n{OK}", 3, "goes into a plain NumPy array"),
    "ufunc.at a symbolic place": (f"np.add.at(x, t, 1)\n{OK}", 3, "index or mask"),
    "reduceat": (f"y = np.add.reduceat(x, [0, 2])\n{OK}", 3, "np.add.reduceat is not supported"),
    "where=": (f"x = np.add(x, 1, where=False)\n{OK}", 3, "where="),
    "max where=": (f"x = x + np.max(x, where=x > 0)\n{OK}", 3, "initial"),
    "an empty mean": (f"x = x + np.mean(x, where=False)\n{OK}", 3, "indeterminate"),
    "symbolic index": (f"y = x[t]\n{OK}", 3, "index or mask"),
    "symbolic mask": (f"y = x[x > 0]\n{OK}", 3, "index or mask"),
    "index into a plain array": (f"y = np.arange(4)[n]\n{OK}", 3, "plain number"),
    "integers with symbolic bits": (f"t = t | t[::-1]\n{OK}", 3, "np.bitwise_or on a symbolic int32 array"),
    "an integer remainder of unknowns": (f"t = t % t[::-1]\n{OK}", 3, "np.remainder on a symbolic int32 array"),
    "an integer divided by 0": (f"t = t // np.array([1, 0, 2, 3], np.int32)\n{OK}", 3, "np.floor_divide on a symbolic int32"),
    "division by zero": (f"y = x / np.zeros((4, 4))\n{OK}", 3, "np.divide: a result is indeterminate"),
    "infinity of unknown sign": (f"y = x * np.inf\n{OK}", 3, "np.multiply: a result is indeterminate"),
    "complex": (f"y = x * 1j\n{OK}", 3, "complex"),
    "shapes": (f"y = x + np.zeros(3)\n{OK}", 3, "raised ValueError"),
    "matmul shapes": (f"y = x @ np.zeros((3, 4))\n{OK}", 3, "raised ValueError", "matmul"),
    "einsum subscripts": (f"y = np.einsum('ijk->i', x)\n{OK}", 3, "raised ValueError"),
    "einsum lists": (f"y = np.einsum(x, [0, 1], [0])\n{OK}", 3, "subscripts in a text"),
    "einsum ellipsis": (f"y = np.einsum('...ijk->...', x)\n{OK}", 3, "raised ValueError"),
    "index out of range": (f"y = x[7]\n{OK}", 3, "raised IndexError"),
    "empty maximum": (f"y = x[:, :0].max(axis=1)\n{OK}", 3, "raised ValueError"),
    "any exception": (f"raise KeyError('lost')\n{OK}", 3, "raised KeyError: 'lost'"),
    "an exception that cannot be shown": (
        f"class E(Exception):\n    def __str__(self): raise ValueError('x')\nraise E\n{OK}",
        5,
        "raised E: (what it says cannot be shown)",
    ),
    "an exception whose words are no text": (f"class E(Exception):\n    __str__ = None\nraise E\n{OK}", 5, "cannot be shown"),
    "a dict that fails": (
        "class D(dict):\n    def __getitem__(self, k): raise RuntimeError('no')\nreturn D(r=x)",
        4,
        "raised RuntimeError: no",
    ),
    "a dict without an end": ("class D(dict):\n    def __iter__(self): raise KeyError('end')\nreturn D(r=x)", 4, "KeyError"),
    "an array that fails": (
        "class A:\n    shape = (4, 4)\n    def __array__(self, *a, **k): raise RuntimeError('no')\nreturn {'r': A()}",
        5,
        "raised RuntimeError: no",
    ),
    "a shape that is no array's": ("class A:\n    shape = (4, 4)\nreturn {'r': A()}", 2, "shape ()"),
    "numbers that fail": (
        "class N:\n    def __float__(self): raise RuntimeError('no')\nreturn {'r': np.full((4, 4), N())}",
        2,
        "r",
    ),
    "exit": (f"raise SystemExit(3)\n{OK}", 3, "raised SystemExit"),
    "a name": (f"y = undefined\n{OK}", 3, "raised NameError"),
    "bool out=": (f"y = np.zeros_like(x)\nnp.add(x, x, out=np.zeros((4, 4), int))\n{OK}", 4, "plain NumPy array"),
    "read-only view": (f"y = np.broadcast_to(x[0], (4, 4))\ny[0, 0] = 1\n{OK}", 4, "raised ValueError"),
    "no dict": ("return x", 2, "must return a dict"),
    "missing result": ("return {}", 2, "does not return r"),
    "unknown result": ("return {'r': x, 'z': x}", 2, "returns 'z'"),
    "wrong shape": ("return {'r': x[0]}", 2, "returns r with shape (4,), the contract says (4, 4)"),
    "a scalar for an array": ("return {'r': 0.0}", 2, "shape ()"),
    "no array": ("return {'r': [[1, 2], [3]]}", 2, "no array"),
}


@pytest.mark.parametrize("name", CASES)
def test_refused_with_file_and_line(tmp_path: Path, name: str) -> None:
    body, line, *fragments = CASES[name]
    _refused(tmp_path, body, line, *fragments)


def test_the_line_is_the_spec_s_own_helper(tmp_path: Path) -> None:
    text = "def helper(x):\n    return np.sort(x)\n\n\ndef spec(x):\n    return {'r': helper(x)}\n"
    with pytest.raises(UnsupportedError, match=r"spec.py:3: np.sort"):
        traced(tmp_path, text, tensor("x", (4,)), tensor("r", (4,), "out"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("def spec(x, y): return {'r': x}\n", r"spec.py:2: spec wants y, .* there are: x"),
        ("def spec(x, r): return {'r': x}\n", r"spec wants r, .* \(it is out\)"),
        ("def spec(x, /): return {'r': x}\n", r"positional only"),
    ],
)
def test_parameters(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        traced(tmp_path, text, tensor("x", (4,)), tensor("r", (4,), "out"))


def test_defaults_and_a_part_of_the_names_are_fine(tmp_path: Path) -> None:
    text = "def spec(x, eps=0.5): return {'r': x + eps}\n"
    traced(tmp_path, text, tensor("x", (4,)), tensor("unused", (2,)), tensor("r", (4,), "out"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = (\n", r"spec.py:2:5: is not Python"),
        ("x = 1\n1 / 0\n", r"spec.py:3: the spec raised ZeroDivisionError"),
        ("import no_such_module_at_all\n", r"spec.py:2: the spec raised ModuleNotFoundError"),
        ("def other(): pass\n", r"spec.py: defines no function spec \(but other\)"),
        ("spec = 3\n", r"is not a Python function"),
    ],
)
def test_files_that_do_not_load(tmp_path: Path, text: str, message: str) -> None:
    reference = written(tmp_path, text)
    with pytest.raises(InputError, match=message):
        load_spec(reference, tmp_path)


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "folder.py").mkdir()
    (tmp_path / "binary.py").write_bytes(b"\x00\xff\x7fELF")
    (tmp_path / "empty.py").write_bytes(b"")
    for reference, message in (
        ("none.py:f", "no such file"), ("folder.py:f", "is a directory"), ("binary.py:f", "is not Python"),
        ("empty.py:f", "defines no function f"), ("nothing", "file.py:function"), ("a.py:1x", "file.py:function"),
    ):  # fmt: skip
        with pytest.raises(InputError, match=message) as caught:
            load_spec(reference, tmp_path)
        assert "\n" not in str(caught.value)


def test_what_a_spec_prints_goes_to_standard_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "print('loading')\ndef spec(x):\n    print(x)\n    return {'r': x}\n"
    traced(tmp_path, text, tensor("x", (4,)), tensor("r", (4,), "out"))
    streams = capsys.readouterr()
    assert streams.out == ""
    assert "<symbolic float64 array of shape (4,)>" in streams.err


def test_a_module_beside_the_spec(tmp_path: Path) -> None:
    for factor in (2.0, 3.0):
        (tmp_path / "spec_helper_module.py").write_text(f"FACTOR = {factor}\n")
        reference = written(tmp_path, "from spec_helper_module import FACTOR\ndef spec(x): return {'r': x * FACTOR}\n")
        conditions = trace(load_spec(reference, tmp_path), launch(tensor("x", (2,)), tensor("r", (2,), "out")))
        assert factor in conditions.graph.constants


def test_a_compiled_copy_of_a_module_beside_the_spec_is_not_trusted(tmp_path: Path) -> None:
    """Python itself takes a copy for current while size and time of the source, in seconds, are the same."""
    for folder in (tmp_path, tmp_path / "package"):
        folder.mkdir(exist_ok=True)
        helper = folder / "spec_helper_module.py"
        helper.write_text("FACTOR = 2.0\n")
        py_compile.compile(str(helper), invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP)
        then = helper.stat().st_mtime
        helper.write_text("FACTOR = 3.0\n")
        os.utime(helper, (then, then))
    (tmp_path / "package" / "__init__.py").write_text("")
    for module in ("spec_helper_module", "package.spec_helper_module"):
        reference = written(tmp_path, f"from {module} import FACTOR\ndef spec(x): return {{'r': x * FACTOR}}\n")
        conditions = trace(load_spec(reference, tmp_path), launch(tensor("x", (2,)), tensor("r", (2,), "out")))
        assert 3.0 in conditions.graph.constants and 2.0 not in conditions.graph.constants


def test_two_specs_at_the_same_time_leave_standard_output_as_it_was(tmp_path: Path) -> None:
    """Combinations of dims are traced in threads. Where the second could begin before the first is over, the one that ends
    last would put back what the other had set."""
    before, path = sys.stdout, sys.path.copy()
    first_in, second_in, first_out = threading.Event(), threading.Event(), threading.Event()

    def first() -> None:
        with running(tmp_path / "a" / "s.py"):
            first_in.set()
            second_in.wait(0.2)  # in vain, as it must be
        first_out.set()

    def second() -> None:
        first_in.wait(10)
        with running(tmp_path / "b" / "s.py"):
            second_in.set()
            first_out.wait(10)

    threads = [threading.Thread(target=work) for work in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sys.stdout is before and sys.path == path


@pytest.mark.parametrize(("never", "sometimes"), [("-x * x - 1", "1 - x"), ("x - x - 1", "x - 1")])
def test_an_operand_that_a_fold_leaves_out_has_a_value_somewhere(never: str, sometimes: str, tmp_path: Path) -> None:
    parts = (tensor("x", (4, 4), dtype="f32"), tensor("r", (4, 4), "out"))
    text = "def spec(x):\n    return {{'r': x + 0 * np.sqrt({})}}\n"
    assert "x ≥ 0 where sqrt x is taken" in traced(tmp_path, text.format(sometimes), *parts).assumptions
    with pytest.raises(UnsupportedError, match=r"spec\.py.*has no value at any of"):
        traced(tmp_path, text.format(never), *parts)
