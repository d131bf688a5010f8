"""The table of stages: how each is run (stage_runs.py), written and read back (stage_artifacts.py), and summed up."""

from __future__ import annotations

from typing import Any

from volta_pipe.driver.credible import doubt
from volta_pipe.driver.stage import Stage
from volta_pipe.driver.stage_artifacts import (
    conditions_size,
    decode_canon,
    decode_check,
    decode_conditions,
    decode_decide,
    decode_dynamic,
    decode_lower,
    decode_unroll,
    encode_artifact,
    encode_lower,
    encode_unroll,
    same_conditions,
)
from volta_pipe.driver.stage_runs import (
    names_nothing,
    run_canon,
    run_check,
    run_decide,
    run_dynamic,
    run_lower,
    run_trace,
    run_unroll,
    run_vc,
)
from volta_pipe.driver.stage_summaries import (
    plain,
    summarize_canon,
    summarize_conditions,
    summarize_decision,
    summarize_findings,
    summarize_lower,
    summarize_unroll,
)
from volta_pipe.driver.versions import stage_version


def _stage(name: str, run: Any, encode: Any, decode: Any, summarize: Any, **more: Any) -> Stage:
    believed = lambda record, store: doubt(name, record, store)  # noqa: E731
    return Stage(name, run, encode, decode, summarize, lambda: stage_version(name), doubt=believed, **more)


_PROGRAM = ("artifact", "code")  # all that `unroll` says of a program
STAGES: dict[str, Stage] = {
    stage.name: stage
    for stage in (
        _stage("lower", run_lower, encode_lower, decode_lower, summarize_lower, again=True),
        _stage("unroll", run_unroll, encode_unroll, decode_unroll, summarize_unroll, reads=("meaning",)),
        _stage("dynamic", run_dynamic, encode_artifact, decode_dynamic, lambda report: plain(report.summary()), reads=_PROGRAM),
        _stage(
            "check",
            run_check,
            encode_artifact,
            decode_check,
            summarize_findings,
            deferred=1,
            reads=_PROGRAM,
            general=names_nothing,
        ),
        _stage(
            "vc",
            run_vc,
            encode_artifact,
            decode_conditions,
            summarize_conditions,
            reads=_PROGRAM,
            general=lambda _: True,
            size=conditions_size,
            same=same_conditions,
        ),
        _stage("trace", run_trace, encode_artifact, decode_conditions, summarize_conditions, size=conditions_size),
        _stage("canon", run_canon, encode_artifact, decode_canon, summarize_canon),
        _stage("decide", run_decide, encode_artifact, decode_decide, summarize_decision),
    )
}
