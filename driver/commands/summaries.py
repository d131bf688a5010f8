"""What each stage's artifact says, in plain words: what `inspect STAGE` prints where no part of it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from volta_pipe.driver.changes.words import PARTS
from volta_pipe.driver.commands.forms import class_facts, forms_text, outcome_text
from volta_pipe.driver.commands.formula import written
from volta_pipe.driver.elements import Shapes, by_shape, element_name, short
from volta_pipe.driver.findings import as_in_source
from volta_pipe.driver.resources import shared_limit
from volta_pipe.driver.stage_summaries import plain

MOST = 20  # of a kind (classes, findings, reasons)
MOST_CLAIMS = 4  # classes of a certificate, which take two lines
MOST_FORMULAS = 4  # classes of `canon` whose normal forms are shown
_CLAIMS = {
    "identical": "one tree on both sides",
    "equal": "equal",
    "cases": "equal in each case",
    "refuted": "differs",
    "open": "nothing is claimed but the renaming",
}


def summary(stage: str, value: Any, shapes: Shapes) -> Iterator[str]:
    """Lines about the value of a stage but `lower`, or of `dynamic`; shapes: of the contract's tensors. Those about
    `check` do not say where in the source, as its report does not."""
    kinds = {"unroll": _program, "check": _report, "canon": _canonical, "decide": _decision, "dynamic": _dynamic}
    yield from kinds.get(stage, _conditions)(value, shapes)
    yield from (f"assuming: {text}" for text in value.assumptions) if hasattr(value, "assumptions") else ()


def _program(program: Any, _: Shapes) -> Iterator[str]:
    ctas, threads = _many(len(program.cta_ids), "CTA"), _many(program.threads, "thread")
    executed = f", which executed {int(program.steps):,} instructions, counted for each thread" if program.steps else ""
    yield f"{ctas} of {threads}{executed}"  # what was executed is no part of the artifact alone
    yield f"left: {_many(len(program.row_instr), 'row')} (a row: one instruction and all threads that execute it together)"
    names = Counter("constant" if i < 0 else _word(program, i) for i in program.row_instr.tolist())
    yield from (f"  {count:>9,} {name}" for name, count in sorted(names.items(), key=lambda pair: (-pair[1], pair[0])))
    yield "memory:"
    for region in program.regions:
        role = f", {region.role}" if region.role else ""
        yield f"  {_region_name(region)}: {region.size:,} bytes{role}"
    for event in program.events[:MOST]:
        yield f"stopped in CTA {event.cta}: {event.kind}: {as_in_source(event.message)}"
    yield "more: --thread 0 shows a thread's program, --rows 0:20 rows as operations, --raw the columns of the artifact"


def _region_name(region: Any) -> str:
    """`global x` of a tensor; the memory that variables are in is called after its space."""
    if region.name != region.space or region.tensor >= 0:
        return f"{region.space} {region.name or 'memory'}"
    return "global variables" if region.space == "global" else f"{region.space} memory"


def _report(report: Any, _: Shapes) -> Iterator[str]:
    yield checked_text(report)
    for kind, events in (("", report.findings), ("no fault", report.remarks)):
        for event in events[:MOST]:
            yield f"  {kind or event.kind}{_times(event.count)}: {as_in_source(event.message)}"
        yield from _more(events)
    yield from (f"  note: {as_in_source(note)}" for note in report.notes)


def checked_text(report: Any) -> str:
    """How much was checked, and how many findings there are."""
    checked = f"{_many(report.accesses, 'access', 'accesses')} to memory and {_many(report.barriers, 'barrier')} checked"
    return f"{checked}: {_many(len(report.findings), 'finding') if report.findings else 'nothing found'}"


def _dynamic(report: Any, shapes: Shapes) -> Iterator[str]:
    if report.refused:
        yield f"not run: {report.refused}"
        return
    yield f"{len(report.trials)} of {report.planned} runs on concrete inputs, with the rounding of PTX"
    for trial in report.trials:
        bad = f"{trial.bad:,} of {trial.compared:,} beyond what is allowed" if trial.bad else f"{trial.compared:,} compared"
        yield f"  {trial.kind}, seed {trial.seed}: {bad}; the largest difference is {trial.worst} times what is allowed"
    if report.mismatch is not None:
        found = report.mismatch
        where = element_name(found.tensor, found.element, shapes)
        yield f"{where} is {found.got}, the reference has {found.expected}, where"
        yield from (f"  {element_name(name, flat, shapes)} = {value}" for name, flat, value in found.inputs[:MOST])
        yield from _more(found.inputs)


def _conditions(conditions: Any, shapes: Shapes) -> Iterator[str]:
    from volta_pipe.ir.nodes import Node

    example = next(written(conditions, shapes), "")
    for place, roots in conditions.outputs.items():
        name = conditions.tensors[place]
        count = int((roots != 0).sum())
        yield f"{name}: expressions of {_many(count, 'output element')}" + (
            f" ({len(roots) - count:,} are not written)" if count < len(roots) else ""
        )
    graph = conditions.graph
    tensors = [conditions.tensors[i] for i in sorted({*graph.a[graph.op == Node.LEAF].tolist()})]
    scalars = [conditions.scalars[i] for i in sorted({*graph.a[graph.op == Node.SCALAR].tolist()})]
    parts = [f"elements of {', '.join(tensors)}"] if tensors else []
    parts += [f"scalar{'s' * (len(scalars) > 1)} {', '.join(scalars)}"] if scalars else []
    leaves = f"; its leaves are {' and '.join(parts)}" if parts else ", of numbers alone"
    yield f"one graph of {_many(len(graph), 'node')} has them all{leaves}"
    if example:
        yield f"more: --element '{example}' shows one as a formula, --raw the columns of the artifact"


def _canonical(canonical: Any, shapes: Shapes) -> Iterator[str]:
    elements = sum(len(c.elements) for c in canonical.classes)
    classes = _many(len(canonical.classes), "class", "classes")
    yield f"{_many(elements, 'output element')} in {classes} (in a class all have the same two expressions, on other inputs):"
    for number, c in enumerate(canonical.classes[:MOST]):
        found = class_facts(canonical, c, shapes)
        yield f"  {_many(found['members'], 'element')} like {found['like']}: {outcome_text(found)}"
        yield from forms_text(found) if number < MOST_FORMULAS else ()
    yield from _more(canonical.classes)
    if len(canonical.classes) > MOST_FORMULAS:
        yield "more: --json has the normal forms and the members of all classes"
    for writer, other, alone in (
        ("reference", "candidate", canonical.only_reference),
        ("candidate", "reference", canonical.only_candidate),
    ):
        if alone.count:
            first = element_name(canonical.tensors[alone.tensor], alone.element, shapes)
            yield f"  {_many(alone.count, 'element')} that the {writer} writes and the {other} does not, the first {first}"


def _decision(decision: Any, shapes: Shapes) -> Iterator[str]:
    stats = decision.stats
    classes = _many(stats.get("classes", 0), "class", "classes")
    yield f"verdict: {decision.verdict}"
    yield f"proved: {stats.get('proved', 0):,} of {_many(stats.get('elements', 0), 'output element')}, which form {classes}"
    left = stats.get("elements", 0) - stats.get("proved", 0)
    if decision.counterexample is not None:  # of the class that is refuted it is the last finding (passes/decide)
        differ = decision.findings[-1].count
        yield f"refuted: {differ:,}; neither proved nor refuted: {left - differ:,}"
    elif left:
        yield f"neither proved nor refuted: {left:,}"
    for finding in decision.findings[:MOST]:
        yield f"  {finding.kind} in {_many(finding.count, 'element')}: {short(by_shape(finding.message, shapes))}"
    yield from _more(decision.findings)
    for reason in decision.unknown[:MOST]:
        yield f"  not decided: {by_shape(reason, shapes)}"
    yield from _more(decision.unknown)
    if decision.certificate is not None:
        yield from _certificate(decision.certificate, shapes)
    if decision.findings:
        yield "more: volta-pipe explain shows the counterexample"


def _certificate(certificate: Any, shapes: Shapes) -> Iterator[str]:
    """What is claimed of each class, with one member as an example of its renaming."""
    names = certificate.tensors
    yield f"certificate of {_many(len(certificate.claims), 'class', 'classes')} (--check checks it with other code):"
    for c in certificate.claims[:MOST_CLAIMS]:
        first = element_name(names[int(c.tensors[0])], int(c.elements[0]), shapes)
        one = len({*c.digests}) == 1
        digests = " and ".join(dict.fromkeys(d[:12] for d in c.digests if d))
        forms = f", normal form{'' if one else 's'} {digests}" if digests else ""
        forms += f" with {', '.join(PARTS.get(rule, rule) for rule in c.rules)}" if c.rules else ""
        yield f"  {_many(len(c.elements), 'element')} like {first}: {_CLAIMS.get(c.claim, c.claim)}{forms}"
        if c.renaming is None:
            yield f"    no renaming: {short(by_shape(c.why, shapes))}"
        elif len(c.elements) > 1:
            yield f"    {_renamed(c, names, shapes)}"
    yield from _more(certificate.claims, MOST_CLAIMS)
    if len(certificate.claims) > MOST_CLAIMS:
        yield "more: --json has the claims, digests and renamings of all classes"


def _renamed(c: Any, names: Sequence[str], shapes: Shapes) -> str:
    """The second member in terms of the representative."""
    r = c.renaming
    shift = r.shifts[r.pattern, 1] if len(r.pattern) else r.pattern
    moved = [i for i, by in enumerate(shift.tolist()) if by]
    named = []
    for i in moved[:1]:
        old, new = int(r.element[i]), int(r.element[i] + shift[i])
        tensor = names[int(r.tensor[i])]
        named.append(f"with {element_name(tensor, new, shapes)} for {element_name(tensor, old, shapes)}")
    second, first = (element_name(names[int(c.tensors[k])], int(c.elements[k]), shapes) for k in (1, 0))
    rest = f" and so on, {len(moved):,} of {_many(len(shift), 'input')}" if len(moved) > 1 else ""
    return f"renaming: {second} is {first} {', '.join(named) or 'on the same inputs'}{rest}"


def resource_text(resources: Mapping[str, Any]) -> Iterator[str]:
    """What a lowered kernel asks of the machine, as comments above its module."""
    limit = shared_limit(resources["target"])
    most = f", of {limit:,} that a CTA can have with dynamic ones" if limit is not None else ""
    yield f"// target {resources['target']}: {resources['shared']:,} bytes of static shared memory{most}"
    yield f"// at most {resources['registers']} registers of 32 bits alive at once (an estimate of what a thread needs)"
    for name, numbers, _ in resources["directives"]:
        yield f"// .{name} {', '.join(map(str, numbers))}".rstrip()


def precision_text(outputs: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """In which formats the additions behind each output are done."""
    for output in outputs:
        sums = Counter[str]()
        for format, _, count in output["accumulations"]:
            sums[format] += count
        added = ", ".join(f"{count:,} in {format}" for format, count in output["additions"])
        summed = ", ".join(f"{count:,} in {format}" for format, count in sums.items())
        yield f"additions behind {output['tensor']}: {added or 'none'}; of those that go on with a sum: {summed or 'none'}"


def facts(step_summary: dict[str, Any]) -> Iterator[str]:
    """The facts that a step's record holds, for `--raw`."""
    for key, item in step_summary.items():
        if key == "origins":
            continue  # the operation of the module that each instruction is
        for part in item if isinstance(item, list) and item else [item]:
            yield f"{key}: {plain(part)}"


def _many(count: int, one: str, more: str = "") -> str:
    return f"{int(count):,} {one if count == 1 else more or one + 's'}"


def _times(count: int) -> str:
    return f" ×{count:,}" if count > 1 else ""


def _more(items: Sequence[Any], most: int = MOST) -> Iterator[str]:
    if len(items) > most:
        yield f"  … and {len(items) - most:,} more"


def _word(program: Any, instruction: int) -> str:
    """What a row of an instruction does; of arithmetic, the operator."""
    from volta_pipe.ir.instructions import Op
    from volta_pipe.ir.nodes import Node

    op = Op(int(program.op[instruction]))
    if op == Op.VALUE:
        return Node(int(program.node[instruction])).name.lower()
    return {Op.LD: "read", Op.ST: "write", Op.LDPARAM: "scalar"}.get(op, op.name.lower().replace("_", "."))
