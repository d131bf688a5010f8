"""`python -m tests.decision [FIRST] COUNT`: the verdicts on COUNT (5,000) random pairs by valid rewriting, and on as many with
one mutation, against values in ball arithmetic.

Prints the verdicts by kind, the reasons of `unknown` and every wrong verdict, on a small pair; exit code 1 if there is one.
`python -m tests.decision KIND NUMBER` shows one pair."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from decision_fuzz import KINDS, Tally, decided, made, mistake, run, shrunk

_STEP = 250
_SHOWN = 10  # wrong verdicts that are told in full


def main(arguments: list[str]) -> int:
    """In steps, with a line after each."""
    if arguments and arguments[0] in KINDS:
        return _one(arguments[0], int(arguments[1]))
    numbers = [int(word) for word in arguments]
    first, count = (numbers[0], numbers[1]) if len(numbers) > 1 else (0, numbers[0] if numbers else 5_000)
    total, start = Tally(), time.perf_counter()
    for at in range(first, first + count, _STEP):
        for kind in KINDS:
            part = run(kind, range(at, min(at + _STEP, first + count)))
            for _, number, why in part.wrong:
                print(f"{kind} {number}: {why}", flush=True)
                if len(total.wrong) < _SHOWN:
                    e, f, small = shrunk(*made(kind, number))
                    print(f"  {e}\n  {f}\n  {small}", flush=True)
            total.add(part)
        done = sum(total.verdicts.values())
        print(f"{done} pairs, {len(total.wrong)} wrong, {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    for (kind, verdict), number in sorted(total.verdicts.items()):
        print(f"{number:8} {kind}: {verdict}")
    for (kind, reason), number in total.reasons.most_common():
        print(f"{number:8} {kind}, unknown: {reason}")
    seconds, kind, number = total.slowest
    print(f"{len(total.wrong):8} wrong; slowest: {kind} {number}, {seconds:.2f} s")
    return 1 if total.wrong else 0


def _one(kind: str, number: int) -> int:
    e, f = made(kind, number)
    d = decided(e, f)
    why = mistake(e, f, d)
    print(e, f, d, why, sep="\n")
    return 1 if why else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
