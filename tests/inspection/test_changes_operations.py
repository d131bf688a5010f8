"""Which operations of two modules correspond: after another unrolling of a loop, and after small edits."""

from __future__ import annotations

from collections import Counter

import pytest

from volta_pipe.driver.changes.operations import Item, operation_changes
from volta_pipe.passes.lower import lower, print_module

_HEAD = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 x, .param .u64 y)
{
.reg .pred %p<2>; .reg .b32 %r<4>; .reg .f32 %f<20>; .reg .b64 %rd<4>;
ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, 16; mov.f32 %f1, 0f00000000;
"""


def module(factor: int, *, step: str = "add", more: str = "") -> str:
    """The sum of 16 elements by a loop that was unrolled `factor` times."""
    loads = "".join(f"ld.global.f32 %f{k + 2}, [%rd1+{4 * k}]; {step}.f32 %f1, %f1, %f{k + 2};\n" for k in range(factor))
    loop = (
        f"L: {loads}{more}add.s64 %rd1, %rd1, {4 * factor}; sub.s32 %r1, %r1, {factor}; setp.ne.s32 %p1, %r1, 0; @%p1 bra L;\n"
    )
    text = f"{_HEAD}{loop}st.global.f32 [%rd2], %f1;\nret;\n}}\n"
    return print_module(lower(text, "k.ptx", "k").module)


def mnemonic(item: Item | None) -> str:
    return "" if item is None else item.text.split(" = ")[-1].split(" ")[0]


@pytest.mark.parametrize(("before", "after"), [(2, 4), (4, 2), (1, 8), (16, 3)])
def test_another_unrolling_pairs_nothing_unrelated(before: int, after: int) -> None:
    found = operation_changes(module(before), module(after))
    both = [(mnemonic(old), mnemonic(new)) for old, new in found.pairs if old is not None and new is not None]
    assert all(old == new for old, new in both), both
    added = Counter(mnemonic(new) for old, new in found.pairs if old is None)
    removed = Counter(mnemonic(old) for old, new in found.pairs if new is None)
    moved = added & removed  # the step of the counter has another place in a longer chain
    assert moved <= Counter({"ptx.sub": 1})
    more = Counter({"ptx.ld": after - before, "ptx.add": after - before})
    assert (added - moved, removed - moved) == (+more, -more)


@pytest.mark.parametrize(("before", "after"), [(2, 4), (4, 2), (1, 8), (3, 3)])
def test_changes_are_in_the_order_of_both_kernels(before: int, after: int) -> None:
    found = operation_changes(module(before), module(after, step="mul", more="membar.gl;\n"))
    for side, listing in ((0, found.old), (1, found.new)):
        places = [listing.items.index(item) for pair in found.pairs if (item := pair[side]) is not None]
        assert places and places == sorted(places)
    assert found.count == len([*found.removed, *found.current])  # no block has another head


def test_one_operation_is_another_one() -> None:
    found = operation_changes(module(4), module(4).replace('ptx.sub "s32"', 'ptx.add "s32"'))
    assert [(mnemonic(old), mnemonic(new)) for old, new in found.pairs] == [("ptx.sub", "ptx.add")]
    assert found.count == 1


def test_nothing_differs() -> None:
    found = operation_changes(module(4), module(4))
    assert found.pairs == () and found.head == () and found.count == 0


@pytest.mark.parametrize(
    ("operation", "same"),
    [
        ('add "s32"', True), ('mad "lo.s32"', True), ('fma "rn.f32"', True), ('sad "u32"', True), ('setp "eq.s32"', True),
        ('sub "s32"', False), ('setp "lt.s32"', False), ('add "f64"', False), ('shl "b32"', False),
    ],
)  # fmt: skip
def test_operands_that_may_change_places(operation: str, same: bool) -> None:
    """As `lower` has it: of doubles they may not, as one of the operands gives the bits of a NaN."""
    ways = [
        f"""builtin.module {{
  ptx.kernel @k {{
    %0 = ptx.special "tid.x" : i32
    %1 = ptx.special "ctaid.x" : i32
    %2 = ptx.special "ctaid.y" : i32
    %3 = ptx.{operation} {operands} : (i32, i32, i32) -> i32
  }}
}}"""
        for operands in ("%0, %1, %2", "%1, %0, %2")
    ]
    assert operation_changes(*ways).count == int(not same)
