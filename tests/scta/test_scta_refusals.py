"""Broken modules: for each kind of operation some, each refused with what is wrong and the line where it stands."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.modules import print_generic
from volta_pipe.ir.scta import ROW_OPS, SCTA, TABLE_OPS, parse_module, program_of

MODULE = (Path(__file__).parent / "scta_module.mlir").read_text()

# What is replaced in the first line that has it, by what, and what is said.
BROKEN = [
    # scta.program
    ("threads = 32", "threads = 0", "scta.program: threads is 0, which is not in 1..1024"),
    ("threads = 32", "threads = 64", "scta.program: a block of [8, 4, 1] does not have 64 threads"),
    ("8, 4, 1", "8, 4", "scta.program: a block of [8, 4] does not have 32 threads"),
    ("registers = 10", "registers = 6", "scta.code: it names a register that there is not: the program has 6"),
    ("steps = 320", "steps = -1", "scta.program: steps is -1"),
    ("steps = 320 : i64", "steps = 320 : i32", "i32"),
    ("whole = true", "whole = false", "scta.program: the module holds a part of the rows of its program"),
    ("complete = true", "complete = 1 : i64", "i64"),
    ("masks = []", 'masks = ["0..31"]', "its lanes are not among those that scta.program lists"),
    ("masks = []", 'masks = ["0..32"]', "the mask 0..32 names a thread that does not exist"),
    ("masks = []", 'masks = ["0", "0"]', "scta.program: two of its masks are equal"),
    ("masks = []", "masks = [1]", "1 : i64 should be of base attribute string"),
    ("patterns = []", "patterns = [array<i64: 3>]", "a pattern has the number of its lanes, and then itself"),
    ("patterns = []", "patterns = [array<i64: 3, 0, 1, 2>]", "the pattern is the stride 1, and must be written so"),
    ("patterns = []", "patterns = [array<i64: 32, 4>]", "its pattern are not among those that scta.program lists"),
    ('assumptions = ["a"], ', "", "assumptions"),
    ("  scta.program", "  scta.cta {index = array<i64: 0, 0, 0>, first = 0}\n  scta.program", "starts with scta.program"),
    # scta.region
    ('space = "global"', 'space = "glob"', "glob"),
    ('init = "symbolic"', 'init = "other"', "other"),
    ("number = 16", "number = 0", "scta.region: number is 0, which is not in 1"),
    ("number = 16", "number = 1", "two regions have one number"),
    ('content = ""', 'content = "0x"', "scta.region: content is not hexadecimal"),
    ('variables = [{name = "s", ', "variables = [{", "scta.region: an entry has name, offset, size"),
    ('variables = [{name = "s"', "variables = [{name = 1", "scta.region: name is a string"),
    ('role = "inout"', 'role = "\\C3\\A9"', "should be of base attribute string"),
    ('role = "inout"', 'role = "\\\\x"', "the string '\\\\x' is no text"),
    # scta.event
    ('kind = "race"', 'kind = "cat"', "scta.event: 'cat' is no kind of finding"),
    ('{text = "why", instruction = 1 : i64}', "1", "1 : i64 should be of base attribute dictionary"),
    # scta.code
    ('"ldparam"', '"ldprm"', "ldprm"),
    ("scta.code 1 from", "scta.code 3 from", "scta.code: the next instruction is number 1"),
    ('"fma" "f32"', '"fmb" "f32"', "scta.code: 'fmb' is no meaning of value"),
    ('"fma" "f32"', '"fma" "f032"', "scta.code: 'f032' is no type (such as f32, s16, b1, f16x2)"),
    ('"fma" "f32"', '"fma" "f256"', "scta.code: 'f256' is no type"),
    ("guard 1 true", "guard -2 true", "scta.code: guard is -2"),
    (": [1, 0, 1]", ": [1, 0, -1]", "scta.code: a register is out of range"),
    (": [1, 0, 1]", ": [1, 0, 10]", "scta.code: it names a register that there is not: the program has 10"),
    # scta.cta and the function
    ("index = array<i64: 0, 0, 0>", "index = array<i64: 0, 0>", "scta.cta: a CTA has three indices"),
    ("first = 12", "first = 11", "scta.cta: its first row is row 12"),
    ("    scta.cta {index = array<i64: 1, 0, 0>, first = 12 : i64}\n", "", "one block: scta.cta, rows, func.return"),
    ("    scta.cta {index = array<i64: 1", "    scta.cta {index = array<i64: 9, 9, 9>, first = 12 : i64}\n"
     "    scta.cta {index = array<i64: 1", "scta.cta: it is no row"),
    # scta.initial
    ("register = 1 ", "register = -1 ", "scta.initial: register -1 is out of range"),
    # all rows: lanes, patterns, operands
    ('at 0 lanes "0..31"', 'at 0 lanes ""', "scta.op: a row has lanes"),
    ('at 0 lanes "0..31"', 'at 0 lanes "31..2"', "the lanes '31..2' do not increase, or are not as short as they can be"),
    ('at 0 lanes "0..31"', 'at 0 lanes "0..30, 31"', "the lanes '0..30, 31' do not increase, or are not as short"),
    ('at 0 lanes "0..31"', 'at 0 lanes "0..1024"', "lane 1024 is out of range: a CTA has at most 1024 threads"),
    ('at 0 lanes "0..31"', 'at 0 lanes "0..32"', "scta.op: there is no lane 32: a CTA has 32 threads"),
    ('at 0 lanes "0..31"', 'at 0 lanes "all"', "'all' names no lanes (such as 0..31, 64)"),
    ("by [0, 1, 3]", "by [0, 1]", "a pattern of 2 numbers does not fit 3 lanes"),
    ("by [0, 1, 3]", "by [1, 1, 3]", "a pattern starts with 0"),
    ("by [0, 1, 3]", "by [0, 1, 2]", "the pattern is the stride 1, and must be written so"),
    ('by [0, 1, 3] lanes "0, 3..4"', 'by 3 lanes "0"', "a stride of 3 means nothing for 1 lanes"),
    ("by [0, 1, 3]", "by 1 x 2, 3 x 2", "all but the last of the strides have a count of lanes"),
    ("by [0, 1, 3]", "by 1 x 0, 3", "all but the last of the strides have a count of lanes"),
    ("by [0, 1, 3]", "by 1, 3 x 2", "all but the last of the strides have a count of lanes"),
    ("by [0, 1, 3]", "by 1 x 2, 2", "the pattern is the stride 1, and must be written so"),
    # scta.const
    ("register 2 at", "register 10 at", "scta.const: there is no register 10"),
    ("register 2 at", "register -1 at", "scta.const: register -1 is out of range"),
    ('lanes "0, 3..4"', 'lanes "0, 3..4" else %1', "scta.const: old values are given, and nothing of them is left"),
    # scta.op
    ('"fma.f32" %1, %0, %1', '"fma.f32" %1, %0', "scta.op: it has 4 operands and 1 results, its instruction 5 and 1"),
    ('"fma.f32" %1, %0, %1', '"fma.f32" %1, %1, %1', "scta.op: operand 1 is not what register 0 holds here"),
    ('"fma.f32" %1, %0, %1', '"add.f32" %1, %0, %1', "'add.f32' is not scta.code 2, whose rows are scta.op 'fma.f32'"),
    ("code 2 unless", "code 12 unless", "scta.op: there is no scta.code 12"),
    ("unless %1 else", "if %1 else", "scta.code 2 has the guard 'unless'"),
    ("unless %1 else", "unless %0 else", "scta.op: operand 3 is not what register 1 holds here"),
    ("unless %1 else %2", "unless %1", "scta.op: old values are missing"),
    ("unless %1 else %2", "else %2", "scta.op: old values are given, and nothing of them is left"),
    ("code 0\n", "code 0 if %1\n", "scta.code 0 has no guard"),
    ("code 0\n", "code 0 -> 0\n", "Operation has 0 results, but was given 1 to bind"),
    ("code 0\n", "code 0 -> 65\n", "a row has at most 64 results"),
    # scta.read, scta.write
    ('"ld.f32" at "x" + 0 by 4', '"ld.f32" at "z" + 0 by 4', "scta.read: there is no region 'z'"),
    ('"ld.f32" at "x" + 0 by 4', '"ld.f32" at "x" + -4 by 4', "scta.read: offset -4 leaves the window of region 'x'"),
    ('"ld.f32" at "x" + 0 by 4', '"ld.f32" at "x" + 9999999999 by 4', "scta.read: offset 9999999999 leaves the window"),
    ('"ld.f32" at "x" + 0 by 4', '"ld.f32" at 68719476736 by 4', "address 68719476736 lies in a region, which must be named"),
    ('"ld.f32" at "x" + 0 by 4', '"ld.f32"', "expected 'at' and an address"),
    ("code 1\n", "code 1 part 32\n", "scta.read: part 32 is out of range"),
    ('scta.read "ld.f32"', 'scta.read "ld.f32" %0', "scta.read: 1 operands, which are not old values and guard"),
    ('scta.write "st.f32" %3', 'scta.write "st.f32" %0', "scta.write: operand 0 is not what register 2 holds here"),
    ('scta.write "st.f32" %3', 'scta.write "st.f32"', "scta.write: it has 0 operands and 0 results, its instruction 1 and 0"),
    ("code 3\n", "code 3 part -1\n", "scta.write: part -1 is out of range"),
    ("code 3\n", "code 3 else %3\n", "scta.write: old values without results"),
    # scta.shuffle, scta.matrix, scta.sync
    ('scta.shuffle "shfl.b32" %3 at 1', 'scta.shuffle "shfl.b32" at 1', "which are not 1 inputs, old values and guard"),
    ('scta.shuffle "shfl.b32"', 'scta.op "shfl.b32"', "whose rows are scta.shuffle 'shfl.b32'"),
    ('"mma.s32" %1, %3, %4', '"mma.s32" %3, %1, %4', "scta.matrix: operand 0 is not what register 1 holds here"),
    ("%5, %6 = scta.matrix", "%5:3 = scta.matrix", "Operation has 2 results, but was given 3 to bind"),
    ("at 15 lanes", "at 16 lanes", "there is no such barrier"),
    ('scta.sync "bar" at', 'scta.sync "bar" %0 at', "scta.sync: 1 operands, which are not old values and guard"),
    ("code 6\n", "code 6 sometimes\n", "sometimes"),
    # scta.atomic, scta.copy, scta.mbarrier
    ('"atom.f32" %3', '"atom.f32" %1', "scta.atomic: operand 0 is not what register 2 holds here"),
    ("code 8 source", "code 7 source", "whose rows are scta.atomic 'atom.f32'"),
    ("code 8 source of 12", "code 8 source of 17", "scta.copy: 17 bytes, not 0 to 16"),
    ("code 8 source of 12", "code 8 from of 12", "expected 'source' or 'target'"),
    ("code 8 source of 12", "code 8 target of 12", "a copy does not say where it reads"),
    ('"shared" + 8 lanes', '"shared" - 8 lanes', "+"),
    ('scta.mbarrier "mbarrier_signal.b64"', 'scta.mbarrier "mbarrier_signal.b64" %0', "scta.mbarrier: 1 operands"),
    # what the program's own validation says: the static code, and threads that shuffles read
    ('"b32" "b0" sub 0', '"b32" "b24" sub 0', "program artifact: a width does not exist"),
    ('"f32" "b64" sub 4 imm 0 guard -1 false : [9] -> [1]', '"f32" "b64" sub 4 imm 0 guard -1 false : [9] -> []',
     "scta.read: it has 0 operands and 1 results, its instruction 0 and 0"),
    ("sub 67129784", "sub 67129785", "program artifact: there is no such matrix product"),  # wmma.mma has no m8n8k16
    ("sub 67129784", "sub 279646664", "program artifact: a matrix product has other registers"),  # m16n8k16 of f16
    ('"shfl.b32" %3 at 1 lanes', '"shfl.b32" %3 at 32 lanes', "program artifact: a shuffle reads a thread that does not exist"),
    ('"shfl.b32" %3 at 1 lanes', '"shfl.b32" %3 at 1 by 1 lanes', "a shuffle reads a thread that does not exist"),
    # what is none of the dialect
    ("scta.sync", "scta.snc", "Operation scta.snc is not registered"),
    ("  func.func @cta1() {", "  func.func @cta1() {\n    func.func @f() {\n      func.return\n    }\n", "one block"),
]  # fmt: skip


def refused(text: str) -> ArtifactError:
    with pytest.raises(ArtifactError) as caught:
        program_of(parse_module(text, "m.mlir"))
    return caught.value


@cache
def generic() -> str:
    return print_generic(parse_module(MODULE))


def test_the_module_itself_is_right() -> None:
    program_of(parse_module(MODULE))
    program_of(parse_module(generic()))
    names = {op.name for op in [*TABLE_OPS, *ROW_OPS]}
    assert names == {op.name for op in SCTA.operations} and all(name in MODULE for name in names)


@pytest.mark.parametrize(("old", "new", "message"), BROKEN, ids=[str(number) for number in range(len(BROKEN))])
def test_broken(old: str, new: str, message: str) -> None:
    assert old in MODULE
    text = MODULE.replace(old, new, 1)
    error = refused(text)
    assert message in str(error) and "\n" not in str(error)


def test_the_line_is_said() -> None:
    line = next(number for number, text in enumerate(MODULE.splitlines(), 1) if "st.f32" in text)
    broken = (('"st.f32" %3', '"st.f32" %0'), ("code 3\n", "code 3 part -1\n"), ("code 3\n", "code 3 %\n"))
    for old, new in broken:
        assert str(refused(MODULE.replace(old, new, 1))).startswith(f"m.mlir:{line}:"), new


@pytest.mark.parametrize("name", sorted({op.name for op in ROW_OPS} - {"scta.initial"}))
def test_an_attribute_of_the_generic_form_is_missing_or_has_another_type(name: str) -> None:
    """Every attribute of every kind of row."""
    line = next(line for line in generic().splitlines() if f'"{name}"' in line)
    definition = next(op for op in ROW_OPS if op.name == name).get_irdl_definition()
    op = next(op for op in parse_module(generic()).walk() if op.name == name)
    for key in definition.attributes:
        value = str(op.attributes[key])
        assert f"{key} = {value}" in line
        for new in ("", f"{key} = unit"):
            changed = line.replace(f"{key} = {value}, ", f"{new}, " if new else "").replace(f"{key} = {value}}}", f"{new}}}")
            changed = changed.replace(", }", "}")
            assert changed != line
            error = refused(generic().replace(line, changed, 1))
            assert key in str(error) or "unit" in str(error), (key, str(error))


def test_the_spelling_of_other_tools() -> None:
    """`mlir-opt` sorts attributes, numbers values, counts results, and leaves `func.` and `builtin.` out inside of them."""
    found: list[str] = []
    for line in generic().splitlines():
        match = re.fullmatch(r"(.*) \{([^{}]*(?:\{[^{}]*\})*[^{}]*)\} (: .*->.*)", line)
        if match:
            entries = re.split(r", (?=[a-z0-9_]+ = )", match[2]) if "{" not in match[2] else [match[2]]
            line = f"{match[1]} {{{', '.join(sorted(entries))}}} {match[3]}"
        found.append(line)
    text = "\n".join(found)
    text = (
        text.replace('"builtin.module"() ({', "module {")
        .replace("}) : () -> ()", "}")
        .replace('"func.return"() : () -> ()', "return")
    )
    text = re.sub(r'"func.func"\(\) <\{sym_name = "(\w+)", function_type = \(\) -> \(\)\}> \(\{', r"func.func @\1() {", text)
    assert "func.func @cta1() {" in text and "    return" in text and text != generic() and "%5, %6 =" in text
    again = program_of(parse_module(text.replace("%5, %6 =", "%5:2 =").replace("%6", "%5#1")))
    assert b"".join(map(bytes, again.encode())) == b"".join(map(bytes, program_of(parse_module(MODULE)).encode()))


def test_a_value_is_used_before_it_is_there() -> None:
    lines = MODULE.splitlines()
    first = next(number for number, line in enumerate(lines) if "%0 = scta.op" in line)
    behind = next(number for number, line in enumerate(lines) if "%5, %6" in line)
    lines.insert(behind, lines.pop(first))
    assert "is not what register 0 holds here" in str(refused("\n".join(lines)))


def test_nesting_without_end() -> None:
    refused("module {" * 3000)
    refused(MODULE.replace('assumptions = ["a"]', f"assumptions = {'[' * 3000}"))
