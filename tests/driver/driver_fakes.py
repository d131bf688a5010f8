"""Small stages in place of the real ones: a `program` is text, a module is its PTX; what they give is in the PTX's comments.

A line `// fake: KEY VALUE` in the PTX steers them: `params u64 u64 u32`, `finding KIND`, `vc unsupported`, `verdict X`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from volta_pipe.driver.stage import Stage
from volta_pipe.driver.stages import STAGES
from volta_pipe.ir.errors import BudgetError, InputError, UnsupportedError
from volta_pipe.ir.lines import LineTable

POINT = [["x", 0, "1/3"], ["a", -1, "2"]]
COUNTEREXAMPLE = {"tensor": "y", "element": 0, "inputs": POINT, "values": ["1", "2"], "formulas": ["f", "g"]}
COUNTEREXAMPLE |= {"matters": [["x", 0]], "complete": True, "outside": []}
SIZES = {"u64": 8, "u32": 4, "f32": 4, "s32": 4, "f64": 8, "u8": 1, "b32": 4}


@dataclass(frozen=True)
class FakeValue:
    """A value of any fake stage; `data` is what is stored."""

    data: dict[str, Any]

    def encode(self) -> bytes:
        return repr(sorted(self.data.items())).encode()


@dataclass(frozen=True)
class FakeLowered:
    text: str
    facts: dict[str, str]


def facts_of(text: str) -> dict[str, str]:
    rows = [line.split("// fake:", 1)[1].split(None, 1) for line in text.splitlines() if "// fake:" in line]
    return {key: value.strip() for key, value in rows}


class Fakes:
    """A table of fake stages that counts how often each was run."""

    def __init__(self) -> None:
        self.runs: list[str] = []
        self.versions: dict[str, str] = {}

    def table(self) -> dict[str, Stage]:
        simple = {"unroll": self._unroll, "check": self._check, "vc": self._vc, "trace": self._trace, "canon": self._canon}
        stages = {"lower": self._stage("lower", self._lower, self._encode_lower, self._decode_lower, self._parameters)}
        for name, run in {**simple, "decide": self._decide, "dynamic": self._dynamic}.items():
            stages[name] = self._stage(name, run, self._encode, self._decode, lambda v: dict(v.data["summary"]))
        return stages

    def _stage(self, name: str, run: Any, encode: Any, decode: Any, summarize: Any) -> Stage:
        def counted(job: Any, values: Any) -> Any:
            self.runs.append(name)
            return run(job, values)

        version = self.versions.get(name, "1")
        parts = {"run": counted, "encode": encode, "decode": decode, "summarize": summarize, "version": lambda: version}
        # Their summaries and artifacts have a form of their own; a value that is made again would count as a run.
        return replace(STAGES[name], doubt=None, general=None, again=False, size=None, same=None, **parts)

    def _lower(self, job: Any, _: Any) -> FakeLowered:
        text = job.kernel.spec.path.read_text()
        if "syntax error" in text:
            raise InputError("unexpected '!'", replace_place(job.kernel.spec.source))
        return FakeLowered("\n".join(line for line in text.splitlines() if not line.startswith("#")), facts_of(text))

    @staticmethod
    def _encode_lower(value: FakeLowered) -> dict[str, Any]:
        lines = LineTable("k.ptx", ("k.cu",), ((7, 1), (8, 1)), ((0, 12), (0, 13)), ((), ()))
        return {"artifact": value.text.encode(), "lines": lines.encode()}

    @staticmethod
    def _decode_lower(data: Any) -> FakeLowered:
        text = str(data["artifact"], "utf-8")
        return FakeLowered(text, facts_of(text))

    @staticmethod
    def _parameters(value: FakeLowered) -> dict[str, Any]:
        kinds = value.facts.get("params", "u64 u64 u32").split()
        return {"parameters": [[f"p{i}", kind, SIZES.get(kind, 16)] for i, kind in enumerate(kinds)]}

    def _unroll(self, job: Any, values: Any) -> FakeValue:
        facts = values[0].facts
        if facts.get("unroll") == "memory":
            raise MemoryError
        summary = {"budget": job.max_steps < 10, "complete": facts.get("unroll") != "incomplete"}
        return FakeValue({"facts": facts, "summary": summary, "steps": job.max_steps})

    def _dynamic(self, _job: Any, values: Any) -> FakeValue:
        said = values[0].data["facts"].get("dynamic", "")
        summary: dict[str, Any] = {"trials": 3, "planned": 4, "compared": 18, "refused": "", "findings": [], "mismatch": None}
        if said == "refused":
            summary |= {"trials": 0, "compared": 0, "refused": "no such instruction"}
        elif said == "mismatch":
            found = {"tensor": "y", "element": 3, "inputs": [["x", 3, "1"]], "expected": "2", "got": "1", "complete": True}
            summary["mismatch"] = {**found, "kind": "normal", "seed": 0, "allowed": "0.1"}
            summary["findings"] = [{"kind": "mismatch", "message": "y[3] is 1", "name": "y", "offset": 3, "count": 2}]
        return FakeValue({"summary": summary})

    def _check(self, _job: Any, values: Any) -> FakeValue:
        kind = values[0].data["facts"].get("finding")
        if values[0].data["steps"] < 10:
            kind = "budget"
        access = {"instruction": 1, "cta": [0, 0, 0], "thread": 35, "action": "read"}
        write = {**access, "instruction": 0, "action": "write", "thread": 3}
        found = {"kind": kind, "message": "m", "accesses": [write, access]}
        found |= {"space": "shared", "name": "s", "offset": 140, "index": [35], "count": 2}
        found["explanation"] = [{"text": "how s came about", "instruction": 1}]
        summary = {"findings": [found] if kind else [], "notes": ["a note"], "budget": kind == "budget"}
        return FakeValue({"summary": summary})

    def _vc(self, job: Any, values: Any) -> FakeValue:
        facts = values[0].data["facts"]
        if facts.get("vc") == "unsupported":
            raise UnsupportedError("no such bit trick", instruction=1)
        if facts.get("vc") == "budget":
            raise BudgetError("too many nodes")
        shape = job.kernel.tensors[0].shape
        return FakeValue({"facts": facts, "shape": shape, "summary": {"assumptions": ["expf is exp"], "outputs": 6}})

    def _trace(self, job: Any, _values: Any) -> FakeValue:
        return FakeValue({"facts": {}, "shape": job.kernel.tensors[0].shape, "summary": {"assumptions": [], "outputs": 6}})

    def _canon(self, _job: Any, values: Any) -> FakeValue:
        return FakeValue({**values[1].data, "summary": {"stats": {"elements": 6}}})

    def _decide(self, _job: Any, values: Any) -> FakeValue:
        verdict = values[0].data["facts"].get("verdict", "equivalent")
        mismatch = {"kind": "mismatch", "message": "y[0] differs", "name": "y", "offset": 3}
        found = [mismatch] if verdict == "not-equivalent" else []
        summary = {"verdict": verdict, "findings": found, "counterexample": COUNTEREXAMPLE if found else None}
        return FakeValue({"summary": {**summary, "reasons": ["too hard"], "assumptions": ["log2 e"], "stats": {}}})

    @staticmethod
    def _encode(value: FakeValue) -> dict[str, Any]:
        return {"artifact": value.encode()}

    @staticmethod
    def _decode(data: Any) -> FakeValue:
        import ast

        return FakeValue(dict(ast.literal_eval(str(data["artifact"], "utf-8"))))


def replace_place(file: str) -> Any:
    from volta_pipe.ir.errors import Place

    return Place(file, 3, 5)
