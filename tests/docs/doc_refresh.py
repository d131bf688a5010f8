"""Writes the digests of a real run into the documents, when artifacts have changed: `python tests/docs/doc_refresh.py`.

Only the digests in lines of stages are replaced. What else a document shows and no command prints any more stays for its
author, whom the tests tell."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from doc_blocks import DOCUMENTS, ROOT, blocks, commands, steady

MAIN = "from volta_pipe.driver.cli import main; main()"  # what the `volta-pipe` script does
_DIGEST = re.compile(r"(?<= S s  )[0-9a-f]{12}")


def refreshed(line: str, real: list[str]) -> str:
    """`line` with the digest of the stage line among `real` that is the same but for digest and seconds; other lines stay."""
    wanted = steady(line)
    found = _DIGEST.search(wanted)
    if found is None:
        return line
    same = [steady(one) for one in real if _DIGEST.sub("", steady(one)) == _DIGEST.sub("", wanted)]
    digest = _DIGEST.search(same[0]) if same else None
    return line.replace(found[0], digest[0]) if digest else line


def refresh(document: Path, store: str) -> int:
    """Rewrites one document; the number of lines changed."""
    text = document.read_text()
    changed = 0
    for block in blocks(document):
        for command in commands(block) if block.language == "console" else ():
            program, *arguments = command.words.replace("'", "").split()
            if program != "volta-pipe" or not any(" s  " in line for line in command.output):
                continue
            environment = {**os.environ, "VOLTA_STORE": store}
            done = subprocess.run(
                [sys.executable, "-c", MAIN, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
            )
            for line in command.output:
                new = refreshed(line, done.stdout.splitlines())
                changed += new != line
                text = text.replace(line, new)
    document.write_text(text)
    return changed


if __name__ == "__main__":
    for path in DOCUMENTS:
        with tempfile.TemporaryDirectory() as folder:
            print(f"{path.relative_to(ROOT)}: {refresh(path, folder)} lines")
