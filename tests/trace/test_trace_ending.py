"""A spec that would end the process: an error at its line, whatever it does with that, and nothing else changes."""

from __future__ import annotations

import os
import posix
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from trace_specs import tensor, traced

from volta_pipe.ir.errors import InputError

PARTS = (tensor("x", (4,)), tensor("r", (4,), "out"))
OK = "return {'r': x}"
# Lines of the function from line 5 on; in each the call is on the first.
ENDS = {
    "_exit": "os._exit(0)",
    "posix": "posix._exit(0)",
    "abort": "os.abort()",
    "execv": "os.execv('/bin/true', ['true'])",
    "execve": "os.execve('/bin/true', ['true'], {})",
    "execl": "os.execl('/bin/true', 'true')",
    "execvp": "os.execvp('/bin/true', ['true'])",
    "kill": "os.kill(os.getpid(), signal.SIGKILL)",
    "kill the group": "os.kill(0, 9)",
    "killpg": "os.killpg(os.getpgrp(), 9)",
    "killpg of 0": "os.killpg(0, signal.SIGTERM)",
    "raise_signal": "signal.raise_signal(signal.SIGTERM)",
    "pthread_kill": "signal.pthread_kill(threading.get_ident(), signal.SIGTERM)",
}
HEAD = "import os, posix, signal, threading\ndef spec(x):\n    y = 1\n"


def _error(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as caught:
        traced(folder, text, *PARTS)
    return str(caught.value).removeprefix(str(folder) + "/")


@pytest.mark.parametrize("name", ENDS)
def test_the_process_goes_on(tmp_path: Path, name: str) -> None:
    call = ENDS[name]
    said = _error(tmp_path, f"{HEAD}    {call}\n    {OK}\n")
    assert said.startswith("spec.py:5: the spec calls ") and "would end volta-pipe" in said
    caught = f"{HEAD}    try: {call}\n    except BaseException: pass\n    {OK}\n"
    assert _error(tmp_path, caught) == said  # what it catches is an error all the same


def test_while_the_file_is_imported(tmp_path: Path) -> None:
    assert _error(tmp_path, "from os import _exit\n_exit(0)\n").startswith("spec.py:3: the spec calls os._exit")
    (tmp_path / "helper.py").write_text("import os\nos._exit(0)\n")
    assert _error(tmp_path, "import helper\n").startswith("spec.py:2: the spec calls os._exit")


def test_in_a_thread_of_its_own(tmp_path: Path) -> None:
    body = "    def end():\n        try: os._exit(0)\n        except Exception: pass\n"
    body += "    t = threading.Thread(target=end)\n    t.start()\n    t.join()\n"
    assert _error(tmp_path, f"{HEAD}{body}    {OK}\n").startswith("spec.py:6: the spec calls os._exit")


def test_exit_in_every_form(tmp_path: Path) -> None:
    for call in ("sys.exit(0)", "exit(0)", "raise SystemExit"):
        assert _error(tmp_path, f"import sys\ndef spec(x):\n    {call}\n").startswith("spec.py:4: the spec raised SystemExit")


def test_what_ends_no_process_or_another_one(tmp_path: Path) -> None:
    body = """
    os.kill(os.getpid(), 0)
    other = subprocess.Popen(["sleep", "60"])
    os.kill(other.pid, signal.SIGTERM)
    assert other.wait() == -signal.SIGTERM
    child = os.fork()
    if child == 0:
        os._exit(3)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
    return {'r': x}
"""
    traced(tmp_path, f"import os, signal, subprocess\ndef spec(x):{body}", *PARTS)


def test_a_forked_process_does_not_go_on_as_a_run(tmp_path: Path) -> None:
    body = "    if os.fork() == 0:\n        return {}\n    assert os.waitstatus_to_exitcode(os.wait()[1]) == 1\n"
    traced(tmp_path, f"import os\ndef spec(x):\n{body}    {OK}\n", *PARTS)


def test_all_is_as_before_afterwards(tmp_path: Path) -> None:
    before = [os._exit, posix._exit, os.abort, os.execv, os.execve, os.kill, os.killpg, signal.raise_signal]
    traced(tmp_path, f"def spec(x):\n    {OK}\n", *PARTS)
    _error(tmp_path, f"{HEAD}    os._exit(0)\n")
    assert before == [os._exit, posix._exit, os.abort, os.execv, os.execve, os.kill, os.killpg, signal.raise_signal]


@pytest.mark.parametrize("layer", ["", "dynamic"])
def test_the_command_line(tmp_path: Path, layer: str) -> None:
    """A spec is what the user gave: exit code 2, where 0 would say that it was proved."""
    examples = Path(__file__).parents[2] / "examples"
    contract = (examples / "axpy-spec/volta.toml").read_text()
    (tmp_path / "volta.toml").write_text(contract.replace("../axpy/", f"{examples}/axpy/"))
    spec = tmp_path / "spec.py"
    spec.write_text("import os\n\n\ndef axpy(x, y, a):\n    os._exit(0)\n")
    code = "from volta_pipe.driver.start import main; main()"
    options = ["--skip", layer] if layer else []
    done = subprocess.run(
        [sys.executable, "-c", code, "run", str(tmp_path / "volta.toml"), "-q", *options],
        capture_output=True, text=True, check=False, timeout=300, env=os.environ | {"VOLTA_STORE": str(tmp_path / "store")},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert f"{spec}:5: the spec calls os._exit, which would end volta-pipe" in done.stderr
