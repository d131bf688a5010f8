"""`verify`: a contract's verdict, as `volta-pipe run` gives it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from volta_pipe.driver.api.verdict import Verdict, verdict_of
from volta_pipe.driver.combination import MAX_MEMORY, MAX_STEPS
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.options import check_force, run_options
from volta_pipe.driver.session import opened


def verify(
    contract: Contract | str | os.PathLike[str],
    *,
    store: str | os.PathLike[str] | None = None,
    jobs: int = 0,
    stage: str = "",
    only: str = "",
    skip: Sequence[str] = (),
    max_steps: int = MAX_STEPS,
    max_memory: int = MAX_MEMORY,
    force: Sequence[str] = (),
) -> Verdict:
    """The verdict on a contract, given as an object or by its file. Everything that the contract names is read anew.

    `store`: folder of the artifact store (None: $VOLTA_STORE, else `artifacts`), where what was computed before is found and
    what is computed is kept; `jobs`: stages that run at the same time (0: up to 2); `stage`: the stage after which to stop;
    `only`, `skip`: the layer to run alone, the layers to leave out (dynamic, safety, proof); `max_steps`, `max_memory`: budgets
    of `unroll`, in thread-instructions (200 million) and bytes (8 GiB); `force`: stages to compute though the store has them.

    Nothing is printed, but what a spec prints itself goes to standard error. What is wrong with the kernel is no error but the
    verdict. Errors: InputError on a contract, PTX or spec that is none, a store that cannot be written, options that contradict
    each other, and where a file changes in the meantime.

    >>> verdict = verify("examples/softmax/volta.toml")
    >>> bool(verdict), str(verdict)
    (True, 'equivalent: row softmax, two-pass against online')
    >>> all(row["cached"] for row in verify("examples/softmax/volta.toml").stages)
    True
    >>> verify("examples/axpy/volta.toml", stage="check").verdict is None
    True
    >>> verify("examples/none.toml")
    Traceback (most recent call last):
    volta_pipe.ir.errors.InputError: examples/none.toml: contract does not exist
    """
    if isinstance(skip, str) or isinstance(force, str):  # else each of its letters would be one
        raise TypeError("skip and force are sequences of names")
    options = run_options(stage, jobs, max_steps, max_memory, only, skip)
    check_force(force)
    warnings: list[str] = []
    folder = None if store is None else os.fspath(store)
    given = contract if isinstance(contract, Contract) else os.fspath(contract)
    with opened(given, folder, options, force=force, warn=warnings.append) as session:
        return verdict_of(session, warnings)
