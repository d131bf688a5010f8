"""`volta-pipe inspect`: an artifact, by its stage in a contract or by its digest."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from volta_pipe.driver.commands.artifacts import CONDITIONS_STAGES, column_text, is_digest, one_artifact, text_of
from volta_pipe.driver.commands.formula import formula, parse_element
from volta_pipe.driver.engine import Step
from volta_pipe.driver.fields import close
from volta_pipe.driver.pipeline import SIDES, Combination, Options
from volta_pipe.driver.plan import KernelPlan
from volta_pipe.driver.screen import Screen
from volta_pipe.driver.session import Session, store_folder, verify
from volta_pipe.driver.stages import ORDER, plain
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError

MOST_LINES = 5000


@dataclass(frozen=True)
class Wanted:
    """What to show: side, combination (`name=value`), a thread's program, an element's formula, MLIR, JSON."""

    side: str
    dims: tuple[str, ...]
    thread: int | None
    cta: int
    element: str | None
    mlir: bool
    json: bool


def inspect_command(what: str, contract: str, folder: str | None, wanted: Wanted) -> int:
    """Prints it. Errors: InputError when there is nothing to show."""
    with Store(store_folder(folder)) as store:
        if what in ORDER or what == "trace":
            lines = _of_stage(what, contract, store, wanted)
        elif is_digest(what):
            artifact = one_artifact(store, what)
            lines = iter([f"{artifact.stage} {artifact.output} sha256:{artifact.digest}", *text_of(store, artifact)])
        else:
            raise InputError(f"'{what}' is no stage{close(what, ORDER)} and no digest (stages: {', '.join(ORDER)})")
        for place, line in enumerate(lines):
            if place == MOST_LINES:
                print(f"… cut after {MOST_LINES} lines")
                break
            print(line)
    return 0


def _of_stage(name: str, contract: str, store: Store, wanted: Wanted) -> Iterator[str]:
    if wanted.side not in SIDES:
        raise InputError(f"--side: '{wanted.side}' is neither of {', '.join(SIDES)}")
    screen = Screen(None)
    try:
        last = "vc" if name == "trace" else name
        session = verify(contract, store, Options("" if last == ORDER[-1] else last), watch=screen)
    finally:
        screen.close()
    one = _combination(session, wanted)
    side = "both" if name in ORDER[4:] else wanted.side
    step = one.steps.get((side, name))
    if step is None and name == "vc":
        step = one.steps.get((side, "trace"))
    if step is None or step.error:
        found = [f["message"] for f in session.document["findings"]]
        raise InputError(f"there is no artifact of {name} ({side})" + (f": {found[0]}" if found else ""))
    return _shown(step, session, one, wanted)


def _combination(session: Session, wanted: Wanted) -> Combination:
    asked: dict[str, int] = {}
    for text in wanted.dims:
        key, _, value = text.partition("=")
        if not value.lstrip("-").isdecimal():
            raise InputError(f"--dims: '{text}' is not NAME=VALUE")
        asked[key] = int(value)
    for one in session.combinations:
        if all(one.plan.dims.get(key) == value for key, value in asked.items()):
            return one
    raise InputError(f"--dims: the contract has no combination with {', '.join(wanted.dims)}")


def _shown(step: Step, session: Session, one: Combination, wanted: Wanted) -> Iterator[str]:
    name = step.stage.name
    if wanted.json:
        dims = one.plan.dims
        facts = {"stage": name, "side": wanted.side, "dims": dims, "artifact": f"sha256:{step.artifact}", **step.summary}
        yield from json.dumps(facts, indent=1, ensure_ascii=False).splitlines()
        return
    print(f"{name} {wanted.side} sha256:{step.artifact}", file=sys.stderr)
    value = session.engine.value(step)
    if name == "lower":
        yield from _module(value.module, generic=wanted.mlir)
    elif name == "unroll" and wanted.thread is not None:
        from volta_pipe.passes.unroll.show import thread_program

        threads, ctas = int(value.threads), len(value.cta_ids)
        if wanted.thread >= threads or wanted.cta >= ctas:
            raise InputError(f"--thread, --cta: there are {threads} threads in each of {ctas} CTAs")
        kernel = one.plan.candidate if wanted.side == "candidate" else one.plan.reference
        tensors = kernel.launch().tensors if isinstance(kernel, KernelPlan) else ()
        yield from islice(thread_program(value, wanted.cta, wanted.thread, tensors), MOST_LINES + 1)
    elif name in CONDITIONS_STAGES and wanted.element is not None:
        shapes = {tensor.spec.name: tensor.shape for tensor in one.plan.candidate.tensors}
        yield from formula(value, shapes, *parse_element(wanted.element))
    elif name == "canon" and hasattr(value, "show"):
        yield from value.show()
    else:
        yield from _summary(step, value)


def _module(module: Any, *, generic: bool) -> Iterator[str]:
    from volta_pipe.passes import lower

    yield from (lower.print_generic(module) if generic else lower.print_module(module)).splitlines()


def _summary(step: Step, value: Any) -> Iterator[str]:
    """The facts of a step, then the columns of its artifact."""
    for key, item in step.summary.items():
        for part in item if isinstance(item, list) and item else [item]:
            yield f"{key}: {plain(part)}"
    encoded = value.encode()
    data = encoded if isinstance(encoded, bytes) else b"".join(bytes(part) for part in encoded)
    if data[:16] == b"volta-pipe/col/1":
        yield from column_text(memoryview(data))
