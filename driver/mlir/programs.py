"""The stages on modules: a module that holds a kernel becomes its program, that its expressions, and two of those are compared.

What a module was made of, and what is known of it, are its attributes `volta.…`: the contract, the side, the dims, and then the
findings. A module by itself says nothing about a kernel that a contract does not launch, so each has a contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, StringAttr
from xdsl.ir import Operation

from volta_pipe.driver.combination import MAX_MEMORY, MAX_STEPS
from volta_pipe.driver.mlir.contracts import SIDES, contract_at, dims_text, kernel_of
from volta_pipe.driver.verdict import REAL
from volta_pipe.ir.errors import InputError, UnsupportedError

if TYPE_CHECKING:
    from volta_pipe.driver.plan import KernelPlan

CONTRACT, SIDE, DIMS = "volta.contract", "volta.side", "volta.dims"
SAFETY, FINDINGS, ASSUMING = "volta.safety", "volta.findings", "volta.assuming"
VERDICT, REASONS = "volta.verdict", "volta.reasons"


def unroll_kernels(module: ModuleOp, contract: str, side: str, dims: str) -> None:
    """Every kernel that the contract launches, in place, to its program. Errors: InputError where there is none, or the
    arguments do not fit; UnsupportedError, BudgetError of `unroll` are events of the program."""
    from volta_pipe.driver.arguments import Parameter, check_signature
    from volta_pipe.ir.ptx import KernelOp, check_symbols
    from volta_pipe.ir.ptx import kernel_of as ptx_kernel_of
    from volta_pipe.ir.scta import module_of
    from volta_pipe.passes.unroll import unroll

    if side and side not in SIDES:
        raise InputError(f"side is {' or '.join(SIDES)}, not '{side}'")
    done, seen = set[str](), list[str]()
    for one in list(_holding(module, KernelOp)):
        entry = ptx_kernel_of(one).sym_name.data
        path = contract or _text(one, CONTRACT)
        if not path:
            raise InputError(f'ptx-to-scta needs a contract, as ptx-to-scta{{contract="volta.toml"}}, to launch {entry}')
        seen.append(entry)
        chosen = side or _text(one, SIDE) or _side_of(path, entry, done)
        launched = kernel_of(path, chosen, dims) if chosen else None
        if launched is None or launched.spec.entry != entry:
            continue
        done.add(chosen)
        parameters = [Parameter.of(parameter) for parameter in ptx_kernel_of(one).parameters]
        check_signature(launched, parameters, contract_at(path).source)
        bare = _bare(one)
        check_symbols(bare)
        program = unroll(bare, launched.launch(), max_steps=MAX_STEPS, max_memory=MAX_MEMORY)
        _refill(one, module_of(program))
        made = {CONTRACT: path, SIDE: chosen, DIMS: dims_text(path, dims)}
        one.attributes |= {key: StringAttr(value) for key, value in made.items()}
    if not done:
        raise InputError(f"the contract launches none of the module's kernels ({', '.join(seen) or 'there are none'})")


def check_programs(module: ModuleOp) -> None:
    """Write what `check` finds of each program: `volta.safety` (safe or unsafe), findings, and assumptions."""
    from volta_pipe.ir.scta import ProgramOp, program_of
    from volta_pipe.passes.check import check

    for one in _all(module, ProgramOp, "scta.program"):
        report = check(program_of(_bare(one)), _launched(one).launch())
        one.attributes[SAFETY] = StringAttr("unsafe" if report.findings else "safe")
        _set(one, FINDINGS, [f"{finding.kind}: {finding.message}" for finding in report.findings])
        _assume(one, report.assumptions)


def express_programs(module: ModuleOp) -> None:
    """Every program, in place, to the expressions of its outputs. Errors: UnsupportedError where it did not come to its end."""
    from volta_pipe.ir.scta import ProgramOp, program_of
    from volta_pipe.ir.vc import module_of
    from volta_pipe.passes.vc import vc

    for one in _all(module, ProgramOp, "scta.program"):
        program = program_of(_bare(one))
        if program.events or not program.complete:
            why = program.events[0].message if program.events else "it did not come to its end"
            raise UnsupportedError(f"the {_text(one, SIDE) or 'program'} has no expressions: {why}")
        _refill(one, module_of(vc(program, _launched(one).launch())))


def compare_expressions(module: ModuleOp, constants: str) -> None:
    """Write the verdict of two modules of expressions on the module around them. They are believed of programs that were
    checked and found safe only: those of others may depend on the schedule. Errors: InputError."""
    from volta_pipe.ir.vc import ConditionsOp, conditions_of
    from volta_pipe.passes.canon import canon
    from volta_pipe.passes.decide import decide

    if constants not in ("named", "exact"):
        raise InputError(f"constants is named or exact, not '{constants}'")
    found = _all(module, ConditionsOp, "vc.conditions")
    if len(found) != 2:
        raise InputError(f"vc-canon compares two modules of expressions, there are {len(found)} (a NumPy reference is none)")
    sides = {_text(one, SIDE): one for one in found}
    reference, candidate = (sides[side] for side in SIDES) if sides.keys() == set(SIDES) else found
    launched = [_text(one, key) for one in found for key in (CONTRACT, DIMS)]
    if launched[:2] != launched[2:]:
        raise InputError("the two modules are launches of different contracts or dims")
    one, other = (conditions_of(_bare(side)) for side in (reference, candidate))
    ranges = _launched(candidate).ranges() if launched[0] else None
    decision = decide(canon(one, other, constants=constants), one, other, ranges=ranges)
    reasons = [*(f"{finding.kind}: {finding.message}" for finding in decision.findings), *decision.unknown]
    verdict = decision.verdict
    names = {side: _text(side, SIDE) or "side" for side in found}
    unsafe = [side for side in found if _text(side, SAFETY) == "unsafe"]
    unchecked = [side for side in found if _text(side, SAFETY) not in ("safe", "unsafe")]
    if unsafe:
        verdict = "unsafe"
        reasons = [f"the {names[side]} is unsafe: {', '.join(_kinds(side))}" for side in unsafe]
    elif unchecked and verdict == "equivalent":
        verdict = "unknown"
        which = " and ".join(f"the {names[side]}" for side in unchecked) + (" was" if len(unchecked) == 1 else " were")
        reasons.append(f"the expressions are equal, but {which} not checked: scta-check comes before scta-to-vc")
    module.attributes[VERDICT] = StringAttr(verdict)
    _set(module, REASONS, reasons)
    _assume(module, (REAL, *one.assumptions, *other.assumptions, *decision.assumptions))
    if any(_launched(side).ctas is not None for side in found if launched[0]):
        _assume(module, ("the CTAs that the contract chooses are all that matters",))


def _side_of(path: str, entry: str, done: set[str]) -> str:
    """The side of a contract that a kernel is: the first that is not taken yet."""
    from volta_pipe.driver.contract_parts import KernelSpec

    contract = contract_at(path)
    for side, spec in (("reference", contract.reference), ("candidate", contract.candidate)):
        if isinstance(spec, KernelSpec) and spec.entry == entry and side not in done:
            return side
    return ""


def _holding(module: ModuleOp, kind: type[Operation]) -> Iterator[ModuleOp]:
    """The modules that hold an operation themselves."""
    if any(isinstance(op, kind) for op in module.body.ops):
        yield module
    for op in module.body.ops:
        if isinstance(op, ModuleOp):
            yield from _holding(op, kind)


def _all(module: ModuleOp, kind: type[Operation], name: str) -> list[ModuleOp]:
    found = list(_holding(module, kind))
    if not found:
        raise InputError(f"the module holds no {name}")
    return found


def _bare(module: ModuleOp) -> ModuleOp:
    """A copy of a module without its name and attributes: what a stage expects."""
    copy = module.clone()
    copy.attributes.clear()
    copy.properties.clear()
    return copy


def _refill(module: ModuleOp, new: ModuleOp) -> None:
    """Put the operations of a module in the place of another's."""
    region = new.detach_region(0)
    old = module.detach_region(0)
    module.add_region(region)
    old.drop_all_references()


def _launched(module: ModuleOp) -> KernelPlan:
    """The launch that a module's attributes name. Errors: InputError."""
    path, side = _text(module, CONTRACT), _text(module, SIDE)
    found = kernel_of(path, side, _text(module, DIMS)) if path and side in SIDES else None
    if found is None:
        hint = "volta-opt volta.toml -p ptx-to-scta makes one that does"
        raise InputError(f"the module does not say which launch of which contract it is ({CONTRACT}, {SIDE}, {DIMS}); {hint}")
    return found


def _text(module: ModuleOp, key: str) -> str:
    value = module.attributes.get(key)
    return value.data if isinstance(value, StringAttr) else ""


def _kinds(module: ModuleOp) -> list[str]:
    """The kinds of a module's findings, each once."""
    findings = module.attributes.get(FINDINGS)
    texts = [one.data for one in findings if isinstance(one, StringAttr)] if isinstance(findings, ArrayAttr) else []
    return list(dict.fromkeys(text.split(":")[0] for text in texts)) or ["its findings are not there any more"]


def _assume(module: ModuleOp, texts: Iterable[str]) -> None:
    """Add assumptions to those that a module has."""
    before = module.attributes.get(ASSUMING)
    known = [text.data for text in before if isinstance(text, StringAttr)] if isinstance(before, ArrayAttr) else []
    _set(module, ASSUMING, list(dict.fromkeys([*known, *texts])))


def _set(module: ModuleOp, key: str, texts: list[str]) -> None:
    """An array of strings as attribute; none where there are none."""
    module.attributes.pop(key, None)
    if texts:
        module.attributes[key] = ArrayAttr(StringAttr(text) for text in texts)
