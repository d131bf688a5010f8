"""Runs the FileCheck tests beside this file: `.mlir` is parsed and printed (the files of other dialects than ptx are
named for them), `.ptx` is lowered (its first entry)."""

from __future__ import annotations

from pathlib import Path

import pytest
from filecheck.finput import FInput
from filecheck.matcher import Matcher
from filecheck.options import Options
from filecheck.parser import Parser

from volta_pipe.ir import modules, scta, vc
from volta_pipe.passes.lower import list_entries, lower, parse_module, print_generic, print_module

FILES = sorted(path for path in Path(__file__).parent.iterdir() if path.suffix in (".mlir", ".ptx"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_file(path: Path) -> None:
    text = path.read_text()
    others = {"scta": scta.parse_module, "vc": vc.parse_module}
    if path.stem in others:
        output = modules.print_custom(others[path.stem](text))
    elif path.suffix == ".mlir":
        output = print_module(parse_module(text))
    else:
        module = lower(text, str(path), list_entries(text, str(path))[0][0]).module
        output = print_generic(module) if "OPTIONS: generic" in text else print_module(module)
    options = Options(match_filename=str(path))
    checks = Parser.from_opts(options)
    assert Matcher(options, FInput("-", output), checks).run() == 0, output
