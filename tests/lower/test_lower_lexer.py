"""The lexer, and reading a file."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from lower_text import HEAD

from volta_pipe.ir.errors import InputError
from volta_pipe.passes.lower import list_entries, read_ptx
from volta_pipe.passes.lower import source as source_module
from volta_pipe.passes.lower.lexer import END, Lexer


def tokens(text: str) -> list[tuple[str, str]]:
    lexer = Lexer(text, "t.ptx")
    found = []
    while lexer.kind != END:
        found.append((lexer.kind, lexer.text))
        lexer.advance()
    return found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("%rd1", "word"),
        ("$L__BB0_1", "word"),
        ("fma.rn.ftz.f32", "word"),
        ("ld.global.L1::no_allocate.L2::128B.v4.b32", "word"),
        ("_", "word"),
        (".reg", "directive"),
        (".shared::cta", "directive"),
        ("0f3F800000", "float"),
        ("0d3FF0000000000000", "float"),
        ("1.5e-3", "float"),
        (".5", "float"),
        ("0x7fU", "integer"),
        ("0b101", "integer"),
        ("017", "integer"),
        ('"a \\" b"', "string"),
        ("|", "punct"),
    ],
)
def test_one_token(text: str, kind: str) -> None:
    assert tokens(f" /* c */ {text} // end\n") == [(kind, text)]


def test_tokens_side_by_side() -> None:
    assert [text for _, text in tokens("@!%p1 ld.u32 {%r1,_},[%rd+-4];")] == [
        *("@", "!", "%p1", "ld.u32", "{", "%r1", ",", "_", "}", ",", "[", "%rd", "+", "-", "4", "]", ";"),
    ]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("add\n  #", "t.ptx:2:3"),
        ("a 12abc", "t.ptx:1:3"),
        ('\n\n "abc\n"', "t.ptx:3:2"),
        ("x /* y", "t.ptx:1:3"),
        ("é", "t.ptx:1:1"),
    ],
)
def test_bad_characters_have_a_place(text: str, place: str) -> None:
    with pytest.raises(InputError) as caught:
        tokens(text)
    assert str(caught.value).startswith(place + ":")


def test_read_ptx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    good = tmp_path / "good.ptx"
    good.write_text(HEAD)
    assert read_ptx(good) == HEAD
    monkeypatch.setattr(source_module, "MAX_BYTES", 1000)
    cases = {"empty": b"", "blank": b" \n", "nul": b".version\0", "latin": b"// \xe9\n", "large": b"a" * 1001}
    for name, data in cases.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(InputError) as caught:
            read_ptx(path)
        assert str(caught.value).startswith(str(path))
    for path in (tmp_path, tmp_path / "missing", Path("bad\0name")):
        with pytest.raises(InputError):
            read_ptx(path)


def test_lexing_a_large_file_is_quick() -> None:
    """A megabyte takes a small part of a second; the bound leaves room for a slow machine."""
    line = "\tfma.rn.ftz.f32 \t%f17, %f16, %f15, %f14;\n"
    text = f"{HEAD}.entry k() {{\n{line * (1_000_000 // len(line))}}}\n"
    start = time.perf_counter()
    assert [name for name, _ in list_entries(text, "t.ptx")] == ["k"]
    assert time.perf_counter() - start < 5
