"""Parsing the body of an entry into a flat list of instructions; braces only matter for names."""

from __future__ import annotations

from volta_pipe.ir.errors import UnsupportedError
from volta_pipe.passes.lower.declarations import parse_registers, parse_variables
from volta_pipe.passes.lower.lexer import DIRECTIVE, END, STRING, WORD, Lexer
from volta_pipe.passes.lower.names import Names
from volta_pipe.passes.lower.operands import parse_operands
from volta_pipe.passes.lower.tree import Instruction, Kernel, Loc, Reg, Register

# A kernel of this length would take a minute and a gigabyte to lower; the longest we have met has 30,000.
MAX_INSTRUCTIONS = 200_000
# Deeper inlining than this is a cycle in damaged debug information.
_MAX_INLINING = 64
_SPACES = frozenset({".shared", ".local", ".global", ".const", ".param"})
_TABLES = frozenset({".branchtargets", ".calltargets", ".callprototype"})


def parse_body(lexer: Lexer, kernel: Kernel) -> None:
    """From the opening brace of the kernel behind its closing one; fills `kernel.instructions`."""
    start = lexer.offset
    lexer.expect("{")
    parser = _Body(lexer, kernel)
    while parser.depth:
        if lexer.kind == END:
            raise lexer.error(f"the file ends inside kernel {kernel.name}", start)
        parser.statement()


class _Body:
    """The state of the parser within one body."""

    def __init__(self, lexer: Lexer, kernel: Kernel) -> None:
        self.lexer = lexer
        self.kernel = kernel
        self.names = Names()
        self.loc: Loc | None = None
        self.locations = Locations()
        self.depth = 1
        self.variables = 0
        self.count = 0

    def statement(self) -> None:
        """One statement: a brace, a label, a directive or an instruction."""
        lexer = self.lexer
        if lexer.kind == WORD:
            self._instruction_or_label()
        elif lexer.kind == DIRECTIVE:
            self._directive()
        elif lexer.is_punct("@"):
            self._guarded()
        elif lexer.take("{"):
            self.depth += 1
            self.names.open()
        elif lexer.take("}"):
            self.depth -= 1
            if self.depth:
                self.names.close()
        else:
            raise lexer.expected("an instruction")

    def _instruction_or_label(self) -> None:
        lexer = self.lexer
        name, offset = lexer.text, lexer.offset
        lexer.advance()
        if not lexer.take(":"):
            self._instruction(name, None, offset)
            return
        if lexer.kind == DIRECTIVE and lexer.text in _TABLES:
            lexer.skip_statement()  # only read by calls and brx.idx, which are refused where they are reached
            return
        self._count_up(offset)
        if name in self.names.scope.labels:
            raise lexer.error(f"label {name} is declared twice", offset)
        self.names.scope.labels[name] = len(self.kernel.instructions)

    def _guarded(self) -> None:
        lexer = self.lexer
        offset = lexer.offset
        lexer.advance()
        negated = lexer.take("!")
        where = lexer.offset
        name = lexer.expect_kind(WORD, "the predicate of the guard")
        found = self.names.find(name)
        if not isinstance(found, Register) or found.width != 1:
            raise lexer.error(f"{name} is no predicate register", where)
        self._instruction(lexer.expect_kind(WORD, "an instruction"), Reg(found, negated), offset)

    def _instruction(self, opcode: str, guard: Reg | None, offset: int) -> None:
        lexer = self.lexer
        while lexer.kind == DIRECTIVE:  # `ld.global .u32`
            opcode += lexer.text
            lexer.advance()
        if opcode[0] in "%$_":
            raise lexer.error(f"'{opcode}' is no instruction", offset)
        if "::" in opcode.partition(".")[0]:
            raise lexer.error(f"'{opcode}' is no instruction", offset)
        self._count_up(offset)
        operands = parse_operands(lexer, self.names)
        self.kernel.instructions.append(Instruction(opcode, operands, guard, offset, self.loc, self.names.scope))

    def _count_up(self, offset: int) -> None:
        """Count an instruction or a label."""
        self.count += 1
        if self.count > MAX_INSTRUCTIONS:
            message = f"the kernel has more than {MAX_INSTRUCTIONS} instructions and labels"
            raise UnsupportedError(message, self.lexer.place(offset))

    def _directive(self) -> None:
        lexer = self.lexer
        word, offset = lexer.text, lexer.offset
        lexer.advance()
        extern = False
        if word == ".extern":
            extern, word = True, lexer.expect_kind(DIRECTIVE, "a state space")
        if word == ".reg":
            parse_registers(lexer, self.names)
        elif word == ".loc":
            self.loc = self.locations.read(lexer)
        elif word == ".pragma":
            lexer.expect_kind(STRING, "a string")
            while lexer.take(","):
                lexer.expect_kind(STRING, "a string")
            lexer.expect(";")
        elif word in _SPACES:
            for variable in parse_variables(lexer, word[1:], extern, self.variables):
                if self.names.is_declared_here(variable.name):
                    raise lexer.error(f"{variable.name} is declared twice", offset)
                self.names.declare_variable(variable)
                self.variables += 1
        else:
            raise lexer.error(f"unknown directive {word}", offset)


class Locations:
    """The `.loc` directives of a body. A place that is inlined twice over is told by several of them, the outer ones
    first: the last one seen for a place is its caller."""

    def __init__(self) -> None:
        self._callers: dict[tuple[int, int, int], tuple[int, int, int]] = {}

    def read(self, lexer: Lexer) -> Loc:
        """Behind `.loc`: a place, and where it was inlined."""
        place, caller = parse_loc(lexer)
        if caller is None:
            self._callers.pop(place, None)
            return Loc(place[0], place[1])
        self._callers[place] = caller
        chain: list[tuple[int, int]] = []
        following: tuple[int, int, int] | None = caller
        while following is not None and len(chain) < _MAX_INLINING:
            chain.append(following[:2])
            following = self._callers.get(following)
        return Loc(place[0], place[1], tuple(chain))


def parse_loc(lexer: Lexer) -> tuple[tuple[int, int, int], tuple[int, int, int] | None]:
    """Behind `.loc`: file, line, column, and perhaps the place of inlining; there is no semicolon."""
    place = (lexer.expect_integer(), lexer.expect_integer(), lexer.expect_integer())
    caller: tuple[int, int, int] | None = None
    while lexer.take(","):
        word = lexer.expect_kind(WORD, "'function_name' or 'inlined_at'")
        if word == "function_name":
            lexer.expect_kind(WORD, "a label")
            if lexer.take("+"):
                lexer.expect_integer()
        elif word == "inlined_at":
            caller = (lexer.expect_integer(), lexer.expect_integer(), lexer.expect_integer())
        else:
            raise lexer.error(f"unknown attribute {word} of .loc")
    return place, caller
