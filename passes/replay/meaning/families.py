"""All families of meanings: importing this module fills the table."""

from volta_pipe.passes.replay.meaning import (  # noqa: F401
    addresses,
    arithmetic,
    atomics,
    bitwork,
    carry,
    compare,
    convert,
    externs,
    extrema,
    functions,
    integers,
    moves,
    quotients,
    warp,
)
