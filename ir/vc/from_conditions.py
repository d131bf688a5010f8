"""From an expression graph to a module of the `vc` dialect: all output elements, or chosen ones."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, ModuleOp, f64
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.utils.exceptions import VerifyException

from volta_pipe.ir.errors import ArtifactError, InputError
from volta_pipe.ir.graph import Conditions, Graph, rooted
from volta_pipe.ir.modules import MOST_OPERATIONS
from volta_pipe.ir.modules.attributes import integer, word
from volta_pipe.ir.nodes import Node
from volta_pipe.ir.vc.operations import (
    MOST_ELEMENTS,
    OPERATORS,
    REAL,
    ConditionsOp,
    ConstOp,
    LeafOp,
    OutputOp,
    ParameterOp,
    ScalarOp,
    TensorOp,
    UninitOp,
)

Root = tuple[int, int, int]  # tensor, element, node


def module_of(conditions: Conditions, elements: Sequence[tuple[int, int]] | None = None) -> ModuleOp:
    """The module of output elements (tensor, row-major index); None: of all that were written.

    Errors: InputError where an element was not written, or there are too many nodes; ArtifactError where two tensors or scalars
    have one name."""
    for names, what in ((conditions.tensors, "tensors"), (conditions.scalars, "scalars")):
        if len({*names}) != len(names):
            raise ArtifactError(f"conditions artifact: two {what} have one name")
    roots = _written(conditions) if elements is None else _chosen(conditions, elements)
    nodes = _reachable(conditions.graph, [node for _, _, node in roots])
    block = Block()
    values: dict[int, SSAValue] = {}
    try:
        for node in nodes:
            op = _node(conditions, node, values)
            block.add_op(op)
            values[node] = op.results[0]
        for tensor, element, node in roots:
            attributes = {"tensor": word(conditions.tensors[tensor]), "index": integer(element)}
            block.add_op(OutputOp.create(operands=[values[node]], attributes=attributes))
        block.add_op(ReturnOp())
        return ModuleOp([*_declarations(conditions), FuncOp("elements", ((), ()), Region(block))])
    except VerifyException as error:
        raise ArtifactError(f"conditions artifact: {error}") from None


def _written(conditions: Conditions) -> list[Root]:
    """All elements that have a root."""
    found: list[Root] = []
    for tensor, roots in sorted(conditions.outputs.items()):
        places = rooted(roots)
        found += zip([tensor] * len(places), places.tolist(), roots[places].tolist(), strict=True)
    return found


def _chosen(conditions: Conditions, elements: Sequence[tuple[int, int]]) -> list[Root]:
    """The chosen elements, each once, in order."""
    found: list[Root] = []
    for tensor, element in sorted({*elements}):
        roots = conditions.outputs.get(tensor)
        name = conditions.tensors[tensor] if 0 <= tensor < len(conditions.tensors) else f"tensor {tensor}"
        if roots is None or not 0 <= element < len(roots):
            raise InputError(f"{name} has no output element {element}")
        if not roots[element]:
            raise InputError(f"element {element} of {name} is not written")
        found.append((tensor, element, int(roots[element])))
    return found


def _reachable(graph: Graph, roots: Sequence[int]) -> list[int]:
    """The nodes that roots need, operands first. Errors: InputError where they are too many."""
    seen = {*roots}
    stack = [*seen]
    while stack:
        for operand in graph.operands(stack.pop()):
            if operand not in seen:
                seen.add(operand)
                stack.append(operand)
        if len(seen) > MOST_OPERATIONS:
            raise InputError(
                f"the expressions have more than the {MOST_OPERATIONS:,} nodes that become operations; "
                "choose elements with --element y[3,5]"
            )
    return sorted(seen)


def _node(conditions: Conditions, node: int, values: dict[int, SSAValue]) -> Operation:
    """The operation of a node; `values`: those of its operands."""
    graph = conditions.graph
    kind, a, b = Node(int(graph.op[node])), int(graph.a[node]), int(graph.b[node])
    if kind in OPERATORS:
        return OPERATORS[kind].make([values[operand] for operand in graph.operands(node)])
    made: type[Operation]
    attributes: dict[str, Attribute]
    if kind == Node.CONST:
        made, attributes = ConstOp, {"value": FloatAttr(graph.constant(node), f64)}
    elif kind == Node.LEAF:
        made, attributes = LeafOp, {"tensor": word(conditions.tensors[a]), "index": integer(b)}
    elif kind == Node.SCALAR:
        made, attributes = ScalarOp, {"parameter": word(conditions.scalars[a])}
    elif kind == Node.UNINIT:
        made, attributes = UninitOp, {"instruction": integer(a)}
    else:
        raise ArtifactError(f"conditions artifact: an artifact does not hold the operator {kind.name}")
    return made.create(result_types=[REAL], attributes=attributes)


def _declarations(conditions: Conditions) -> list[Operation]:
    tensor_types = conditions.tensor_types or ("",) * len(conditions.tensors)
    scalar_types = conditions.scalar_types or ("",) * len(conditions.scalars)
    found: list[Operation] = [
        ConditionsOp.create(attributes={"assumptions": ArrayAttr([word(text) for text in conditions.assumptions])})
    ]
    for number, (name, kind) in enumerate(zip(conditions.tensors, tensor_types, strict=True)):
        size = len(conditions.outputs[number]) if number in conditions.outputs else -1
        if size >= MOST_ELEMENTS:
            raise InputError(f"{name} has {size:,} elements, more than a module says")
        found.append(TensorOp.create(attributes={"name": word(name), "type": word(kind), "outputs": integer(size)}))
    for name, kind in zip(conditions.scalars, scalar_types, strict=True):
        found.append(ParameterOp.create(attributes={"name": word(name), "type": word(kind)}))
    return found
