"""`python -m tests.oracle [FIRST] COUNT`: compares the checker with all schedules of random tiny programs (default: 20,000).

Prints what the programs do and every disagreement, on a smallest program; exit code 1 if there is one that is no known gap."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from oracle_run import Tally, compare, told

_STEP = 1000
_SHOWN = 10  # disagreements that are told in full


def main(arguments: list[str]) -> int:
    """Compares in steps, with a line after each."""
    numbers = [int(word) for word in arguments]
    first, count = (numbers[0], numbers[1]) if len(numbers) > 1 else (0, numbers[0] if numbers else 20_000)
    total, start = Tally(), time.perf_counter()
    for at in range(first, first + count, _STEP):
        part = compare(range(at, min(at + _STEP, first + count)))
        total.sorts += part.sorts
        total.gaps += part.gaps
        total.states += part.states
        for number, wrong in part.wrong:
            total.wrong.append((number, wrong))
            print(told(number) if len(total.wrong) <= _SHOWN else f"program {number}: {wrong}", flush=True)
        done = sum(total.sorts.values())
        print(
            f"{done} programs, {len(total.wrong)} disagreements, {time.perf_counter() - start:.0f} s",
            file=sys.stderr,
            flush=True,
        )
    print(f"{sum(total.sorts.values())} programs, {total.states} states of their schedules")
    for name, number in total.sorts.most_common():
        print(f"{number:8} {name}")
    for name, number in total.gaps.most_common():
        print(f"{number:8} differ, known gap: {name}")
    print(f"{len(total.wrong):8} differ otherwise")
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
