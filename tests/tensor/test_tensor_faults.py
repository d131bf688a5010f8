"""What a matrix instruction must not be given: warps that are not whole, bytes of others, registers without a value."""

from __future__ import annotations

import pytest
from tensor_kernels import product, registers
from unroll_harness import Outcome, kernel, launch_of, run, run_body, tensor

from volta_pipe.ir.errors import UnsupportedError

SHARED = ".shared .align 128 .b8 sh[512];"
MMA = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%b0,%b1}, {%c0,%c1,%c2,%c3};"
DECLARE = ".reg .b32 %a<4>; .reg .b32 %b<2>; .reg .f32 %c<4>; .reg .f32 %d<4>;"
ONES = [f"mov.b32 %{name};" for name in (*(f"a{i}, 0f3f800000" for i in range(4)), "b0, 0f40000000", "b1, 0f40400000")]
ZEROS = [f"mov.f32 %c{i}, 0f00000000;" for i in range(4)]
STORE = ".reg .b64 %op; mul.wide.u32 %op, %r50, 16; add.s64 %op, %op, %rd_o;"


def _product(before: str = "", lines: list[str] | None = None, stored: str = "0123", block: int = 32) -> Outcome:
    code = [DECLARE, *(ONES + ZEROS if lines is None else lines), before, MMA, STORE]
    code += [f"st.global.f32 [%op+{4 * int(i)}], %d{i};" for i in stored]
    return run_body("\n".join(code), [tensor("o", "f32", (block, 4), "inout")], block)


def test_constants_make_a_constant_product() -> None:
    done = _product()
    assert not done.report.findings
    assert (done.outputs()["o"] == 4 * 2 + 4 * 3).all()


@pytest.mark.parametrize(
    ("without", "clean", "bad"),
    [("%a1,", "01", "2"), ("%a0,", "23", "0"), ("%b0,", "", "0"), ("%c2,", "013", "2")],
)
def test_uninitialised_registers_reach_what_depends_on_them(without: str, clean: str, bad: str) -> None:
    """%a1 holds rows 8 to 15 of A, %a0 rows 0 to 7, each lane's b0 is in every column's sum, %c2 is one element."""
    lines = [line for line in ONES + ZEROS if without not in line]
    assert len(lines) == len(ONES + ZEROS) - 1
    if clean:
        done = _product(lines=lines, stored=clean)
        assert done.program.complete and not done.report.findings
        assert (done.outputs()["o"][:, [int(i) for i in clean]] == 20).all()
    assert _product(lines=lines, stored=bad).kinds == ["uninitialized-read"]


def test_one_lane_without_a_value_spoils_its_row_alone() -> None:
    """Lane 5 holds A[1, 1]: results of row 1 are with lanes 4 to 7."""
    lines = [line for line in ONES + ZEROS if "%a0," not in line]
    lines += [".reg .pred %mine; setp.ne.u32 %mine, %r50, 5; @%mine mov.b32 %a0, 0f3f800000;"]
    guarded = ".reg .pred %out; shr.u32 %r1, %r50, 2; setp.ne.u32 %out, %r1, 1;"
    body = "\n".join([DECLARE, *lines, MMA, STORE, guarded, "@%out st.global.f32 [%op], %d0;"])
    assert not run_body(body, [tensor("o", "f32", (32, 4), "inout")]).report.findings
    body = "\n".join([DECLARE, *lines, MMA, STORE, guarded, "@!%out st.global.f32 [%op], %d0;"])
    assert run_body(body, [tensor("o", "f32", (32, 4), "inout")]).kinds == ["uninitialized-read"]


def test_a_warp_must_be_whole() -> None:
    assert _product(block=48).kinds == ["barrier-divergence"]
    assert _product(block=64).kinds == []
    leave = ".reg .pred %go; setp.eq.u32 %go, %r50, 7; @%go ret;"
    assert _product(leave).kinds == ["barrier-divergence"]
    whole = ".reg .pred %go; setp.ge.u32 %go, %r50, 32; @%go ret;"
    assert _product(whole, block=64).kinds == []


def test_lanes_that_go_apart_wait_for_ever() -> None:
    """Each half of the warp meets a product of its own."""
    split = f".reg .pred %go; setp.lt.u32 %go, %r50, 16; @%go bra Low; {MMA} bra.uni Done; Low: {MMA} Done:"
    assert "deadlock" in _product(split).kinds


def test_a_guard_that_all_lanes_share() -> None:
    def guarded(condition: str) -> Outcome:
        return _product(f".reg .pred %go; {condition} @%go bra Over; bra.uni Past; Over: {MMA} Past:")

    assert guarded("setp.lt.u32 %go, %r50, 99;").kinds == []
    text = f"{DECLARE}{''.join(ONES + ZEROS)}.reg .pred %go; setp.lt.u32 %go, %r50, 99; @%go {MMA} {STORE}"
    done = run_body(text + "st.global.f32 [%op], %d0;", [tensor("o", "f32", (32, 4), "inout")])
    assert not done.report.findings and (done.outputs()["o"][:, 0] == 20).all()


def test_saturating_products_of_integers_that_are_not_known_are_refused() -> None:
    """What saturates is no sum modulo 2^32."""
    kinds = ("s32", "s8", "s8", "s32")
    for words in ("", ".satfinite"):
        done = product((16, 8, 16), kinds, (4, 8, 4, 4), words)
        assert done.program.complete and not done.report.findings
        if not words:
            assert done.conditions().outputs
            continue
        with pytest.raises(UnsupportedError, match="integer work on a symbolic value"):
            done.conditions()


def test_products_order_shared_memory_where_the_contract_says_so() -> None:
    """The paper's model: a store before a product, and a load of another lane's word behind it."""
    before = FILL + ".reg .b32 %xor; xor.b32 %xor, %at, 16;"
    text = f"{DECLARE}{''.join(ONES + ZEROS)}{before}{MMA}{STORE} ld.shared.b32 %r1, [%xor]; st.global.b32 [%op], %r1;"
    o = tensor("o", "u32", (32, 4), "inout")
    assert set(run_body(text, [o], before=SHARED).kinds) == {"race"}
    assert run_body(text, [o], before=SHARED, warp_collectives_order_memory=True).kinds == []


LOAD = ".reg .b32 %m<4>; .reg .b32 %adr; mov.u32 %adr, sh; mad.lo.u32 %adr, %r50, 16, %adr;"
FILL = ".reg .b32 %at; mov.u32 %at, sh; mad.lo.u32 %at, %r50, 16, %at;" + "".join(
    f"st.shared.b32 [%at+{4 * i}], %r50;" for i in range(4)
)


def _ldmatrix(text: str, block: int = 32) -> Outcome:
    body = f"{text} {STORE} st.global.b32 [%op], %m0;"
    return run_body(body, [tensor("o", "u32", (block, 4), "inout")], block, before=SHARED)


def test_ldmatrix_reads_rows_of_other_lanes() -> None:
    """Without a barrier it races with their stores; a barrier of the warp is enough."""
    load = f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {registers('m', 4)}, [%adr];"
    assert set(_ldmatrix(FILL + LOAD + load).kinds) == {"race"}
    assert _ldmatrix(FILL + "bar.warp.sync -1;" + LOAD + load).kinds == []
    assert _ldmatrix(FILL + "bar.sync 0;" + LOAD + load).kinds == []


def test_a_race_on_the_last_bytes_of_a_tile() -> None:
    """Another warp writes the last two bytes of the 512 while this one reads them; four bytes further nobody reads."""
    load = f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {registers('m', 4)}, [%adr];"
    own = ".reg .pred %w; setp.ge.u32 %w, %r50, 32; @%w bra Other;" + FILL + "bar.warp.sync -1;" + LOAD + load
    own += "bra.uni Done; Other: .reg .pred %one; setp.ne.u32 %one, %r50, 32; @%one bra Done; .reg .b16 %h; mov.u16 %h, 7;"

    big = ".shared .align 128 .b8 sh[1024];"

    def with_write(offset: int, x: int) -> Outcome:
        text = own.replace(".x4.", f".x{x}.").replace(registers("m", 4), registers("m", x))
        return run_body(f"{text} .reg .b32 %s; mov.u32 %s, sh; st.shared.u16 [%s+{offset}], %h; Done:", [], 64, before=big)

    assert "race" in with_write(510, 4).kinds
    assert with_write(512, 4).kinds == []
    found = with_write(510, 4).report.findings
    assert {access.action for finding in found for access in finding.accesses} >= {"read", "write"}


def test_ldmatrix_stays_in_bounds_and_aligned() -> None:
    load = f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {registers('m', 4)}"
    fill = FILL + "bar.sync 0;" + LOAD
    assert "out-of-bounds" in _ldmatrix(f"{fill}{load}, [%adr+16];").kinds
    done = _ldmatrix(f"{fill}{load}, [%adr+8];")
    assert "misaligned" in done.kinds
    # Lanes beyond the addresses of .x1 need none.
    odd = ".reg .pred %hi; setp.gt.u32 %hi, %r50, 7; @%hi mov.u32 %adr, 12345;"
    assert _ldmatrix(f"{fill}{odd}ldmatrix.sync.aligned.m8n8.x1.shared.b16 {{%m0}}, [%adr];").kinds == []


def test_stmatrix_writes_each_byte_once() -> None:
    store = "stmatrix.sync.aligned.m8n8.x4.shared.b16 [%adr], {%m0,%m1,%m2,%m3};"
    fill = LOAD + "".join(f"mov.u32 %m{i}, %r50;" for i in range(4))
    assert _ldmatrix(fill + store).kinds == []
    overlapping = fill.replace("mad.lo.u32 %adr, %r50, 16, %adr;", "and.b32 %r2, %r50, 15; mad.lo.u32 %adr, %r2, 16, %adr;")
    assert "race" in _ldmatrix(overlapping + store).kinds


WMMA = ".reg .b32 %a<4>; wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%a0,%a1,%a2,%a3}"


def test_wmma_needs_one_address_and_aligned_rows() -> None:
    x = tensor("x", "f32", (16, 64), "in")
    out = ".reg .b64 %op; mul.wide.u32 %op, %r50, 4; add.s64 %op, %op, %rd_o; st.global.b32 [%op], %a0;"

    def loaded(address: str, stride: str) -> list[str]:
        text = f".reg .b64 %q; mov.u64 %q, %rd_x; {address} {WMMA}, [%q]{stride}; {out}"
        return run_body(text, [x, tensor("o", "f32", 32, "out")]).kinds

    assert loaded("", ", 64") == []
    assert loaded("", "") == []
    assert "misaligned" in loaded("add.s64 %q, %q, 4;", ", 64")
    assert "misaligned" in loaded("", ", 62")
    assert "unsupported-instruction" in loaded("mul.wide.u32 %rd1, %r50, 16; add.s64 %q, %q, %rd1;", ", 64")
    assert "out-of-bounds" in loaded("add.s64 %q, %q, 256;", ", 64")
    assert loaded("add.s64 %q, %q, 224;", ", 64") == []


def test_wmma_store_of_overlapping_rows() -> None:
    zeros = "".join(f"mov.b32 %c{i}, 0;" for i in range(8))

    def stored(stride: int) -> list[str]:
        store = f"wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd_x], {registers('c', 8)}, {stride};"
        text = f".reg .b32 %c<8>; {zeros} {store}"
        return run_body(text, [tensor("x", "f32", (16, 16), "inout")]).kinds

    assert stored(16) == []
    assert stored(8) == ["race"]


REFUSED = [
    "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2}, {%b0,%b1}, {%c0,%c1,%c2,%c3};",
    "mma.sync.aligned.m16n8k8.row.row.f32.tf32.tf32.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%b0,%b1}, {%c0,%c1,%c2,%c3};",
    "mma.sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%b0,%b1}, {%c0,%c1,%c2,%c3};",
    "mma.sync.m16n8k8.row.col.f32.tf32.tf32.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1,%a2,%a3}, {%b0,%b1}, {%c0,%c1,%c2,%c3};",
    "mma.sync.aligned.m16n8k8.row.col.f32.f16.bf16.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1}, {%b0}, {%c0,%c1,%c2,%c3};",
    "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1}, {%b0,%b1}, {%c0,%c1,%c2,%c3}, %a2, 0;",
    "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%a0}, [%rd1];",
    "ldmatrix.sync.aligned.m8n8.x2.x4.shared.b16 {%a0,%a1}, [%rd1];",
    "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%a0,%a1}, [%rd1];",
    "ldmatrix.sync.aligned.m8n8.x1.global.b16 {%a0}, [%rd1];",
    "wmma.load.d.sync.aligned.row.m16n16k8.f32 {%a0,%a1,%a2,%a3}, [%rd1];",
    "wmma.load.a.sync.aligned.row.m16n16k16.tf32 {%a0,%a1,%a2,%a3}, [%rd1];",
    "wmma.mma.sync.aligned.row.col.m16n16k8.f32.f32 {%d0,%d1,%d2,%d3}, {%a0,%a1}, {%b0,%b1}, {%c0,%c1,%c2,%c3};",
]


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_no_such_instruction_is_refused_at_its_place(text: str) -> None:
    outcome = run_body(DECLARE + "\n" + text, [tensor("o", "f32", 1, "inout")])
    (event,) = outcome.program.events
    assert event.kind == "unsupported-instruction" and not outcome.program.complete
    assert outcome.line(event.instruction) == 1 + kernel(DECLARE + "\n" + text, ["o"]).split(text)[0].count("\n")


def test_the_same_program_every_time() -> None:
    text = kernel(f"{DECLARE}{''.join(ONES + ZEROS)}{MMA}{STORE} st.global.f32 [%op], %d0;", ["o"])
    launch = launch_of([tensor("o", "f32", (64, 4), "inout")], 32, 2)
    encoded = [b"".join(bytes(part) for part in run(text, launch).program.encode()) for _ in range(2)]
    assert encoded[0] == encoded[1]
