"""`python -m tests.store [artifacts COUNT] [kills COUNT] [pairs COUNT] [seed N]`: what the tests of this folder do, more often.

Without arguments: 1,000 mutated artifacts and records, 200 killed runs, 50 times two runs at once, and 50 times with `store gc`
beside them. Prints what came of it; exit code 1 where something is wrong."""

from __future__ import annotations

import faulthandler
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from store_hostile import attacked
from store_killing import Score, killed, paired

COUNTS = {"artifacts": 1_000, "kills": 200, "pairs": 50}


def main(arguments: list[str]) -> int:
    """Runs the parts that are asked for, with a line each."""
    faulthandler.enable()
    asked = dict(zip(arguments[::2], map(int, arguments[1::2]), strict=True))
    seed = asked.pop("seed", 0)
    wrong: list[str] = []
    for part, count in (asked or COUNTS).items():
        start = time.perf_counter()
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            if part == "artifacts":
                tally = attacked(count, folder, seed)
                for (what, outcome), number in sorted(tally.outcomes.items()):
                    print(f"{number:6} {what}: {outcome}")
                for text, number in tally.caught.most_common():
                    print(f"{number:6} caught: {text}")
                wrong += tally.wrong
            elif part == "kills":
                wrong += _shown("killed runs", killed(count, folder, seed))
            else:
                wrong += _shown("times two runs at once", paired(count, folder / "plain"))
                wrong += _shown("times two runs at once, and store gc", paired(count, folder / "gc", collect=True))
        print(f"{count} {part}, {len(wrong)} wrong, {time.perf_counter() - start:.0f} s", flush=True)
    for line in wrong:
        print(line)
    return 1 if wrong else 0


def _shown(what: str, score: Score) -> list[str]:
    print(f"{score.tries} {what}: {score.early} killed before they ended, {score.left} stray files, {score.busy} gc refused")
    return score.wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
