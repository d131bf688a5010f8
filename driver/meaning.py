"""What of a kernel in the `ptx` dialect the stages behind `lower` depend on: all but the version and the target that its PTX
was made for, which say what it may ask of a machine (resources.py) and change nothing that it does."""

from __future__ import annotations

import hashlib
import re

# How the head of a kernel ends in the canonical form.
_STRING = rb'"(?:[^"\\]|\\.)*"'
_MADE_FOR = re.compile(rb", target = %b, version = %b\} \{$" % (_STRING, _STRING), re.MULTILINE)


def meaning(text: bytes) -> bytes:
    """A digest of what a module means, in hexadecimal, given its canonical form."""
    return hashlib.sha256(_MADE_FOR.sub(b"} {", text, count=1)).hexdigest().encode()
