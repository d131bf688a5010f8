"""Variables in messages: called as in the source, also where the source calls one like the memory that it is in."""

from __future__ import annotations

from pathlib import Path

import pytest
from driver_commands import Commands

from volta_pipe.driver.findings import as_in_source, source_names

# Thread t writes shared[t] and reads shared[t + 1], or shared[0] for the last, without a barrier between.
PTX = """.version 8.0
.target sm_80
.address_size 64
.extern .shared .align 4 .b8 shared[];
.visible .entry k(.param .u64 py) {
  .reg .b32 %t, %r, %i, %v; .reg .b64 %y, %o;
  ld.param.u64 %y, [py];
  mov.u32 %t, %tid.x;
  mov.u32 %r, shared;
  shl.b32 %i, %t, 2;
  add.s32 %i, %i, %r;
  st.shared.u32 [%i], %t;
  add.s32 %v, %t, 1;
  and.b32 %v, %v, 63;
  shl.b32 %v, %v, 2;
  add.s32 %v, %v, %r;
  ld.shared.u32 %t, [%v];
  sub.s32 %i, %i, %r;
  cvt.u64.u32 %o, %i;
  add.s64 %y, %y, %o;
  st.global.u32 [%y], %t;
  ret;
}
"""
TOML = """[tensors.y]
dtype = "u32"
shape = [64]
role = "out"
[candidate]
source = "k.ptx"
entry = "k"
grid = [1]
block = [64]
shared = 256
args = ["y"]
"""


def test_a_variable_called_shared_doubles_no_word(tmp_path: Path, real: Commands) -> None:
    (tmp_path / "k.ptx").write_text(PTX)
    contract = tmp_path / "volta.toml"
    contract.write_text(TOML)
    texts = []
    for arguments in (["explain", contract], ["inspect", "check", "--contract", contract]):
        assert real(*map(str, arguments)) in (0, 1), real.err
        texts.append(real.out)
    for options in (["--thread", "3"], ["--rows", "0:5"], []):
        assert real("inspect", "unroll", "--contract", str(contract), *options) == 0, real.err
        texts.append(real.out)
    assert not any("shared shared" in text or "memory shared" in text for text in texts)
    assert "hit shared+" in texts[0] and " in shared memory with nothing to order them" in texts[0]
    assert " at shared[" in texts[0] and " in shared memory, byte " in texts[0]
    assert "write shared+12 %" in texts[2]
    assert "  shared memory: 256 bytes" in texts[4]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("reads shared memory _ZZ1kvE6shared[1, 2], which", "reads shared[1,2] in shared memory, which"),
        ("reads shared memory shared-4", "reads shared-4 in shared memory"),
        ("hit shared memory _ZZ22reduce_missing_barrierE4part+256 with", "hit shared memory part+256 with"),
        ("hit shared memory shared_tile+4", "hit shared memory shared_tile+4"),
        ("shared memory holds nothing", "shared memory holds nothing"),
    ],
)
def test_messages_are_as_in_the_source(text: str, wanted: str) -> None:
    assert as_in_source(text) == wanted


def test_two_variables_of_one_name_keep_their_symbols() -> None:
    symbols = ["_ZZ1kvE1s", "_ZZ1kvE1s_0", "_ZZ1kvE4tile", "table"]
    found = source_names(symbols)
    assert found == {**dict(zip(symbols[:2], symbols[:2], strict=True)), "_ZZ1kvE4tile": "tile", "table": "table"}
