"""All families of meanings: importing this module fills the table."""

from volta_pipe.passes.replay.meaning import (  # noqa: F401
    arithmetic,
    bitwork,
    carry,
    compare,
    convert,
    extrema,
    functions,
    integers,
    moves,
    quotients,
)
