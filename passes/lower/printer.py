"""From the syntax tree back to PTX text: parsing what is printed gives the same tree."""

from __future__ import annotations

from collections.abc import Sequence

from volta_pipe.passes.lower.syntax import (
    Brace,
    Declaration,
    Directive,
    File,
    Function,
    Index,
    Instruction,
    Item,
    Label,
    Loc,
    Memory,
    Name,
    Not,
    Number,
    Pair,
    Statement,
    Sum,
    Table,
    Term,
)

# Punctuation that a token stands next to without a blank.
_TIGHT_AFTER = frozenset("([{!-~+")
_TIGHT_BEFORE = frozenset(")]},;:([")
# Directives that end without a semicolon (PTX ISA 11).
_OPEN_ENDED = frozenset({".version", ".target", ".address_size", ".file", ".section"})


def print_ptx(file: File) -> str:
    """The text of a file."""
    lines: list[str] = []
    for item in file.items:
        if isinstance(item, Function):
            lines += _function(item)
        elif isinstance(item, Declaration):
            lines.append(_declaration(item) + ";")
        elif isinstance(item, Loc):
            lines.append(_loc(item))
        else:
            lines.append(_directive(item))
    return "\n".join(lines) + "\n"


def print_term(term: Term) -> str:
    """One operand."""
    if isinstance(term, Name | Number):
        return term.text
    if isinstance(term, Sum):
        return f"{print_term(term.base)}{term.sign}{term.number}"
    if isinstance(term, Not):
        return f"!{term.name.text}"
    if isinstance(term, Pair):
        return f"{term.first.text}|{term.second.text}"
    if isinstance(term, Index):
        return f"{term.name.text}[{term.number}]"
    inside = ", ".join(map(print_term, term.items))
    if isinstance(term, Memory):
        return f"[{inside}]{term.suffix}"
    return f"({inside})" if term.round else f"{{{inside}}}"


def _function(one: Function) -> list[str]:
    head = " ".join([*one.linking, one.kind, *([join(one.words)] if one.words else [])])
    if one.results is not None:
        head += f" ({', '.join(map(_declaration, one.results))})"
    head += f" {one.name}"
    if one.params is not None:
        head += f" ({', '.join(map(_declaration, one.params))})"
    lines = [head, *map(_limit, one.limits)]
    if one.body is None:
        lines[-1] += ";"
        return lines
    return [*lines, "{", *map(_statement, one.body), "}"]


def _limit(one: Directive) -> str:
    return f"{one.word} {join(one.tokens)}".rstrip() + (";" if one.word == ".pragma" else "")


def _statement(one: Statement) -> str:
    if isinstance(one, Instruction):
        guard = f"@{''.join(one.guard)} " if one.guard is not None else ""
        # The list of arguments of a call follows the name directly; elsewhere operands are separated by commas.
        operands = ", ".join(map(print_term, one.operands))
        return f"\t{guard}{one.opcode}{' ' if operands else ''}{operands};"
    if isinstance(one, Label):
        return f"{one.name}:"
    if isinstance(one, Table):
        return f"{one.name}: {one.directive} {join(one.tokens)};"
    if isinstance(one, Brace):
        return "\t{" if one.opening else "\t}"
    if isinstance(one, Loc):
        return f"\t{_loc(one)}"
    return f"\t{_declaration(one)};" if isinstance(one, Declaration) else f"\t{_directive(one)}"


def _loc(one: Loc) -> str:
    text = ".loc {} {} {}".format(*one.place)
    if one.function is not None:
        label, offset = one.function
        text += f", function_name {label}" + (f"+{offset}" if offset else "")
    if one.inlined is not None:
        text += ", inlined_at {} {} {}".format(*one.inlined)
    return text


def _declaration(one: Declaration) -> str:
    return " ".join([*one.linking, one.space, *([join(one.words)] if one.words else []), ", ".join(map(_item, one.items))])


def _item(one: Item) -> str:
    text = one.name + (f"<{one.count}>" if one.count >= 0 else "")
    text += "".join(f"[{size}]" for size in one.dimensions)
    return text + (f" = {join(one.initialiser)}" if one.initialiser is not None else "")


def _directive(one: Directive) -> str:
    if one.word == ".section":
        return _section(one)
    return f"{one.word} {join(one.tokens)}" + ("" if one.word in _OPEN_ENDED else ";")


def _section(one: Directive) -> str:
    """Each datum of a debug section on a line of its own."""
    lines = [f".section {one.tokens[0]}"]
    row: list[str] = []
    for index, token in enumerate(one.tokens[1:], start=1):
        # A data directive, or a label, begins a line; `.b64 .debug_abbrev` is one datum.
        label = index + 1 < len(one.tokens) and one.tokens[index + 1] == ":"
        if row and (token in "{}" or label or (token.startswith(".") and not row[-1].startswith(".")) or row[-1] in "{}"):
            lines.append(join(row))
            row = []
        row.append(token)
    return "\n".join([*lines, join(row)])


def join(tokens: Sequence[str]) -> str:
    """Tokens with blanks where they need any."""
    parts: list[str] = []
    before = "("
    for token in tokens:
        if before not in _TIGHT_AFTER and token not in _TIGHT_BEFORE and not (token in "+-" and before != ","):
            parts.append(" ")
        parts.append(token)
        before = token
    return "".join(parts)
