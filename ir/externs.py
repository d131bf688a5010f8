"""What an extern device function may compute, by the names that a contract's [externs] uses: operands and operator of each."""

from __future__ import annotations

from volta_pipe.ir.nodes import Node

# name -> (number of operands, operator). All are functions of reals; `log` is natural, `rint` rounds ties to even.
EXTERNS: dict[str, tuple[int, Node]] = {
    "exp": (1, Node.EXP), "exp2": (1, Node.EX2), "expm1": (1, Node.EXPM1), "log": (1, Node.LOG), "log2": (1, Node.LG2),
    "log10": (1, Node.LOG10), "log1p": (1, Node.LOG1P), "sqrt": (1, Node.SQRT), "rsqrt": (1, Node.RSQRT), "rcp": (1, Node.RCP),
    "tanh": (1, Node.TANH), "erf": (1, Node.ERF), "sin": (1, Node.SIN), "cos": (1, Node.COS), "pow": (2, Node.POW),
    "fma": (3, Node.FMA), "add": (2, Node.ADD), "sub": (2, Node.SUB), "mul": (2, Node.MUL), "div": (2, Node.DIV),
    "max": (2, Node.MAX), "min": (2, Node.MIN), "abs": (1, Node.ABS), "neg": (1, Node.NEG), "floor": (1, Node.FLOOR),
    "ceil": (1, Node.CEIL), "trunc": (1, Node.TRUNC), "rint": (1, Node.RINT),
}  # fmt: skip
