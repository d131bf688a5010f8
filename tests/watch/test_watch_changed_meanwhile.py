"""A file that changes while it is verified: an error, and nothing that the store would give for the old contents."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from watch_project import FACTOR, SPEC, Folder

from volta_pipe.driver.options import run_options
from volta_pipe.driver.pipeline import Watch
from volta_pipe.driver.session import verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError


class Editing(Watch):
    """Edits a file when a stage is about to be computed: its key is made by then."""

    def __init__(self, stage: str, edit: Callable[[], None]) -> None:
        self.stage, self.edit, self.done = stage, edit, False

    def start(self, side: str, dims: Mapping[str, int], stage: str) -> None:
        if stage == self.stage and not self.done:
            self.done = True
            self.edit()


# The stage, the file that is named, what is edited, and what that becomes.
CASES: dict[str, tuple[str, str, str, Callable[[str], str]]] = {
    "PTX": (
        "lower",
        "k.ptx",
        "k.ptx",
        lambda t: t.replace("fma.rn.f32 \t%f4, %f2, %f1, %f3;", "mul.rn.f32 \t%f4, %f2, %f1;", 1),
    ),
    "PTX, broken": ("lower", "k.ptx", "k.ptx", lambda t: t[:900]),
    "spec": ("trace", "spec.py", "spec.py", lambda t: t.replace("3", "4")),
    "module": ("trace", "spec.py", "factor.py", lambda t: t.replace("1", "2")),
    "spec of a run": ("dynamic", "spec.py", "spec.py", lambda t: t.replace("3", "4")),
    "values": ("unroll", "x.npy", "", str),
    "values, later": ("vc", "x.npy", "", str),
}


@pytest.mark.parametrize("case", CASES)
def test_an_edit_in_the_middle_is_an_error_and_leaves_nothing_behind(folder: Folder, case: str) -> None:
    stage, named, name, change = CASES[case]
    texts = {"k.ptx": folder.ptx_text, "spec.py": SPEC, "factor.py": FACTOR}

    def edit() -> None:
        if name:
            assert change(texts[name]) != texts[name]
            folder.write(name, change(texts[name]))
        else:
            folder.values_at_once(4)

    def revert() -> None:
        if name:
            folder.write(name, texts[name])
        else:
            folder.values(3)

    options = run_options(skip=[] if stage == "dynamic" else ["dynamic"])

    def verdict(watch: Watch | None = None) -> str:
        with Store(folder.path / "store") as store:
            return str(verify(folder.contract, store, options, watch=watch).document["verdict"])

    watch = Editing(stage, edit)
    with pytest.raises(InputError, match="changed while it was being verified") as error:
        verdict(watch)
    assert watch.done and Path(error.value.place.file).name == named
    revert()
    assert verdict() == "equivalent"
    edit()
    if "broken" not in case:
        assert verdict() == "not-equivalent"
        revert()
        assert verdict() == "equivalent"
