"""Contracts that name a function of `volta_pipe.spec`: what is refused and where, options, and when `trace` runs again."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from volta_pipe.driver import library, versions
from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.contract_parts import SpecReference
from volta_pipe.driver.pipeline import Options
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ROOT / "tests" / "contracts" / "library"
PROOF = Options(skip=frozenset({"dynamic"}))


def contract(folder: Path, name: str, *changes: tuple[str, str]) -> Path:
    """One of the contracts of tests/contracts/library with changes, its kernel named by its whole path."""
    text = (KERNELS / f"{name}.toml").read_text()
    source = re.search(r'^source = "(.*)"$', text, re.MULTILINE)
    assert source
    for old, new in ((source[1], (KERNELS / source[1]).resolve().as_posix()), *changes):
        assert old in text, old
        text = text.replace(old, new)
    (folder / "volta.toml").write_text(text)
    return folder / "volta.toml"


def refused(path: Path) -> InputError:
    with pytest.raises(InputError) as caught:
        read_contract(path)
    assert "\n" not in str(caught.value)
    return caught.value


def line_of(path: Path, text: str) -> int:
    return next(i for i, line in enumerate(path.read_text().splitlines(), 1) if text in line)


BAD = [
    ("os:system", "no module os"),
    ("volta_pipe.ir.fold:emit", "no module volta_pipe.ir.fold"),
    ("volta_pipe.spec:nothing", "has no function 'nothing' (it has: attention, conv2d"),
    ("volta_pipe.spec:soft_max", "did you mean 'softmax'?"),
    ("volta_pipe.spec.__init__:x", "no module volta_pipe.spec.__init__"),
    ("volta_pipe.spec.rows:softmax", "no module volta_pipe.spec.rows"),
    ("volta_pipe.spec:wide", "has no function 'wide'"),
    ("volta_pipe.spec:__all__", "has no function '__all__'"),
    ("volta_pipe.spec:", "has no function ''"),
    ("volta_pipe.spec.softmax", "must be file.py:function or volta_pipe.spec:function"),
    ("volta_pipe:spec:softmax", "does not exist"),
    ("volta_pipe.spec:os.system", "has no function 'os.system'"),
    (".volta_pipe.spec:softmax", "does not exist"),
    ("volta_pipe..spec:softmax", "does not exist"),
    ("VOLTA_PIPE.SPEC:softmax", "no module VOLTA_PIPE.SPEC"),
]


@pytest.mark.parametrize(("text", "message"), BAD)
def test_what_is_no_function_of_the_library(tmp_path: Path, text: str, message: str) -> None:
    path = contract(tmp_path, "softmax", ("volta_pipe.spec:softmax", text))
    error = refused(path)
    assert message in error.message
    assert (error.place.file, error.place.line, error.place.field) == (str(path), line_of(path, "spec = "), "reference.spec")


def test_nothing_is_imported_to_read_a_contract(tmp_path: Path) -> None:
    (tmp_path / "evil.py").write_text("raise SystemExit('imported')\n")
    path = contract(tmp_path, "softmax", ("volta_pipe.spec:softmax", "evil:softmax"))
    code = f"""
import sys
from volta_pipe.driver.contract import read_contract
from volta_pipe.ir.errors import InputError
read_contract({str(KERNELS / "attention_causal.toml")!r})
try:
    read_contract({str(path)!r})
except InputError as error:
    print("refused", "evil" in sys.modules, "volta_pipe.spec" in sys.modules, "numpy" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", "False", "False", "False"], done.stderr


OPTIONS = [
    ("attention_causal", "causal = true", "causal = 1", "causal", "must be true or false, is 1"),
    ("attention_causal", "causal = true", 'causal = "yes"', "causal", "must be true or false"),
    ("attention_causal", "causal = true", "casual = true", "casual", "did you mean 'causal'? (options: scale, causal)"),
    ("attention_causal", "causal = true", "mask = 1", "mask", "is an array"),
    ("attention_causal", "causal = true", 'scale = "big"', "scale", "must be a finite number"),
    ("attention_causal", "causal = true", "scale = nan", "scale", "must be a finite number"),
    ("attention_causal", "causal = true", "scale = true", "scale", "must be a finite number"),
    ("attention_causal", "causal = true", "q = 1", "q", "is an array"),
    ("softmax_wrong_axis", "axis = 0", "axis = 0.0", "axis", "must be an integer, is 0.0"),
    ("softmax_wrong_axis", "axis = 0", "axis = [0]", "axis", "must be an integer"),
    ("gelu_tanh", 'approximate = "tanh"', 'approximate = "fast"', "approximate", 'must be "none" or "tanh", is \'fast\''),
    ("conv2d_stride", "padding = [1, 1]", "padding = [1, 1, 1]", "padding", "an integer or a list of two"),
    ("conv2d_stride", "padding = [1, 1]", "padding = [1, true]", "padding", "an integer or a list of two"),
    ("conv2d_stride", "stride  = 2", "stride = 2.0", "stride", "an integer or a list of two"),
    ("rms_norm_wrong_eps", "eps = 1e-5",
     "eps = 1e-5\n[scalars.eps]\ndtype = \"f32\"", "eps", "has a tensor or scalar of this name"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "field", "message"), OPTIONS)
def test_options_that_do_not_fit(tmp_path: Path, name: str, old: str, new: str, field: str, message: str) -> None:
    path = contract(tmp_path, name, (old, new))
    error = refused(path)
    assert message in error.message
    wanted = (str(path), line_of(path, new.partition("\n")[0]), f"reference.options.{field}")
    assert (error.place.file, error.place.line, error.place.field) == wanted


def test_options_are_for_the_library_only(tmp_path: Path) -> None:
    (tmp_path / "spec.py").write_text("def attention(q, k, v): return {'o': v}\n")
    path = contract(tmp_path, "attention_causal", ("volta_pipe.spec:attention", "spec.py:attention"))
    error = refused(path)
    assert "only functions of volta_pipe.spec have options" in error.message and error.place.field == "reference.options"


def test_options_reach_the_function(tmp_path: Path) -> None:
    reference = read_contract(contract(tmp_path, "conv2d_stride")).reference
    assert isinstance(reference, SpecReference) and reference.library
    assert reference.options == (("padding", (1, 1)), ("stride", 2))


NAMES = [
    ("softmax", "[tensors.x]", "[tensors.logits]", "tensors.logits", "no parameter for this input (it has: x, axis;"),
    ("layer_norm", "[scalars.eps]", "[scalars.epsilon]", "scalars.epsilon", "did you mean 'eps'?"),
    ("layer_norm", "[tensors.bias]", "[tensors.bais]", "tensors.bais", "did you mean 'bias'?"),
    ("softmax", 'role  = "out"', 'role  = "scratch"', "reference", "no tensor has the role out or inout"),
    ("layer_norm", "[tensors.bias]\ndtype = \"f32\"\nshape = [\"n\"]\nrole  = \"in\"",
     "[tensors.bias]\ndtype = \"f32\"\nshape = [\"n\"]\nrole  = \"inout\"",
     "reference.spec", "has 2 out and inout tensors (bias, y)"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "old", "new", "field", "message"), NAMES)
def test_tensors_that_do_not_fit(tmp_path: Path, name: str, old: str, new: str, field: str, message: str) -> None:
    error = refused(contract(tmp_path, name, (old, new)))
    assert message in error.message and error.place.field == field and error.place.line > 0


def test_a_parameter_that_the_contract_lacks(tmp_path: Path) -> None:
    path = contract(
        tmp_path, "rope", ("[tensors.sin]", "[tensors.skip]"), ('"sin"', '"skip"'), ('role  = "in"', 'role  = "inout"')
    )
    text = path.read_text().replace('role  = "inout"', 'role  = "in"')
    path.write_text(text.replace("[tensors.skip]\n", "[tensors.skip]\nvalues = 0\n"))
    with (
        Store(tmp_path / "store") as store,
        pytest.raises(InputError, match=r"rope \(line \d+ of products.py\) wants sin") as caught,
    ):
        verify(path, store)
    assert caught.value.place.line == line_of(path, "spec = ")


def test_an_error_in_the_library_names_its_line(tmp_path: Path) -> None:
    path = contract(tmp_path, "rope", ('"n", "d//2"]', '"n", "d//2+1"]'))
    with (
        Store(tmp_path / "store") as store,
        pytest.raises(InputError, match="the spec raised ValueError: ") as caught,
    ):
        verify(path, store)
    place = caught.value.place
    assert place.file == str(library.LIBRARY / "products.py")
    assert "u * cos - w * sin" in Path(place.file).read_text().splitlines()[place.line - 1]


def test_an_edit_of_the_library_reruns_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def digest() -> str:
        versions.library_digest.cache_clear()
        return versions.spec_digest(copy / "rows.py")

    copy = tmp_path / "spec"
    copy.mkdir()
    for file in library.library_files():
        (copy / file.name).write_bytes(file.read_bytes())
    monkeypatch.setattr(library, "LIBRARY", copy)
    monkeypatch.setattr(versions, "LIBRARY", copy)
    seen = {digest()}
    for file in library.library_files():
        file.write_text(file.read_text() + "\n# changed\n")
        seen.add(digest())
    assert len(seen) == 1 + len(list(copy.glob("*.py"))) == 5
    own = tmp_path / "own.py"
    own.write_text("from volta_pipe.spec import softmax\n")
    before = versions.spec_digest(own)
    (copy / "pointwise.py").write_text("# emptied\n")
    digest()
    assert versions.spec_digest(own) != before
    versions.library_digest.cache_clear()


def test_trace_runs_again_where_the_digest_or_an_option_is_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def traced(path: Path) -> list[bool]:
        """Whether `trace` was cached."""
        with Store(tmp_path / "store") as store:
            return [s["cached"] for s in verify(path, store, PROOF).document["stages"] if s["name"] == "trace"]

    path = contract(tmp_path, "softmax_wrong_axis")
    assert traced(path) == [False] and traced(path) == [True]
    assert traced(contract(tmp_path, "softmax_wrong_axis", ("axis = 0", "axis = 1"))) == [False]
    assert traced(contract(tmp_path, "softmax_wrong_axis")) == [True]
    monkeypatch.setattr(versions, "library_digest", lambda: "another")
    assert traced(path) == [False]


def test_a_spec_of_the_user_s_can_call_the_library(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("from volta_pipe.spec import softmax\ndef mine(x):\n    return {'y': softmax(x)}\n")
    path = contract(tmp_path, "softmax", ("volta_pipe.spec:softmax", "own.py:mine"), ("[1, 31, 64, 70]", "31"))
    with Store(tmp_path / "store") as store:
        assert verify(path, store).document["verdict"] == "equivalent"


def test_replay_runs_the_library_on_numbers(tmp_path: Path) -> None:
    path = contract(tmp_path, "conv2d_stride")
    arguments = ["replay", str(path), "--store", str(tmp_path / "store")]
    code = "from volta_pipe.driver.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
