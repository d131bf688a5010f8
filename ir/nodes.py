"""Operators of the expression graph: reals, predicates (constants 0 and 1), and the few bit-level ones that `vc` resolves."""

from __future__ import annotations

from enum import IntEnum


class Node(IntEnum):
    """Operator codes; the columns a, b, c of the graph hold operand nodes unless said otherwise."""

    NONE = 0  # node 0: absent
    CONST = 1  # a: index into the graph's constants (float64; each float literal is exact in it; ±inf and NaN are allowed)
    LEAF = 2  # a: tensor, b: element (row-major index); the value of an input element
    SCALAR = 3  # a: scalar of the contract whose value is symbolic
    UNINIT = 4  # a: instruction that read it; the value of a cell that was never written
    BITS = 5  # a: index into the bits table, b: width; concrete bits (only inside vc, never in its artifact)
    ADD = 8
    SUB = 9
    MUL = 10
    FMA = 11  # a*b + c
    DIV = 12
    NEG = 13
    ABS = 14
    MIN = 15
    MAX = 16
    RCP = 17
    SQRT = 18
    RSQRT = 19
    EX2 = 20  # 2^a
    EXP = 21  # e^a
    LG2 = 22
    LOG = 23
    SIN = 24
    COS = 25
    TANH = 26
    ERF = 27
    POW = 28  # a^b
    FLOOR = 29
    CEIL = 30
    RINT = 31  # nearest integer, ties to even
    TRUNC = 32
    SAT = 33  # min(max(a, 0), 1)
    LOG10 = 34  # log a / log 10; this one and the next two become other operators when they are emitted
    LOG1P = 35  # log(1 + a)
    EXPM1 = 36  # e^a - 1
    ROUND = 37  # a: a value that is kept in format b (ir/small_floats.py); the same real number (only inside vc)
    SELECT = 40  # a ? b : c; a is a predicate
    LT = 41
    LE = 42
    EQ = 43
    NE = 44
    AND = 45
    OR = 46
    XOR = 47
    NOT = 48
    PART = 50  # a: contents, b: 0 low or 1 high half of them, c: bits of the whole, 0 for 64 (only inside vc)
    PACK = 51  # a: low, b: high half, c: bits of the whole, 0 for 64 (only inside vc)
    WIDE = 53  # a: the value of a float64 register, told apart from a float32 one (only inside vc)
    NARROW = 54  # a: the value of a float of at most 32 bits, b: its format (ir/small_floats.py; only inside vc)
    SIGNED = 55  # a: contents of b bits with their sign above them, c bits in all (only inside vc)
    SIGNS = 56  # c bits that all are the sign of contents a of b bits (only inside vc)
    MASK = 57  # c bits that all are the predicate a (only inside vc)
    RESIDUE = 58  # c bits that are the integer a modulo 2^c (only inside vc)
    EITHER = 59  # 32 bits, those of b where the predicate a holds, else of c; each is known, or such a choice of known ones
    BITSHL = 52  # bits of float32 node a shifted left by b (an integer, not a node), before it is recognised (only inside vc)


# Number of operand nodes of each operator (columns a, b, c in that order).
ARITY = {Node.NONE: 0, Node.CONST: 0, Node.LEAF: 0, Node.SCALAR: 0, Node.UNINIT: 0, Node.BITS: 0, Node.FMA: 3, Node.SELECT: 3}
ARITY[Node.EITHER] = 3
ARITY |= dict.fromkeys(
    (Node.ADD, Node.SUB, Node.MUL, Node.DIV, Node.MIN, Node.MAX, Node.POW, Node.LT, Node.LE, Node.EQ, Node.NE), 2
)
ARITY |= dict.fromkeys((Node.AND, Node.OR, Node.XOR, Node.PACK), 2)
ARITY |= {n: 1 for n in Node if n not in ARITY}
