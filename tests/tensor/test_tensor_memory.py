"""ldmatrix, stmatrix, movmatrix and wmma: which bytes each lane gets, and matrices that come out right."""

from __future__ import annotations

import numpy as np
import pytest
from tensor_kernels import registers
from unroll_harness import Array, Outcome, run_body, tensor
from vc_evaluate import evaluate

COPY = ".shared .align 128 .b8 sh[2048];"
# Shared memory as it is in x (512 words), 4 bytes at a time.
FILL = """
.reg .b64 %xp; .reg .b32 %sp, %xi, %xv; .reg .pred %more;
mul.wide.u32 %xp, %r50, 4; add.s64 %xp, %xp, %rd_x; mov.u32 %sp, sh; mad.lo.u32 %sp, %r50, 4, %sp; mov.u32 %xi, 0;
Fill: ld.global.b32 %xv, [%xp]; st.shared.b32 [%sp], %xv;
add.s64 %xp, %xp, 128; add.u32 %sp, %sp, 128; add.u32 %xi, %xi, 1; setp.lt.u32 %more, %xi, 16; @%more bra Fill;
bar.sync 0;
"""
ROWS = np.arange(32) % 16 * 5 % 16  # lane i gives the address of this row of 64 bytes


def _halves() -> Array:
    """1,024 different 16-bit numbers as 512 words."""
    return np.random.default_rng(1).permutation(1 << 16)[:1024].astype(np.uint16)


def _addresses(stride: int = 64) -> str:
    return (
        f".reg .b32 %row, %adr; mul.lo.u32 %row, %r50, 5; and.b32 %row, %row, 15; mov.u32 %adr, sh;"
        f"mad.lo.u32 %adr, %row, {stride}, %adr;"
    )


def _stores(count: int) -> str:
    lines = [".reg .b64 %op; mul.wide.u32 %op, %r50, " + str(4 * count) + "; add.s64 %op, %op, %rd_o;"]
    return "\n".join([*lines, *(f"st.global.b32 [%op+{4 * i}], %m{i};" for i in range(count))])


def _halves_of(held: Array) -> Array:
    """uint16 [32, registers, 2] of the values of a u32 tensor."""
    return held.astype(np.uint32).view(np.uint16).reshape(32, -1, 2)


@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_ldmatrix_of_known_halves(count: int, trans: str) -> None:
    x = _halves()
    body = f"{FILL}{_addresses()}.reg .b32 %m<{count}>;"
    body += f"ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {registers('m', count)}, [%adr+16];" + _stores(count)
    tensors = [tensor("x", "u32", 512, "in", x.view(np.uint32)), tensor("o", "u32", (32, count), "out")]
    done = run_body(body, tensors, before=COPY)
    assert done.program.complete and not done.report.findings
    found = _halves_of(done.outputs()["o"].astype(np.uint32))
    memory = x.reshape(32, 32)
    for matrix in range(count):
        eight = memory[ROWS[8 * matrix : 8 * matrix + 8], 8:16]  # 16 bytes into each row
        wanted = eight.T if trans else eight
        np.testing.assert_array_equal(found[:, matrix].reshape(8, 8), wanted)


@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_stmatrix_of_known_halves(count: int, trans: str) -> None:
    """Each matrix goes to eight rows of 16 bytes, which are read back as they lie."""
    x = np.random.default_rng(2).permutation(1 << 16)[: 64 * count].astype(np.uint16)
    loads = f".reg .b32 %m<{count}>; .reg .b64 %xp; mul.wide.u32 %xp, %r50, {4 * count}; add.s64 %xp, %xp, %rd_x;"
    loads += "".join(f"ld.global.b32 %m{i}, [%xp+{4 * i}];" for i in range(count))
    body = loads + ".reg .b32 %adr; mov.u32 %adr, sh; mad.lo.u32 %adr, %r50, 16, %adr;"
    body += f"stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%adr], {registers('m', count)}; bar.sync 0;"
    body += f".reg .b32 %w<{count}>; mov.u32 %adr, sh; mad.lo.u32 %adr, %r50, {4 * count}, %adr;"
    body += "".join(f"ld.shared.b32 %m{i}, [%adr+{4 * i}];" for i in range(count)) + _stores(count)
    tensors = [
        tensor("x", "u32", (32, count), "in", x.view(np.uint32).reshape(32, count)),
        tensor("o", "u32", (32, count), "out"),
    ]
    done = run_body(body, tensors, before=COPY)
    assert done.program.complete and not done.report.findings
    memory = done.outputs()["o"].astype(np.uint32).view(np.uint16).reshape(count, 8, 8)
    held = x.reshape(32, count, 2)
    for matrix in range(count):
        wanted = held[:, matrix].reshape(8, 8)
        np.testing.assert_array_equal(memory[matrix], wanted.T if trans else wanted)


@pytest.mark.parametrize("count", [1, 2, 4])
def test_stmatrix_of_known_bytes(count: int) -> None:
    """16x8 matrices of bytes, each column to 16 bytes that a lane of its own names, in any order. Of the ISA: thread l holds in
    register i the elements (l / 4 + 8 (j / 2), 2 (l % 4) + j % 2) of matrix i, j from the lowest byte on."""
    held = np.random.default_rng(3).integers(0, 256, (32, count, 4)).astype(np.uint8)
    loads = f".reg .b32 %m<{count}>; .reg .b64 %xp; mul.wide.u32 %xp, %r50, {4 * count}; add.s64 %xp, %xp, %rd_x;"
    loads += "".join(f"ld.global.b32 %m{i}, [%xp+{4 * i}];" for i in range(count))
    body = loads + ".reg .b32 %adr, %row; mov.u32 %adr, sh; mul.lo.u32 %row, %r50, 5; and.b32 %row, %row, 31;"
    body += "mad.lo.u32 %adr, %row, 16, %adr;"
    body += f"stmatrix.sync.aligned.m16n8.x{count}.trans.shared.b8 [%adr], {registers('m', count)}; bar.sync 0;"
    body += ".reg .b64 %op; mul.wide.u32 %op, %r50, 16; add.s64 %op, %op, %rd_o; .reg .pred %gives;"
    body += f"setp.lt.u32 %gives, %r50, {8 * count}; @!%gives ret;"
    body += "".join(f"ld.shared.b32 %r1, [%adr+{4 * i}]; st.global.b32 [%op+{4 * i}], %r1;" for i in range(4))
    tensors = [
        tensor("x", "u32", (32, count), "in", held.view(np.uint32).reshape(32, count)),
        tensor("o", "u32", (8 * count, 4), "out"),
    ]
    done = run_body(body, tensors, before=COPY)
    assert done.program.complete and not done.report.findings, done.report.findings
    columns = np.ascontiguousarray(done.outputs()["o"].astype(np.uint32)).view(np.uint8).reshape(count, 8, 16)
    for lane in range(32):
        for i in range(count):
            for j in range(4):
                assert columns[i, 2 * (lane % 4) + j % 2, lane // 4 + 8 * (j // 2)] == held[lane, i, j]


def test_stmatrix_of_symbolic_bytes() -> None:
    """Four e4m3 numbers of a register go to four columns."""
    body = ".reg .b64 %xp; .reg .b32 %adr; mul.wide.u32 %xp, %r50, 4; add.s64 %xp, %xp, %rd_x; ld.global.b32 %r1, [%xp];"
    body += "mov.u32 %adr, sh; and.b32 %r2, %r50, 7; mad.lo.u32 %adr, %r2, 16, %adr;"
    body += "stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%adr], {%r1}; bar.sync 0;"
    body += "mov.u32 %adr, sh; mad.lo.u32 %adr, %r50, 4, %adr; ld.shared.b32 %r3, [%adr];"
    body += "mul.wide.u32 %xp, %r50, 4; add.s64 %xp, %xp, %rd_o; st.global.b32 [%xp], %r3;"
    done = run_body(body, [tensor("x", "e4m3", (32, 4), "in"), tensor("o", "e4m3", (8, 16), "out")], before=COPY)
    assert done.program.complete and not done.report.findings, done.report.findings
    x = np.arange(1.0, 129.0).reshape(32, 4)
    found = evaluate(done.conditions(), {"x": x})["o"].reshape(8, 16)
    for lane in range(32):
        for j in range(4):
            assert found[2 * (lane % 4) + j % 2, lane // 4 + 8 * (j // 2)] == x[lane, j]


def test_movmatrix_of_known_halves() -> None:
    x = _halves()[:64]
    body = ".reg .b32 %m0; .reg .b64 %xp; mul.wide.u32 %xp, %r50, 4; add.s64 %xp, %xp, %rd_x; ld.global.b32 %m0, [%xp];"
    body += "movmatrix.sync.aligned.m8n8.trans.b16 %m0, %m0;" + _stores(1)
    tensors = [tensor("x", "u32", 32, "in", x.view(np.uint32)), tensor("o", "u32", (32, 1), "out")]
    done = run_body(body, tensors)
    found = _halves_of(done.outputs()["o"].astype(np.uint32))
    np.testing.assert_array_equal(found.reshape(8, 8), x.reshape(8, 8).T)


def test_ldmatrix_moves_whole_symbolic_words() -> None:
    """Without .trans a lane's register is four bytes in one place, so a float passes whole."""
    body = f"{FILL}{_addresses()}.reg .b32 %m<4>;"
    body += f"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {registers('m', 4)}, [%adr];" + _stores(4)
    done = run_body(body, [tensor("x", "f32", 512, "in"), tensor("o", "f32", (32, 4), "out")], before=COPY)
    assert done.program.complete and not done.report.findings
    x = np.arange(1.0, 513.0)
    found = evaluate(done.conditions(), {"x": x})["o"].reshape(32, 4)
    for lane in range(32):
        for matrix in range(4):
            assert found[lane, matrix] == x.reshape(32, 16)[ROWS[8 * matrix + lane // 4], lane % 4]


WMMA = [
    ("tf32", "f32", "f32", (16, 16, 8), 4, 4, 8, 8),
    ("f64", "f64", "f64", (8, 8, 4), 1, 1, 2, 2),
    ("bf16", "f32", "f32", (16, 16, 16), 4, 4, 8, 8),
    ("bf16", "f32", "f32", (8, 32, 16), 2, 8, 8, 8),
    ("bf16", "f32", "f32", (32, 8, 16), 8, 2, 8, 8),
    *(
        ("f16", d, c, shape, 8, 8, 8 if c == "f32" else 4, 8 if d == "f32" else 4)
        for shape in ((16, 16, 16), (8, 32, 16), (32, 8, 16))
        for d, c in (("f32", "f32"), ("f16", "f16"), ("f32", "f16"))
    ),
]


def _wmma(
    kind: str,
    d: str,
    c: str,
    shape: tuple[int, int, int],
    counts: tuple[int, int, int, int],
    layouts: str,
    out: str,
    known: dict[str, Array] | None = None,
) -> Outcome:
    """D = A B + C by wmma, each matrix with its leading dimension made 16 bytes or more longer than a row."""
    m, n, k = shape
    first, second = layouts.split(".")
    sizes = {"a": (m, k), "b": (k, n), "c": (m, n), "d": (m, n)}
    orders = {"a": first, "b": second, "c": "row", "d": out}
    kinds = {"a": kind, "b": kind, "c": c, "d": d}
    dtypes = {name: "f32" if x == "tf32" else x for name, x in kinds.items()}
    tensors, strides = [], {}
    for name, (rows, columns) in sizes.items():
        lead = (columns if orders[name] == "row" else rows) + 32
        strides[name] = lead
        step = (lead, 1) if orders[name] == "row" else (1, lead)
        role = "out" if name == "d" else "in"
        tensors.append(tensor(name, dtypes[name], (rows, columns), role, (known or {}).get(name), strides=step))
    lines, words = [], f"m{m}n{n}k{k}"
    for name, count in zip("abcd", counts, strict=True):
        width = 64 if kinds[name] == "f64" else 32
        lines.append(f".reg .b{width} %{name}<{count}>;")
        if name != "d":
            lines.append(
                f"wmma.load.{name}.sync.aligned.{orders[name]}.{words}.global.{kinds[name]} "
                f"{registers(name, count)}, [%rd_{name}], {strides[name]};"
            )
    types = f"{d}.{c}" if kind == "f16" else f"{d}.{kind}.{kind}.{c}"
    operands = ", ".join(registers(name, count) for name, count in zip("dabc", (counts[3], *counts[:3]), strict=True))
    lines.append(f"wmma.mma.sync.aligned.{layouts}.{words}.{types} {operands};")
    lines.append(f"wmma.store.d.sync.aligned.{out}.{words}.global.{d} [%rd_d], {registers('d', counts[3])}, {strides['d']};")
    return run_body("\n".join(lines), tensors)


@pytest.mark.parametrize(("layouts", "out"), [("row.col", "row"), ("col.row", "col"), ("row.row", "row"), ("col.col", "col")])
@pytest.mark.parametrize(("kind", "d", "c", "shape", "in_a", "in_b", "in_c", "in_d"), WMMA, ids=str)
def test_wmma_multiplies(
    kind: str, d: str, c: str, shape: tuple[int, int, int], in_a: int, in_b: int, in_c: int, in_d: int, layouts: str, out: str
) -> None:
    m, n, k = shape
    done = _wmma(kind, d, c, shape, (in_a, in_b, in_c, in_d), layouts, out)
    assert done.program.complete and not done.report.findings
    assert any("wmma fragment" in assumption for assumption in done.program.assumptions)
    a = np.arange(1, m * k + 1.0).reshape(m, k)
    b = np.arange(1000, 1000.0 + k * n).reshape(k, n)
    plus = np.arange(5000, 5000.0 + m * n).reshape(m, n)
    found = evaluate(done.conditions(), {"a": a, "b": b, "c": plus})["d"].reshape(m, n)
    np.testing.assert_array_equal(found, a @ b + plus)


@pytest.mark.parametrize(("shape", "in_a", "in_b"), [((16, 16, 16), 2, 2), ((8, 32, 16), 1, 4), ((32, 8, 16), 4, 1)], ids=str)
def test_wmma_of_known_integers(shape: tuple[int, int, int], in_a: int, in_b: int) -> None:
    m, n, k = shape
    rng = np.random.default_rng(4)
    a, b = rng.integers(-128, 128, (m, k)), rng.integers(-128, 128, (k, n))
    plus = rng.integers(-(10**6), 10**6, (m, n))
    known = {"a": a.astype(np.int8), "b": b.astype(np.int8), "c": plus.astype(np.int32)}
    done = _wmma("s8", "s32", "s32", shape, (in_a, in_b, 8, 8), "row.col", "row", known)
    assert done.program.complete and not done.report.findings
    np.testing.assert_array_equal(done.outputs()["d"], a @ b + plus)


def test_a_fragment_of_the_other_layout_gives_something_else() -> None:
    """What wmma.mma takes for column-major and wmma.load for row-major differs in the registers on a device, and here."""
    text = "wmma.load.a.sync.aligned.row.m16n16k8.global.tf32 {%a0, %a1, %a2, %a3}, [%rd_a];"
    text += "wmma.load.b.sync.aligned.col.m16n16k8.global.tf32 {%b0, %b1, %b2, %b3}, [%rd_b];"
    head = ".reg .b32 %a<4>; .reg .b32 %b<4>; .reg .b32 %c<8>;" + "".join(f"mov.b32 %c{i}, 0;" for i in range(8))
    tail = f" {registers('c', 8)}, {registers('a', 4)}, {registers('b', 4)}, {registers('c', 8)};"
    tail += f"wmma.store.d.sync.aligned.row.m16n16k8.global.f32 [%rd_d], {registers('c', 8)};"
    a, b = np.arange(1.0, 129.0).reshape(16, 8), np.arange(1.0, 129.0)[::-1].reshape(8, 16)
    results = {}
    for layouts in ("row.col", "col.col"):
        body = f"{head}{text}wmma.mma.sync.aligned.{layouts}.m16n16k8.f32.tf32.tf32.f32{tail}"
        tensors = [tensor("a", "f32", (16, 8), "in"), tensor("b", "f32", (8, 16), "in", strides=(1, 8))]
        done = run_body(body, [*tensors, tensor("d", "f32", (16, 16), "out")])
        assert done.program.complete and not done.report.findings
        results[layouts] = evaluate(done.conditions(), {"a": a, "b": b})["d"].reshape(16, 16)
    np.testing.assert_array_equal(results["row.col"], a @ b)
    assert not (results["col.col"] == a @ b).all()
