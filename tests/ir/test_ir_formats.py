"""The column format, the validation of graphs, and the consistency of the instruction table."""

# PTX reads best with one case a line.
# ruff: noqa: E501
from __future__ import annotations

import re
import struct
from dataclasses import replace

import msgpack
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from volta_pipe.ir import columns
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.graph import FIXED, Conditions, Graph, validate
from volta_pipe.ir.instructions import FORMS, TYPE_WIDTH, Op, find_form, is_known
from volta_pipe.ir.lines import LineTable
from volta_pipe.ir.nodes import ARITY, Node

COLUMNS = {"a": np.arange(7, dtype=np.int32), "b": np.zeros((2, 3)), "c": np.zeros(0, np.uint64), "d": np.array([True, False])}
META = {"name": "x", "list": [1, 2, 3], "nested": {"k": None}}


def joined(kind: str = "k", version: int = 1) -> bytes:
    return b"".join(bytes(chunk) for chunk in columns.encode(kind, version, META, COLUMNS))


def test_round_trip_and_alignment() -> None:
    meta, found = columns.decode(joined(), "k", 1)
    assert meta == META and list(found) == list(COLUMNS)
    for name, column in COLUMNS.items():
        assert np.array_equal(found[name], column) and found[name].shape == column.shape
    assert len(joined()) % columns.ALIGN == 0
    assert joined() == joined()


def header_of(data: bytes) -> tuple[dict, int]:  # type: ignore[type-arg]
    (length,) = struct.unpack("<Q", data[16:24])
    return msgpack.unpackb(data[24 : 24 + length]), length


def with_header(header: object) -> bytes:
    packed = msgpack.packb(header)
    head = columns.MAGIC + struct.pack("<Q", len(packed)) + packed
    return head + bytes(-len(head) % 64) + bytes(256)


BAD_ENTRIES = [
    ["a", "<i4", [7]], ["a", "<i4", [7], -64], ["a", "<i4", [7], 1], ["a", "<i4", [-1], 0], ["a", "<i4", [1 << 60], 0], ["a", "|O", [1], 0],
    ["a", "<i4", 7, 0], [1, "<i4", [7], 0], ["a", "<i4", [1 << 20], 0], ["a", "<i4", [7], 1 << 62], ["a", "<i4", [7.5], 0], ["a", "<i4", [True], 0], "a", None, ["a", ["<i4"], [1], 0],
]  # fmt: skip


@pytest.mark.parametrize("entry", BAD_ENTRIES, ids=str)
def test_a_bad_column_table_is_an_artifact_error(entry: object) -> None:
    with pytest.raises(ArtifactError):
        columns.decode(with_header({"kind": "k", "version": 1, "meta": {}, "columns": [entry]}), "k", 1)


@pytest.mark.parametrize(
    "header",
    [
        1,
        [],
        {},
        {"kind": "k", "version": 1, "meta": [], "columns": []},
        {"kind": "z", "version": 1, "meta": {}, "columns": []},
        {"kind": "k", "version": 2, "meta": {}, "columns": []},
    ],
)
def test_a_bad_header_is_an_artifact_error(header: object) -> None:
    with pytest.raises(ArtifactError):
        columns.decode(with_header(header), "k", 1)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damage_is_an_artifact_error_or_harmless(data: st.DataObject) -> None:
    content = bytearray(joined())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(content)))
    for damaged in (bytes(content), bytes(content[:cut])):
        try:
            columns.decode(damaged, "k", 1)
        except ArtifactError:
            continue


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_line_tables_of_garbage(data: bytes) -> None:
    try:
        LineTable.decode(data)
    except ArtifactError:
        return


def test_dtypes_that_the_format_does_not_hold() -> None:
    with pytest.raises(ArtifactError):
        columns.encode("k", 1, {}, {"a": np.array(["text"])})


def graph() -> Graph:
    """The fixed nodes, a leaf, and leaf + 1."""
    op = np.array([0, 1, 1, 1, 1, 1, Node.LEAF, Node.ADD], np.uint8)
    a = np.array([0, 0, 1, 2, 3, 4, 0, 6], np.int32)
    b = np.array([0, 0, 0, 0, 0, 0, 3, 2], np.int32)
    return Graph(op, a, b, np.zeros(8, np.int32), np.array([0.0, 1.0, -np.inf, np.inf, np.nan]))


def test_conditions_round_trip() -> None:
    made = Conditions(graph(), {1: np.array([7, 0, 6], np.int32)}, ("x", "y"), ("s",), ("assumed",))
    found = Conditions.decode(b"".join(bytes(chunk) for chunk in made.encode()))
    assert np.array_equal(found.outputs[1], [7, 0, 6]) and found.tensors == ("x", "y")
    assert found.assumptions == ("assumed",) and found.tensor_types == ()


def test_conditions_keep_dtypes() -> None:
    made = Conditions(graph(), {1: np.array([7, 0, 6], np.int32)}, ("x", "y"), ("s",), (), ("u8", "f32"), ("s64",))
    found = Conditions.decode(b"".join(bytes(chunk) for chunk in made.encode()))
    assert (found.tensor_types, found.scalar_types) == (("u8", "f32"), ("s64",))
    for types in (("u8",), ("u8", "f33")):
        with pytest.raises(ArtifactError):
            Conditions.decode(b"".join(bytes(chunk) for chunk in replace(made, tensor_types=types).encode()))


def test_damaged_graphs() -> None:
    good = graph()
    validate(good, [np.array([7], np.int32)])
    changed = good.a.copy()
    changed[7] = 7
    negative = good.b.copy()
    negative[7] = -1
    constant = good.a.copy()
    constant[1] = 5
    bad = [
        (replace(good, a=changed), []),
        (replace(good, b=negative), []),
        (replace(good, a=constant), []),
        (replace(good, a=good.a.astype(np.int64)), []),
        (replace(good, c=good.c[:-1]), []),
        (replace(good, constants=good.constants.astype(np.float32)), []),
        (replace(good, op=good.op[: FIXED - 1], a=good.a[: FIXED - 1], b=good.b[: FIXED - 1], c=good.c[: FIXED - 1]), []),
        (good, [np.array([8], np.int32)]),
        (good, [np.array([-1], np.int32)]),
        (good, [np.array([1], np.int64)]),
    ]
    for one, roots in bad:
        with pytest.raises(ArtifactError):
            validate(one, roots)


@pytest.mark.parametrize("code", [250, 2, 5, *(int(n) for n in (Node.PART, Node.NARROW, Node.SIGNED, Node.SIGNS, Node.MASK))])
def test_operators_that_an_artifact_may_not_hold(code: int) -> None:
    """A code that is no operator, a leaf of a tensor that is not there, and what only lives inside vc."""
    good = graph()
    op, a = good.op.copy(), good.a.copy()
    op[6], a[6] = code, 77
    if code >= Node.PART and code < 250:
        a[6] = 1
    made = Conditions(replace(good, op=op, a=a), {0: np.array([7], np.int32)}, ("x",), (), ())
    with pytest.raises(ArtifactError):
        Conditions.decode(b"".join(bytes(chunk) for chunk in made.encode()))


# --- the instruction table ----------------------------------------------------------------------------------------------


def test_each_form_is_found_by_its_own_words() -> None:
    for form in FORMS:
        for first in form.types or ("",):
            types = [first] * 2 if first else []
            assert find_form(form.mnemonic, sorted(form.required), types) is form, (form.mnemonic, first)
            assert find_form(form.mnemonic, [*sorted(form.required), "nonsense"], types) is None
        assert is_known(form.mnemonic)


def test_no_two_forms_take_the_same_instruction() -> None:
    for k, one in enumerate(FORMS):
        for other in FORMS[k + 1 :]:
            if one.mnemonic != other.mnemonic or not (set(one.types) & set(other.types) or one.types == other.types == ()):
                continue
            common = (one.required | other.required) <= (one.required | one.optional) & (other.required | other.optional)
            assert not common, (one, other)


def test_the_form_of_the_table() -> None:
    for form in FORMS:
        assert re.fullmatch(r"9\.7(\.\d+)+", form.section), form
        assert set(form.types) <= set(TYPE_WIDTH), form
        assert not form.required & form.optional, form
        assert (form.op is Op.VALUE) == (form.node is not Node.NONE), form
        for signature in form.signatures:
            results, operands = signature.split("=")
            for part in (results, operands):
                assert set(part.split(",") if part else ()) <= set("TWUXHQVALufpx*"), form
            if form.node is not Node.NONE:
                three = form.node in (Node.MIN, Node.MAX) and operands.count(",") == 2
                assert three or ARITY[form.node] == len(operands.split(",")), form


def test_codes_are_unique() -> None:
    assert len({int(op) for op in Op}) == len(Op.__members__)
    assert len({int(node) for node in Node}) == len(Node.__members__)
    assert set(ARITY) == set(Node)
