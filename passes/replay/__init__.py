"""Replay: the concrete meaning of PTX, and the execution of programs on concrete inputs with it."""

from volta_pipe.passes.replay.contents import from_bytes, from_numbers, tensor_bytes, to_numbers
from volta_pipe.passes.replay.replay import Replayed, replay, replay_each

__all__ = ["Replayed", "from_bytes", "from_numbers", "replay", "replay_each", "tensor_bytes", "to_numbers"]
