"""From expression graph to normal form: one pass over the nodes under a root, operands first, explicit stack.

Forms of nodes are kept, so that classes whose representatives share nodes share the work. The running total of a chain of
ADD, SUB and FMA is built in place where nobody else needs it: a sum of K products costs K, not K²."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, cast

import numpy as np

from volta_pipe.ir.graph import ARITY_TABLE, Graph
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.normal_form import Form, add_into
from volta_pipe.passes.canon.arithmetic import ONE, POSITIVE, ZERO, Undecidable
from volta_pipe.passes.canon.partial import Partial
from volta_pipe.passes.canon.rules import Rules
from volta_pipe.passes.canon.twins import Numbered, Trees
from volta_pipe.passes.canon.uses import Order, terms_to_name

# Terms kept between classes before the forms of earlier classes are dropped.
_KEPT = 4_000_000
_LEAF, _FMA = int(Node.LEAF), int(Node.FMA)
_SUMS = frozenset((int(Node.ADD), int(Node.SUB), _FMA))
_FACTORS = 8  # of a product up to which a root is taken of each
_ARITY: list[int] = ARITY_TABLE.tolist()
_DOMAINS = {Node.LG2: True, Node.LOG: True, Node.RSQRT: True, Node.SQRT: False}
_STRICT = frozenset({
    Node.ADD, Node.SUB, Node.MUL, Node.FMA, Node.DIV, Node.NEG, Node.ABS, Node.RCP, Node.SQRT, Node.RSQRT, Node.EX2, Node.EXP,
    Node.LG2, Node.LOG, Node.SIN, Node.COS, Node.TANH, Node.ERF, Node.FLOOR, Node.CEIL, Node.RINT, Node.TRUNC,
})  # fmt: skip
_view: Any = memoryview  # its elements are plain integers; mypy does not take an array for a buffer


class Translator:
    """Normal forms of the nodes of one graph."""

    def __init__(self, graph: Graph, rules: Rules) -> None:
        self.rules = rules
        self.table = rules.table
        self._graph = graph
        self._op, *self._columns = (_view(x) for x in (graph.op, graph.a, graph.b, graph.c))
        self._forms: dict[int, Form] = {}
        self._inverses: dict[int, Form] = {}
        self._kept = 0
        self._trees: Numbered | None = None
        self._other_side: Translator | None = None
        self._has_domain = bool(np.isin(graph.op, [int(op) for op in _DOMAINS]).any())
        limits = np.zeros(len(graph), np.uint8) if rules.names is None else terms_to_name(graph)
        self._limits, self._long = limits, _view(limits)
        self._nodes = Order(graph)
        self._partial: Partial | None = None  # made where it is asked for: it takes four bytes a node
        t, r = rules.table, rules
        self._unary: dict[int, Callable[[Form], Form]] = {
            Node.NEG: lambda x: t.scaled(x, -1),
            Node.ABS: r.absolute,
            Node.SQRT: r.sqrt,
            Node.EX2: r.exp2,
            Node.EXP: r.exp,
            Node.LG2: r.lg2,
            Node.LOG: r.log,
            Node.TANH: r.tanh,
            Node.SIN: r.sine,
            Node.COS: r.cosine,
            Node.ERF: r.erf,
            Node.FLOOR: lambda x: r.rounding("floor", x),
            Node.CEIL: lambda x: t.scaled(r.rounding("floor", t.scaled(x, -1)), -1),
            Node.RINT: lambda x: r.rounding("rint", x),
            Node.TRUNC: lambda x: r.rounding("trunc", x),
            Node.SAT: lambda x: r.minimum(r.maximum(x, ZERO), ONE),
            Node.NOT: r.negation,
        }
        self._binary: dict[int, Callable[[Form, Form], Form]] = {
            Node.MUL: t.mul,
            Node.MAX: r.maximum,
            Node.MIN: r.minimum,
            Node.POW: r.pow,
            Node.LT: r.less,
            Node.LE: lambda x, y: r.negation(r.less(y, x)),
            Node.EQ: r.equals,
            Node.NE: lambda x, y: r.negation(r.equals(x, y)),
            Node.AND: t.mul,
            Node.OR: lambda x, y: t.add(t.add(x, y), t.mul(x, y), -1),
            Node.XOR: lambda x, y: t.add(t.add(x, y), t.scaled(t.mul(x, y), 2), -1),
        }

    @staticmethod
    def pair(graphs: tuple[Graph, Graph], rules: Rules) -> tuple[Translator, Translator]:
        """Translators of two graphs, the second of which takes forms of equal trees from the first."""
        first, second = Translator(graphs[0], rules), Translator(graphs[1], rules)
        if not first._has_domain and not second._has_domain:  # `domain` and `_parts` ask for forms below the root
            trees = Trees()
            first._trees, second._trees = (
                Numbered(side._graph, trees, side._limits, first=side is first) for side in (first, second)
            )
            second._other_side = first
        return first, second

    def form(self, root: int) -> Form:
        """Normal form of a node, literals exact. Errors: Undecidable; BudgetError when the table's budget is used up."""
        if self._kept > _KEPT:
            self._forms, self._inverses, self._kept = {}, {}, 0
            self._nodes.forget()
            if self._trees is not None:
                self._trees.forget()
        try:
            self._make(self._order(root))
        finally:
            self._nodes.unused()
        return self.rules.exact(self._forms[root])

    def _make(self, order: list[int]) -> None:
        """Makes the forms of nodes, each behind its operands."""
        uses, has = self._nodes.uses, self._nodes.has
        own: set[int] = set()  # nodes whose numerator nobody else refers to
        forms, names, long, ops = self._forms, self.rules.names, self._long, self._op
        tensor, element, *_ = self._columns
        atom, monomial = self.table.atom, self.table.monomial
        for node in order:
            op = ops[node]
            if op == _LEAF:  # a third of all nodes, and nothing else is to be done for it
                forms[node] = Form({monomial(((atom("leaf", tensor[node], element[node]), 1),)): 1}, ())
                has[node] = 1
                self._kept += 1
                continue
            operands = self._operands(node)
            for operand in operands:
                uses[operand] -= 1
            if op in _SUMS:
                if op != _FMA or not self._product_added(node, operands, own):
                    forms[node] = self._sum(op, operands, own)
                own.add(node)
            else:
                made = self._other(op, node, operands)
                if any(made.num is forms[i].num for i in operands):  # an operand's total may yet grow in place
                    made = Form(dict(made.num), made.den)
                forms[node] = made
            if names is not None and 0 < long[node] <= len(forms[node].num) and names.can(forms[node]):
                forms[node] = names.named(forms[node], POSITIVE)
                own.discard(node)
            has[node] = 1
            self._kept += len(forms[node].num)

    def domain(self, root: int) -> list[tuple[Form, bool]]:
        """What must be positive (or ≥ 0, with False) for a root that was just translated to have a value at all.

        Only operators that pass on what is undefined are gone through: the arms of a select, operands of a maximum, and
        comparisons may be undefined where the root is not."""
        if not self._has_domain:
            return []
        if self._partial is None:
            self._partial = Partial(self._op, self._operands, _STRICT, frozenset(_DOMAINS))
        found = ((self._forms.get(self._operands(node)[0]), _DOMAINS[self._op[node]]) for node in self._partial.under(root))
        return [(self.rules.exact(form), strict) for form, strict in found if form is not None]

    def _operands(self, node: int) -> tuple[int, ...]:
        a, b, c = self._columns
        count = _ARITY[self._op[node]]
        if count == 2:
            return a[node], b[node]
        return (a[node], b[node], c[node]) if count == 3 else (a[node],) if count else ()

    def _order(self, root: int) -> list[int]:
        """Nodes without a form under the root, operands first; those that are equal to nodes of the other side get theirs."""
        order = self._nodes.under(root)
        if self._trees is not None:
            self._trees.number(order)
            if self._other_side is not None:
                forms, theirs = self._forms, self._other_side._forms
                taken = []
                for node, twin in zip(order.tolist(), self._trees.twins(order).tolist(), strict=True):
                    if twin and (form := theirs.get(twin)) is not None:
                        forms[node] = form
                        taken.append(node)
                if taken:
                    order = self._nodes.without(root, order, np.array(taken))
        return cast("list[int]", order.tolist())

    def _product_added(self, node: int, operands: tuple[int, ...], own: set[int]) -> bool:
        """Adds the product of two inputs to the total of a dot product in place, which is most of what matrix products and
        attention do; False where it is anything else. The same as `_sum` gives, a tenth of its time."""
        x, y, base = operands
        if self._op[x] != _LEAF or self._op[y] != _LEAF or base not in own or self._nodes.uses[base]:
            return False
        forms, t = self._forms, self.table
        total = forms[base]
        if len(total.num) < 2 or total.den:  # one term may be a name, and a sum may be multiplied by what it is divided by
            return False
        (first,), (second,) = forms[x].num, forms[y].num
        t.charge(2)
        add_into(total.num, {t.times(first, second): 1})
        del forms[base]
        self._nodes.has[base] = 0
        forms[node] = total
        return True

    def _sum(self, op: int, operands: tuple[int, ...], own: set[int]) -> Form:
        t, forms = self.table, self._forms
        if op == Node.FMA:
            base, sign = operands[2], 1
            term = t.mul(forms[operands[0]], forms[operands[1]])
        else:
            base, other = operands
            sign = -1 if op == Node.SUB else 1
            if sign == 1 and len(forms[base].num) < len(forms[other].num):
                base, other = other, base
            term = forms[other]
        if self.rules.names is not None:
            both = self.rules.names.replaced(forms[base], term)
            if both is not None:
                return t.add(*both, sign, own=True)
        if base in own and not self._nodes.uses[base] and operands.count(base) == 1:
            whole = forms.pop(base)  # its last use: the total grows in place
            self._nodes.has[base] = 0
            total = t.add(whole, term, sign, own=True)
        else:
            whole = forms[base]
            total = t.add(whole, term, sign)
            if total.num is whole.num:
                total = Form(dict(total.num), total.den)
        return Form(dict(total.num), total.den) if total.num is term.num else total

    def _other(self, op: int, node: int, operands: tuple[int, ...]) -> Form:
        g, r, t = self._graph, self.rules, self.table
        if op == Node.CONST:
            return r.constant(g.constant(node))
        if op == Node.SCALAR:
            return t.of_atom(t.atom("scalar", int(g.a[node])))
        arguments = [self._forms[i] for i in operands]
        if op in (Node.SQRT, Node.RSQRT) and (parts := self._parts(operands[0])):
            squared, single = parts
            one_root = r.sqrt if op == Node.SQRT else r.rsqrt
            found = [r.absolute(x) if op == Node.SQRT else r.inverse(r.absolute(x)) for x in squared]
            return reduce(t.mul, found + [one_root(x) for x in single])
        if op in (Node.DIV, Node.RCP):
            below = self._inverse(operands[-1])
            return t.mul(arguments[0], below) if op == Node.DIV else below
        if op == Node.RSQRT:
            return r.rsqrt(arguments[0])
        if op == Node.SELECT:
            return r.select(arguments[0], arguments[1], arguments[2])
        if len(arguments) == 1 and op in self._unary:
            return self._unary[op](arguments[0])
        if len(arguments) == 2 and op in self._binary:
            return self._binary[op](arguments[0], arguments[1])
        raise Undecidable(f"the operator {Node(op).name} has no normal form")

    def _parts(self, node: int) -> tuple[list[Form], list[Form]] | None:
        """(forms that are squared, others) of the factors of a product whose root is taken, if each of the others is known not
        to be negative: sqrt(x · x · y) is |x| · sqrt y then, and sums under it stay as they are. None where it is no such
        product."""
        found: list[Form] = []
        stack = [node]
        while stack:
            inner = stack.pop()
            if self._op[inner] == Node.MUL:
                stack += self._operands(inner)
                if len(stack) + len(found) > _FACTORS:
                    return None
                continue
            form = self._forms.get(inner)  # gone where a total has grown out of it
            if form is None:
                return None
            found.append(form)
        squared: list[Form] = []
        single: list[Form] = []
        for form in found:
            if form in single:
                single.remove(form)
                squared.append(form)
            else:
                single.append(form)
        if len(found) < 2 or not all(self.rules.signs.nonnegative(self.rules.exact(form)) for form in single):
            return None
        return squared, single

    def _inverse(self, node: int) -> Form:
        """1 / node, made once for a divisor that many quotients share."""
        known = self._inverses.get(node)
        if known is None:
            known = self._inverses[node] = self.rules.inverse(self._forms[node])
        return known
