"""Times `canon` and `decide` on large pairs; run by hand: python tests/canon/measure.py [attention|matmul|long]."""

from __future__ import annotations

import sys
import time

from expressions import attention, matmul

from volta_pipe.ir.graph import Conditions
from volta_pipe.passes.canon import _elements, canon, classes
from volta_pipe.passes.decide import decide


def measure(name: str, x: Conditions, y: Conditions) -> None:
    for turn in ("first", "second"):
        t0 = time.perf_counter()
        elements, _, _ = _elements(x, y)
        found = list(classes.groups(elements, x, y))
        t1 = time.perf_counter()
        c = canon(x, y)
        t2 = time.perf_counter()
        d = decide(c, x, y)
        t3 = time.perf_counter()
        size = len(b"".join(bytes(chunk) for chunk in c.encode()))
        print(
            f"{name}, {turn}: {d.verdict}, {d.stats['elements']} elements, {len(found)} classes of {found[0].sizes} nodes; "
            f"classes {t1 - t0:.3f} s, canon (with classes) {t2 - t1:.3f} s, decide {t3 - t2:.4f} s; artifact {size} bytes"
        )


if __name__ == "__main__":
    wanted = sys.argv[1:] or ["attention", "matmul"]
    if "attention" in wanted:
        measure("attention 64x64x64, naive against FA1", attention(64, 64, 64), attention(64, 64, 64, block=16))
        measure("its mutant", attention(64, 64, 64), attention(64, 64, 64, block=16, mutant="rescale"))
    if "matmul" in wanted:
        measure("matmul 128x128x128, forwards against backwards", matmul(128, 128, 128), matmul(128, 128, 128, order="back"))
    if "long" in wanted:
        measure("attention Q 16x64, K and V 512x64", attention(16, 512, 64), attention(16, 512, 64, block=64, late=True))
        measure("matmul 64x64x4096", matmul(64, 64, 4096), matmul(64, 64, 4096, order="back"))
