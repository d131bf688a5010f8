"""Whether what a record says can be believed: it has the form that its stage gives, and agrees with the artifact that it names.

A verdict is made from records alone where everything is cached. Findings, a counterexample and what was proved are in the
artifacts of `dynamic`, `check` and `decide`, too, which are named by their digest: so what a record says of these is compared
with them. Whoever writes another record and another artifact that fits it has written another result, and that is believed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import msgpack

from volta_pipe.driver.meaning import meaning
from volta_pipe.driver.records import Record
from volta_pipe.driver.store import Store
from volta_pipe.ir.errors import ArtifactError
from volta_pipe.ir.findings import KINDS

# Kinds and versions of the artifacts that are compared, as their modules have them (which are not imported for this).
FORMATS = {"dynamic": ("dynamic", 1), "check": ("check", 2), "decide": ("decision", 3)}
_SHOWN = 40  # characters of a foreign kind in a message
_HEADER_AT = 24  # behind the magic and the length (ir/columns.py)
_Test = Callable[[Any], bool]


def doubt(stage: str, record: Record, store: Store) -> str:
    """Why a record is not to be believed, "" where it is."""
    if record.stage != stage:
        return "it is of another stage"
    if "error" in record.summary:
        wrong = not _ERROR(record.summary["error"]) or record.summary.get("budget") is not False
        return "it has the wrong form" if wrong or record.outputs else ""
    if set(record.outputs) != _OUTPUTS.get(stage, {"artifact"}) or not _FORMS.get(stage, _fields())(record.summary):
        return "it has the wrong form"
    if record.summary.get("budget"):
        return "it rests on a budget"
    if stage == "lower":  # nothing behind it would see its artifact
        try:
            means = hashlib.sha256(meaning(bytes(store.load(record.outputs["artifact"].digest)))).hexdigest()
        except ArtifactError as error:
            return f"its artifact cannot be read: {error}"
        return "" if means == record.outputs["meaning"].digest else "its artifact means something else than it says"
    if stage in _SAID:
        try:
            kind, version, meta = _header(store.load(record.outputs["artifact"].digest))
            if (kind, version) != FORMATS[stage]:
                known = "{}/{}".format(*FORMATS[stage])
                return f"its artifact is of format {kind}/{version}, this version of the tool has {known}"
            if any(record.summary[key] != _SAID[stage][key](meta) for key in _SAID[stage]):
                return "it contradicts its artifact"
        except (ArtifactError, KeyError, TypeError, ValueError, msgpack.UnpackException) as error:
            return f"its artifact cannot be read: {error}"
    return ""


def _header(data: memoryview) -> tuple[str, int, dict[str, Any]]:
    """Kind, version and what an artifact in the column format says of itself; read by hand, as no stage is imported where all
    is cached."""
    length = int.from_bytes(data[_HEADER_AT - 8 : _HEADER_AT], "little")
    header = msgpack.unpackb(data[_HEADER_AT : _HEADER_AT + length], strict_map_key=False)
    kind, version, meta = header["kind"], header["version"], header["meta"]
    if not (type(kind) is str and kind.isidentifier() and type(version) is int and isinstance(meta, dict)):
        raise ValueError("it has the wrong form")
    return kind[:_SHOWN], version, meta


# ---- the form of summaries: what the driver reads of them without looking


def _is(*kinds: type) -> _Test:
    return lambda value: type(value) in kinds


def _many(test: _Test) -> _Test:
    return lambda value: isinstance(value, list) and all(map(test, value))


def _row(*tests: _Test) -> _Test:
    return lambda value: (
        isinstance(value, list) and len(value) == len(tests) and all(t(v) for t, v in zip(tests, value, strict=True))
    )


def _fields(**tests: _Test) -> _Test:
    return lambda value: isinstance(value, dict) and all(key in value and test(value[key]) for key, test in tests.items())


def _map(test: _Test) -> _Test:
    return lambda value: isinstance(value, dict) and all(isinstance(k, str) and test(v) for k, v in value.items())


def _maybe(test: _Test) -> _Test:
    return lambda value: value is None or test(value)


_TEXT, _INT, _FLAG = _is(str), _is(int), _is(bool)
_TEXTS = _many(_TEXT)
_PLACE = _row(_TEXT, _INT, _INT, _TEXT)


def _kind(value: Any) -> bool:
    return isinstance(value, str) and value in KINDS


_ERROR = _fields(kind=_kind, message=_TEXT, instruction=_INT, place=_PLACE)
_ACCESS = _fields(instruction=_INT, cta=_row(_INT, _INT, _INT), thread=_INT, action=_TEXT)
_STEP = _fields(text=_TEXT, instruction=_INT)
_PLAIN = {
    "message": _TEXT, "accesses": _many(_ACCESS), "space": _TEXT, "name": _TEXT, "offset": _INT, "index": _many(_INT),
    "count": _INT, "explanation": _many(_STEP),
}  # fmt: skip
_FINDING, _REMARK = _fields(kind=_kind, **_PLAIN), _fields(kind=_TEXT, **_PLAIN)
_INPUT = _row(_TEXT, _INT)
_COUNTEREXAMPLE = _fields(
    tensor=_TEXT, element=_INT, inputs=_many(_row(_TEXT, _INT, _TEXT)), values=_row(_TEXT, _TEXT), formulas=_row(_TEXT, _TEXT),
    matters=_many(_INPUT), complete=_FLAG, outside=_many(_INPUT),
)  # fmt: skip
_MISMATCH = _fields(
    tensor=_TEXT, element=_INT, expected=_TEXT, got=_TEXT, inputs=_many(_row(_TEXT, _INT, _TEXT)), complete=_FLAG, count=_INT,
    compared=_INT, kind=_TEXT, seed=_INT, allowed=_TEXT,
)  # fmt: skip
_DYNAMIC_FINDING = _fields(kind=_kind, name=_TEXT, offset=_INT, message=_TEXT, count=_INT)
_COUNT, _VARIABLE = _row(_TEXT, _INT, _INT), _row(_TEXT, _TEXT, _INT)


def _size(value: Any) -> bool:
    return type(value) is int and value > 0


def _dynamic(summary: Any) -> bool:
    """A mismatch is a finding."""
    form = _fields(
        trials=_INT, planned=_INT, compared=_INT, refused=_TEXT, instruction=_INT, findings=_many(_DYNAMIC_FINDING),
        mismatch=_maybe(_MISMATCH),
    )  # fmt: skip
    return form(summary) and bool(summary["findings"]) == (summary["mismatch"] is not None)


def _decide(summary: Any) -> bool:
    """The verdict is that of its findings, reasons and counts."""
    form = _fields(
        verdict=_TEXT, findings=_many(_FINDING), counterexample=_maybe(_COUNTEREXAMPLE), reasons=_TEXTS, assumptions=_TEXTS,
        stats=_map(_INT), budget=_FLAG,
    )  # fmt: skip
    if not form(summary) or not {"elements", "proved"} <= summary["stats"].keys():
        return False
    if summary["verdict"] == "equivalent":
        whole = 0 < summary["stats"]["elements"] == summary["stats"]["proved"]
        return whole and not summary["findings"] and not summary["reasons"] and summary["counterexample"] is None
    return bool(summary["findings"] if summary["verdict"] == "not-equivalent" else summary["reasons"])


def _elements(value: Any) -> bool:
    return _map(_INT)(value) and "elements" in value


_CONDITIONS = _fields(
    outputs=_INT, nodes=_INT, assumptions=_TEXTS,
    precision=_many(_fields(tensor=_TEXT, additions=_many(_row(_TEXT, _INT)), accumulations=_many(_COUNT))),
    facts=_map(_fields(elements=_INT, known=_INT, inputs=_TEXTS, copies=_map(_INT))),
)  # fmt: skip
_OUTPUTS = {"lower": {"artifact", "lines", "meaning"}, "unroll": {"artifact", "code"}}
_FORMS: dict[str, _Test] = {
    "lower": _fields(
        parameters=_many(_row(_TEXT, _TEXT, _size)), externs=_many(_row(_TEXT, _TEXT)), variables=_many(_VARIABLE),
        assumptions=_TEXTS,
        resources=_fields(
            target=_TEXT, shared=_INT, registers=_INT, directives=_many(_row(_TEXT, _many(_INT), _INT)),
        ),
    ),
    "unroll": _fields(
        rows=_INT, steps=_INT, ctas=_INT, budget=_FLAG, assumptions=_TEXTS, complete=_FLAG,
        touched=_fields(read=_TEXTS, written=_TEXTS), origins=_many(_INT),
    ),
    "dynamic": _dynamic,
    "check": _fields(
        findings=_many(_FINDING), notes=_TEXTS, budget=_FLAG, remarks=_many(_REMARK), assumptions=_TEXTS
    ),
    "vc": _CONDITIONS,
    "trace": _CONDITIONS,
    "canon": _fields(assumptions=_TEXTS, stats=_elements, budget=_FLAG),
    "decide": _decide,
}  # fmt: skip


def _same(*keys: str) -> dict[str, Callable[[dict[str, Any]], Any]]:
    return {key: lambda meta, key=key: meta[key] for key in keys}  # type: ignore[misc]


# What the header of an artifact says of what a summary has under a key.
_SAID: dict[str, dict[str, Callable[[dict[str, Any]], Any]]] = {
    "dynamic": {
        **_same("mismatch", "refused", "planned", "instruction"), "trials": lambda meta: len(meta["trials"]),
        "compared": lambda meta: sum(trial["compared"] for trial in meta["trials"]),
    },
    "check": _same("findings", "notes", "remarks", "assumptions"),
    "decide": {
        **_same("verdict", "findings", "counterexample", "assumptions", "stats"), "reasons": lambda meta: meta["unknown"],
    },
}  # fmt: skip
