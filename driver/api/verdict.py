"""The verdict of a run as an object."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from volta_pipe.driver.contract import Contract
from volta_pipe.driver.session import Session
from volta_pipe.driver.verdict import PROVED, exit_code


@dataclass(frozen=True, repr=False)
class Verdict:
    """What a run came to. `document`: all of it, as `run --json` prints it (docs/contract.md says what each field holds);
    `contract`: what it is about; `warnings`: lines that `run` prints as warnings, such as a source that is newer than its PTX.

    A verdict is true where it is `ok`, so that `assert verify(...)` means what it says.

    >>> verdict = verify("examples/axpy/volta.toml")
    >>> verdict.verdict, verdict.ok, verdict.exit_code
    ('equivalent', True, 0)
    >>> verdict.coverage["outputs"], verdict.assumptions
    (613, ('floats are real numbers',))
    >>> verify("examples/broken-race/volta.toml").findings[0]["kind"]
    'race'
    """

    document: Mapping[str, Any]
    contract: Contract
    warnings: tuple[str, ...] = field(default=())

    @property
    def verdict(self) -> str | None:
        """equivalent, safe, not-equivalent, unsafe, unsupported or unknown; None of a run that was told to stop early and found
        nothing until then."""
        found = self.document["verdict"]
        return None if found is None else str(found)

    @property
    def ok(self) -> bool:
        """Whether all that the contract asks for is proved: `equivalent`, or `safe` without a reference."""
        return self.verdict in PROVED

    def __bool__(self) -> bool:
        return self.ok

    @property
    def exit_code(self) -> int:
        """That of `volta-pipe run`: 0, 1 (not-equivalent, unsafe) or 3 (unsupported, unknown)."""
        return exit_code(self.document)

    @property
    def findings(self) -> tuple[Mapping[str, Any], ...]:
        """What was found, the first combination of dims first: kind, side, dims, place, message, counterexample and more."""
        return tuple(self.document["findings"])

    @property
    def coverage(self) -> Mapping[str, Any]:
        """`dims`: the combinations; `ctas`: "all" or a list; `outputs`: how many output elements were compared."""
        found: Mapping[str, Any] = self.document["coverage"]
        return found

    @property
    def assumptions(self) -> tuple[str, ...]:
        """What the verdict rests on, sorted."""
        return tuple(self.document["assumptions"])

    @property
    def stages(self) -> tuple[Mapping[str, Any], ...]:
        """Each stage that was run or found: `name`, `side`, `dims`, `seconds`, `cached`, `artifact` ("sha256:..." or None)."""
        return tuple(self.document["stages"])

    def to_json(self, *, stages: bool = False) -> str:
        """The document of `run --json`, without the line's end. `stages`: with the key of that name, which holds times; without
        it the text is the same bytes for the same inputs, on every machine.

        >>> verify("examples/axpy/volta.toml").to_json().splitlines()[:3]
        ['{', ' "schema": "volta-pipe/verdict/1",', ' "verdict": "equivalent",']
        """
        return json_text(self.document if stages else {k: v for k, v in self.document.items() if k != "stages"})

    def text(self, *, full: bool = False) -> str:
        """What `run` prints of it, or, with `full`, `explain`.

        >>> print(verify("examples/axpy/volta.toml").text().splitlines()[0])
        equivalent: axpy, one thread an element against a grid-stride loop
        """
        from volta_pipe.driver.render import verdict_lines

        return "\n".join(verdict_lines(self.document, self.contract, full=full))

    def __str__(self) -> str:
        return self.text().partition("\n")[0]

    def __repr__(self) -> str:
        """One line: the verdict, the contract, and what was covered.

        >>> verify("examples/axpy/volta.toml", only="safety")
        <Verdict stopped after safety: axpy, one thread an element against a grid-stride loop; 3 combinations of dims ...>
        """
        from volta_pipe.driver.render import coverage_text

        return f"<Verdict {self}; {coverage_text(self.document)}>"


def verdict_of(session: Session, warnings: Sequence[str] = ()) -> Verdict:
    """The verdict of a finished run."""
    return Verdict(session.document, session.contract, tuple(warnings))


def json_text(document: Mapping[str, Any], *, line: bool = False) -> str:
    """A document as all commands print it; `line`: on one line."""
    return json.dumps(document, ensure_ascii=False, indent=None if line else 1)
