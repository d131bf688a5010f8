"""How often a run looks for loops that wait for memory: each look copies the memory, so short CTAs must not each have one."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from volta_pipe.passes.unroll.polling import _FIRST, Watch
from volta_pipe.passes.unroll.state import LANE_ROWS, PAUSE_AT, PC, SCALARS, STEPS, Lanes, Memory


def test_short_ctas_share_their_looks() -> None:
    threads, each = 32, 1000
    st = np.zeros(SCALARS, np.int64)
    lanes = Lanes(
        np.zeros((2, threads), np.int64),
        np.zeros((1, threads), np.uint8),
        np.zeros((2, 1), np.uint8),
        np.zeros((LANE_ROWS, threads), np.int64),
    )
    memory = Memory(np.zeros(8, np.uint32), np.zeros(8, np.uint32), np.zeros((1, 4), np.int64))
    watch, begun = Watch(), []
    for cta in range(100 * _FIRST // each):
        watch.forget(int(st[STEPS]))
        watch.pause(st, 1 << 60)
        for _ in range(3):  # rows of code after the pause: too few to end a look
            if st[STEPS] + each < st[PAUSE_AT] and watch.kept is None:
                break
            was = watch.kept
            st[PC] += 1  # no state comes back
            st[STEPS] = max(st[STEPS], watch.next if was is None else 0)
            assert watch.look(cta, None, lanes, st, memory) is None  # type: ignore[arg-type]
            if was is None and watch.kept is not None:
                begun.append(int(st[STEPS]))
        st[STEPS] += each
    assert 2 <= len(begun) <= 5
    assert begun[0] == _FIRST
    assert all(later > 4 * earlier for earlier, later in pairwise(begun))
