"""Normal forms as short readable formulas."""

from __future__ import annotations

from collections import Counter

from volta_pipe.ir.normal_form import MASK, Coef, Form, Table, rational
from volta_pipe.passes.canon.canonical import Canonical

_DEPTH = 3  # nested atoms and exponents shown; deeper ones are dots


def show(canonical: Canonical, number: int, *, terms: int = 4) -> str:
    """The formula of a form, sums cut after `terms` terms ("… + 60 terms")."""
    return _form(canonical.place(number)[0], canonical.form(number), canonical.tensors, canonical.scalars, terms, _DEPTH)


def _form(t: Table, form: Form, tensors: tuple[str, ...], scalars: tuple[str, ...], terms: int, depth: int) -> str:
    def coefficient(c: Coef) -> str:
        p, q = rational(c)
        if len(str(p)) + len(str(q)) > 24:
            return f"{p / q:.9g}…"
        return str(p) if q == 1 else f"{p}/{q}"

    def atom(number: int) -> str:
        name, arguments = str(t.items[number][0]), t.items[number][1:]
        if name == "cos":
            arguments = arguments[1:]  # not what its square is
        if name == "leaf":
            return f"{tensors[arguments[0]]}[{arguments[1]}]"
        if name == "scalar":
            return str(scalars[arguments[0]])
        if not arguments:
            return "log2(e)" if name == "lambda" else name
        if depth <= 0:
            return f"{name}(…)"
        if name == "name":
            return f"({_form(t, Form(t.items[arguments[0]], ()), tensors, scalars, terms, depth - 1)})"
        shown = [_form(t, t.items[f], tensors, scalars, terms, depth - 1) for f in arguments[:terms]]
        if len(arguments) > terms:
            shown.append(f"… {len(arguments) - terms} more")
        return f"{name}({', '.join(shown)})"

    def monomial(number: int) -> list[str]:
        return [atom(a) if p == 1 else f"{atom(a)}^{p}" for a, p in t.items[number]]

    def sum_of(pairs: list[tuple[list[str], Coef]], left: int) -> str:
        text = ""
        for factors, c in pairs:
            plain = "·".join(factors if abs(c) == 1 and factors else [coefficient(abs(c)), *factors])
            text += (" − " if c < 0 else " + ") + plain if text else ("−" if c < 0 else "") + plain
        return (text or "0") + (f" + … {left} terms" if left else "")

    def exponent(number: int) -> str:
        items = sorted(t.polynomial_of[number].items())
        return sum_of([(monomial(m), c) for m, c in items[:terms]], max(len(items) - terms, 0)) if depth > 0 else "…"

    def numerator(num: dict[int, Coef]) -> str:
        pairs = []
        for k in sorted(num)[:terms]:
            power = [f"2^({exponent(k >> 32)})"] if k >> 32 else []
            pairs.append((monomial(k & MASK) + power, num[k]))
        return sum_of(pairs, max(len(num) - terms, 0))

    text = numerator(form.num)
    if not form.den:
        return text
    below = "·".join(f"({numerator(t.items[f])})" + (f"^{n}" if n > 1 else "") for f, n in sorted(Counter(form.den).items()))
    return f"({text}) / {below}"
