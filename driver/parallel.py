"""Parts of a run at the same time: what the store answers at once, and the rest in threads."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from volta_pipe.ir.errors import InputError


def each(call: Callable[..., bool], work: Sequence[tuple[Any, ...]], jobs: int) -> None:
    """Calls on all of `work` (arguments of `call`): with compute=False, what the store answers; then, `jobs` at a time, with
    compute=True, where that gave False. The error raised is the first in the order of `work`, whatever is done first."""

    def answered(item: tuple[Any, ...]) -> bool:
        try:
            return call(*item, compute=False)
        except InputError:  # comes again below, in its turn
            return False

    left = [item for item in work if not answered(item)]
    jobs = min(jobs, len(left))

    def attempt(item: tuple[Any, ...]) -> Exception | None:
        try:
            call(*item, compute=True)
        except Exception as error:  # raised below
            return error
        return None

    if jobs == len(left) == 2:  # the two sides: two threads, without the tenth of a second that importing joblib takes
        first: list[Exception | None] = []
        other = threading.Thread(target=lambda: first.append(attempt(left[0])))
        other.start()
        second = attempt(left[1])
        other.join()
        errors = [*first, second]
    elif jobs > 1:
        from joblib import Parallel, delayed

        errors = Parallel(n_jobs=jobs, backend="threading")(delayed(attempt)(item) for item in left)
    else:
        errors = [attempt(item) for item in left]
    for error in errors:
        if error is not None:
            raise error
