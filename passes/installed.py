"""Which files are of Python, of an installed package or of this one: what a spec may rest on without its being an input."""

from __future__ import annotations

import os
import sys

import volta_pipe

# The audit event of a module that a spec imported, with its file: whoever keeps what was made with it hears of it. The file
# itself need not be opened: the module may have been imported before, or be read from its compiled copy.
MODULE = "volta_pipe.module"
# The rooms of this package may be links.
_ROOMS = [os.path.join(folder, room) for folder in volta_pipe.__path__ for room in ("driver", "ir", "passes", "spec")]  # noqa: PTH118
_FOLDERS = {sys.prefix, sys.base_prefix, sys.exec_prefix, os.path.dirname(os.__file__), *_ROOMS}  # noqa: PTH120
_OWN = tuple(os.path.realpath(folder) + os.sep for folder in sorted(_FOLDERS))
_PACKAGES = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))


def installed(path: str) -> bool:
    """Whether a file belongs to what is installed."""
    real = os.path.realpath(path)
    return real.startswith(_OWN) or any(name in real for name in _PACKAGES)
