"""Contracts that say in their first line what must come out: `# expect: VERDICT [FINDING-KIND]`.

`python -m volta_pipe.driver.expectations CONTRACT…` runs each in this process, and exits 1 when one comes out otherwise."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

from volta_pipe.driver.session import Session, store_folder, verify
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import InputError, Place, VoltaError

PREFIX = "# expect:"


@dataclass(frozen=True)
class Expectation:
    """The verdict, and the kind that the first finding must have ("": any)."""

    verdict: str
    kind: str

    def met_by(self, session: Session) -> bool:
        """Whether the verdict is the one, and a finding has the kind."""
        document = session.document
        kinds = {finding["kind"] for finding in document["findings"]}
        return document["verdict"] == self.verdict and (not self.kind or self.kind in kinds)

    def __str__(self) -> str:
        return f"{self.verdict} {self.kind}".strip()


def expectation(path: Path) -> Expectation:
    """What a contract expects. Errors: InputError when it does not say."""
    try:
        with path.open(encoding="utf-8-sig") as stream:
            first = stream.readline().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", Place(str(path))) from None
    words = first.removeprefix(PREFIX).split()
    if not first.startswith(PREFIX) or not 1 <= len(words) <= 2:
        raise InputError(f"does not start with '{PREFIX} VERDICT [KIND]'", Place(str(path), 1))
    return Expectation(words[0], words[1] if len(words) > 1 else "")


def main(paths: list[str]) -> int:
    """Prints a line a contract; 1 when one does not meet its expectation."""
    failed = 0
    with Store(store_folder(None)) as store:
        for name in paths:
            start = time.perf_counter()
            try:
                wanted = expectation(Path(name))
                session = verify(name, store)
            except VoltaError as error:
                print(f"FAIL  {name}: error: {error}", flush=True)
                failed += 1
                continue
            document = session.document
            good = wanted.met_by(session)
            failed += not good
            kinds = sorted({finding["kind"] for finding in document["findings"]})
            outcome = " ".join([str(document["verdict"]), *kinds])
            outputs = document["coverage"]["outputs"]
            seconds = time.perf_counter() - start
            more = f", {outputs:,} outputs" if outputs else ""
            print(f"{'ok  ' if good else 'FAIL'}  {name}: {outcome}{more}  ({seconds:.2f} s)", flush=True)
            if not good:
                print(f"      expected {wanted}")
    print(f"{len(paths) - failed} of {len(paths)} as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
