"""Random small kernels as data, what they do when executed one register after the other, and edits that do not change that.

Independent of `lower`: the edits know of an instruction only which registers it reads and writes, and of memory that loads may
pass each other but neither a store nor a barrier."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from random import Random

from lower_text import HEAD

PARAMETERS = 4
SYMMETRIC = {"add", "mul", "xor", "min", "mad", "eq"}
_TEXT = {
    "add": "add.u32", "sub": "sub.u32", "mul": "mul.lo.u32", "xor": "xor.b32", "min": "min.u32", "mad": "mad.lo.u32",
    "mov": "mov.u32", "lt": "setp.lt.u32", "eq": "setp.eq.u32", "selp": "selp.u32",
}  # fmt: skip
_ARITY = {"add": 2, "sub": 2, "mul": 2, "xor": 2, "min": 2, "mad": 3, "mov": 1, "lt": 2, "eq": 2}
Source = str | int


@dataclass(frozen=True)
class Ins:
    """op: a key of _TEXT, or ld, st, bar, param, tid. sources: registers and numbers; guard: (predicate, whether negated)."""

    op: str
    target: str = ""
    sources: tuple[Source, ...] = ()
    guard: tuple[str, bool] | None = None

    def reads(self) -> set[Source]:
        found = {one for one in self.sources if isinstance(one, str)}
        return found | ({self.guard[0], self.target} if self.guard else set()) - {""}

    def text(self) -> str:
        names = [f"%{one}" if isinstance(one, str) else str(one) for one in self.sources]
        guard = f"@{'!' if self.guard[1] else ''}%{self.guard[0]} " if self.guard else ""
        body = {
            "ld": lambda: f"ld.shared.u32 %{self.target}, [{names[0]}]",
            "st": lambda: f"st.shared.u32 [{names[0]}], {names[1]}",
            "bar": lambda: "bar.sync 0",
            "param": lambda: f"ld.param.u32 %{self.target}, [p{names[0]}]",
            "tid": lambda: f"mov.u32 %{self.target}, %tid.x",
        }.get(self.op, lambda: f"{_TEXT[self.op]} %{self.target}, {', '.join(names)}")()
        return f"{guard}{body};"


@dataclass(frozen=True)
class Piece:
    """A block. end: () of a return, (block,) of a jump, (predicate, block where true, block where false)."""

    code: tuple[Ins, ...]
    end: tuple[str | int, ...] = ()


@dataclass
class Program:
    """Block 0 is the entry. order: of the blocks in the text, negated: those whose branch is written the other way round."""

    blocks: list[Piece]
    order: list[int] = field(default_factory=list)
    negated: set[int] = field(default_factory=set)

    def text(self) -> str:
        registers = {one for block in self.blocks for ins in block.code for one in (*ins.reads(), ins.target) if one}
        registers |= {str(block.end[0]) for block in self.blocks if len(block.end) == 3}
        declared = "".join(f".reg .{'pred' if str(one)[0] == 'p' else 'b32'} %{one}; " for one in sorted(map(str, registers)))
        lines = [f"{HEAD}.visible .entry k({', '.join(f'.param .u32 p{i}' for i in range(PARAMETERS))})", "{", declared]
        lines.append("bra L0;")
        for number in self.order or range(len(self.blocks)):
            block = self.blocks[number]
            lines += [f"L{number}:", *(ins.text() for ins in block.code)]
            if len(block.end) == 3:
                test, one, other = block.end
                if number in self.negated:
                    lines += [f"@!%{test} bra L{other};", f"bra L{one};"]
                else:
                    lines += [f"@%{test} bra L{one};", f"bra L{other};"]
            else:
                lines.append(f"bra L{block.end[0]};" if block.end else "ret;")
        return "\n".join([*lines, "}"]) + "\n"


Event = tuple[object, ...]


def compute(op: str, values: list[int]) -> int:
    a, b, c = [*values, 0, 0, 0][:3]
    return {
        "add": a + b, "sub": a - b, "mul": a * b, "xor": a ^ b, "min": min(a, b), "mad": a * b + c, "mov": a,
        "lt": int(a < b), "eq": int(a == b), "selp": a if c else b,
    }[op] % 2**32  # fmt: skip


def cell(address: int) -> int:
    """What memory holds at first."""
    return (address * 2654435761 + 12345) % 2**32


def run(program: Program, parameters: list[int], limit: int = 200) -> tuple[list[Event], bool]:
    """Stores and barriers in order, each with the addresses that were loaded before; whether the end was reached."""
    registers: dict[str, int] = {}
    memory: dict[int, int] = {}
    events: list[Event] = []
    loads: list[int] = []
    at = 0
    for _ in range(limit):
        block = program.blocks[at]
        for ins in block.code:
            if ins.guard and bool(registers.get(ins.guard[0], 0)) is ins.guard[1]:
                continue
            values = [registers.get(one, 0) if isinstance(one, str) else one for one in ins.sources]
            if ins.op == "ld":
                loads.append(values[0])
                registers[ins.target] = memory.get(values[0], cell(values[0]))
            elif ins.op in ("st", "bar"):
                events.append((ins.op, *values, tuple(sorted(loads))))
                loads = []
                if ins.op == "st":
                    memory[values[0]] = values[1]
            elif ins.op == "param":
                registers[ins.target] = parameters[values[0]]
            elif ins.op == "tid":
                registers[ins.target] = 7
            else:
                registers[ins.target] = compute(ins.op, values)
        if not block.end:
            return [*events, ("end", tuple(sorted(loads)))], True
        if len(block.end) == 3:
            at = int(block.end[1] if registers.get(str(block.end[0]), 0) else block.end[2])
        else:
            at = int(block.end[0])
    return events, False


def random_program(random: Random) -> Program:
    """Up to six blocks with jumps from anywhere to anywhere but the entry: loops with several exits, or several ways in."""
    registers, predicates = [f"r{i}" for i in range(6)], [f"p{i}" for i in range(3)]
    count = random.randint(1, 6)
    head = [Ins("param", f"r{i}", (i,)) for i in range(PARAMETERS)]
    head += [Ins("tid", "r4"), Ins("mov", "r5", (3,))]
    head += [Ins("lt", one, (random.choice(registers), random.choice(registers))) for one in predicates]
    blocks = []
    for number in range(count):
        code = head if number == 0 else []
        code = [*code, *(random_instruction(random, registers, predicates) for _ in range(random.randint(0, 9)))]
        code += [Ins("st", "", (random.choice(registers), random.choice(registers))) for _ in range(random.randint(0, 2))]
        others = range(1, count)
        kind = random.random()
        end: tuple[str | int, ...] = ()
        if others and kind < 0.55:
            end = (random.choice(predicates), random.choice(others), random.choice(others))
        elif others and kind < 0.8:
            end = (random.choice(others),)
        blocks.append(Piece(tuple(code), end))
    return Program(blocks)


def random_instruction(random: Random, registers: list[str], predicates: list[str]) -> Ins:
    def source(literal: float = 0.3) -> Source:
        return random.randint(0, 9) if random.random() < literal else random.choice(registers)

    guard = (random.choice(predicates), random.random() < 0.5) if random.random() < 0.2 else None
    kind = random.choice([*_ARITY, *_ARITY, "selp", "ld", "ld", "ld", "st", "st", "bar"])
    if kind == "bar":
        return Ins("bar")
    if kind == "st":
        return Ins("st", "", (random.choice(registers), source()), guard)
    if kind == "ld":
        return Ins("ld", random.choice(registers), (random.choice(registers),), guard)
    if kind == "selp":
        return Ins("selp", random.choice(registers), (source(), source(), random.choice(predicates)), guard)
    target = random.choice(predicates if kind in ("lt", "eq") else registers)
    sources = [source() for _ in range(_ARITY[kind])]
    if kind != "mov":
        sources[0] = random.choice(registers)
    return Ins(kind, target, tuple(sources), guard)


def _fixed(one: Ins, other: Ins) -> bool:
    """Whether `other` has to stay behind `one`."""
    targets, after = {one.target} - {""}, {other.target} - {""}
    if targets & other.reads() or after & one.reads() or targets & after:
        return True
    effects = [ins.op in ("st", "bar") for ins in (one, other)]
    memory = [ins.op in ("st", "bar", "ld") for ins in (one, other)]
    return any(effects) and all(memory)


def shuffled(block: Piece, random: Random) -> Piece:
    """Another order that keeps what depends on each other in order."""
    left, made = list(block.code), []
    while left:
        ready = [place for place, ins in enumerate(left) if not any(_fixed(one, ins) for one in left[:place])]
        made.append(left.pop(random.choice(ready)))
    return replace(block, code=tuple(made))


def edited(program: Program, random: Random) -> Program:
    """The same kernel with another text: everything at once."""
    names = [f"r{i}" for i in range(6)]
    others = random.sample([f"r{i}" for i in range(40)], 6)
    mapping = dict(zip(names, others, strict=True)) | {f"p{i}": f"p{(i + 1) % 3}" for i in range(3)}

    def renamed(one: Source) -> Source:
        return mapping.get(one, one) if isinstance(one, str) else one

    blocks: list[Piece] = []
    for block in program.blocks:
        code = []
        for ins in shuffled(block, random).code:
            sources = [renamed(one) for one in ins.sources]
            if ins.op in SYMMETRIC and random.random() < 0.5:
                sources[:2] = sources[1], sources[0]
            guard = (mapping[ins.guard[0]], ins.guard[1]) if ins.guard else None
            code.append(Ins(ins.op, str(renamed(ins.target)), tuple(sources), guard))
            if random.random() < 0.3:
                read = random.choice(["d0", "d1", *others])
                code.append(Ins(random.choice(["add", "sub", "mul"]), random.choice(["d0", "d1", "d2"]), (read, "d1")))
        end = (str(renamed(str(block.end[0]))), *block.end[1:]) if len(block.end) == 3 else block.end
        blocks.append(Piece(tuple(code), end))
    for number in range(len(program.blocks)):
        block = blocks[number]
        if random.random() < 0.4:  # cut in two
            place = random.randint(0, len(block.code))
            blocks.append(Piece(block.code[place:], block.end))
            blocks[number] = Piece(block.code[:place], (len(blocks) - 1,))
        elif block.end and random.random() < 0.4:  # by a block that only jumps
            place = random.randrange(len(block.end) == 3, len(block.end))
            blocks.append(Piece((Ins("add", "d2", ("d2", 1)),) if random.random() < 0.3 else (), (block.end[place],)))
            blocks[number] = replace(block, end=(*block.end[:place], len(blocks) - 1, *block.end[place + 1 :]))
    order = list(range(len(blocks)))
    random.shuffle(order)
    negated = {number for number in order if random.random() < 0.5}
    return Program(blocks, order, negated)


def mutated(program: Program, random: Random) -> Program:
    """A kernel that may do something else: one instruction or branch is changed, dropped or moved."""
    blocks = list(program.blocks)
    number = random.randrange(len(blocks))
    block = blocks[number]
    code = list(block.code)
    kind = random.choice(["drop", "swap", "order", "constant", "branch", "target", "guard"])
    place = random.randrange(len(code)) if code else 0
    if kind == "drop" and code:
        del code[place]
    elif kind == "swap" and code and len(code[place].sources) > 1:
        first, second, *rest = code[place].sources
        if code[place].op != "st" or isinstance(second, str):
            code[place] = replace(code[place], sources=(second, first, *rest))
    elif kind == "order" and len(code) > 1:
        place = random.randrange(len(code) - 1)
        code[place : place + 2] = code[place + 1], code[place]
    elif kind == "constant" and code:
        sources = tuple(one + 1 if isinstance(one, int) and code[place].op != "param" else one for one in code[place].sources)
        code[place] = replace(code[place], sources=sources)
    elif kind == "branch" and len(block.end) == 3:
        blocks[number] = block = replace(block, end=(block.end[0], block.end[2], block.end[1]))
    elif kind == "target" and code and code[place].target[:1] == "r":
        code[place] = replace(code[place], target=f"r{random.randrange(6)}")
    elif kind == "guard" and code and code[place].guard:
        predicate, negated = code[place].guard or ("", False)
        code[place] = replace(code[place], guard=(predicate, not negated))
    blocks[number] = replace(block, code=tuple(code))
    return Program(blocks)
