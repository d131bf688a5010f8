"""What a contract promises, as data: its text, and tables of what the text says at the first combination of dims."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from volta_pipe.driver.contract import MAX_BYTES, Contract
from volta_pipe.driver.contract_parts import KernelSpec, SpecReference
from volta_pipe.driver.files import read_bytes
from volta_pipe.driver.plan import KernelPlan, Plan
from volta_pipe.driver.report.library_text import library_text
from volta_pipe.ir.errors import InputError, Place


def contract_facts(contract: Contract, plan: Plan) -> dict[str, Any]:
    """plan: the contract at its first combination of dims, whose numbers stand in `shape`, `grid` and the like.

    Errors: InputError where the file is another than the one that was verified."""
    path = Path(contract.source.file)
    data = read_bytes(path, "contract", MAX_BYTES)
    if hashlib.sha256(data).hexdigest() != contract.digest:
        raise InputError("was changed while it was verified; run again", Place(contract.source.file))
    launches = [_launch(plan.candidate, "candidate")]
    if isinstance(plan.reference, KernelPlan):
        launches.insert(0, _launch(plan.reference, "reference"))
    return {
        "name": contract.name or path.name,
        "file": path.name,
        "digest": f"sha256:{contract.digest}",
        "text": data.decode("utf-8-sig").replace("\r\n", "\n"),
        "dims": [{"name": name, "values": list(values)} for name, values in contract.dims],
        "at": dict(plan.dims),
        "tensors": [_tensor(tensor) for tensor in plan.candidate.tensors],
        "scalars": [{"name": s.name, "dtype": s.dtype, "value": s.value} for s in contract.scalars],
        "aliases": [list(pair) for pair in contract.aliases],
        "reference": _reference(contract.reference),
        "launches": launches,
        "constants": contract.constants,
        "assume": list(contract.assume),
        "externs": dict(contract.externs),
        "globals": {name: _listed(value) for name, value in contract.globals},
    }


def _tensor(tensor: Any) -> dict[str, Any]:
    spec = tensor.spec
    values = spec.values.name if isinstance(spec.values, Path) else spec.values
    return {
        "name": spec.name,
        "role": spec.role,
        "dtype": spec.dtype,
        "written": list(spec.shape),
        "shape": list(tensor.shape),
        "strides": None if spec.strides is None else list(tensor.strides),
        "bytes": tensor.extent,
        "align": spec.align,
        "values": values,
        "range": None if spec.range is None else list(spec.range),
    }


def _launch(kernel: KernelPlan, side: str) -> dict[str, Any]:
    spec = kernel.spec
    return {
        "side": side,
        "file": spec.source,
        "entry": spec.entry,
        "compiled_from": None if spec.compiled_from is None else spec.compiled_from.name,
        "written": {"grid": list(spec.grid), "block": list(spec.block), "shared": spec.shared},
        "grid": list(kernel.grid),
        "block": list(kernel.block),
        "shared": kernel.shared,
        "ctas": "all" if kernel.ctas is None else [list(cta) for cta in kernel.ctas],
        "args": list(spec.args),
    }


def _reference(reference: KernelSpec | SpecReference | None) -> dict[str, Any] | None:
    """What the candidate is compared with: a kernel, a NumPy function with its text, or None."""
    if reference is None:
        return None
    if isinstance(reference, KernelSpec):
        return {"kind": "kernel", "file": reference.source, "entry": reference.entry}
    whole = None if reference.library else reference.path.read_text(encoding="utf-8", errors="replace")
    return {
        "kind": "library" if reference.library else "function",
        "spec": reference.text,
        "options": {name: _listed(value) for name, value in reference.options},
        "text": library_text(reference.path, reference.function) if whole is None else whole,
    }


def _listed(value: Any) -> Any:
    """Tuples as lists, as JSON has them."""
    return [_listed(item) for item in value] if isinstance(value, Sequence) and not isinstance(value, str) else value
