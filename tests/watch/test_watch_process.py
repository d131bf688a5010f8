"""One true process: `volta-pipe run --watch` sees an edit, and ends at an interrupt with the code of its last verdict."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

from watch_project import FACTOR, Folder

ROOT = Path(__file__).resolve().parents[2]


def test_a_process_sees_an_edit_and_ends_with_its_verdict(folder: Folder) -> None:
    # A shell starts what it runs in the background with interrupts ignored, and so would be this.
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    code = f"{listening}; from volta_pipe.driver.cli import main; main()"
    environment = {**os.environ, "VOLTA_STORE": str(folder.path / "store"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, "run", str(folder.contract), "--watch", "--quiet", "--skip", "dynamic"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "equivalent: scaled\n"
        folder.write("factor.py", FACTOR.replace("1", "2"))
        assert process.stdout.readline() == "not-equivalent: scaled\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) in (1, 130)  # 130 where it was still tidying up behind the verdict
    finally:
        process.kill()
        process.wait()
