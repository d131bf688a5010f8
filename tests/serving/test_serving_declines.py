"""When a command does its work itself: nothing that it would notice is another in a server."""

from __future__ import annotations

import resource
import socket
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from serving_process import DECLINED, LIMIT, MAIN, ROOT, SERVED, Server, run


def _fewer_files() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, hard) - 1, hard))


@pytest.mark.parametrize(
    "more",
    [
        {"env": {"NUMBA_OPT": "2"}},
        {"env": {"PYTHONHASHSEED": "7"}},
        {"env": {"OMP_NUM_THREADS": "1"}},
        {"env": {"LC_ALL": "C"}},
        {"env": {"LD_LIBRARY_PATH": "/nowhere"}},
        {"env": {"TZ": "Asia/Tokyo"}},
        {"env": {"PYTHONPATH": f"{ROOT}:/nowhere"}},
        {"preexec_fn": _fewer_files},
        {"code": "import os; os.nice(1)\n" + SERVED},
        {"code": "import sys; sys.path.append('/nowhere')\n" + SERVED},
        {"code": "import signal; signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])\n" + SERVED},
        {"code": "import os; os.close(0); import sys; sys.stdin = None\n" + SERVED},
    ],
)
def test_what_a_process_has_from_its_start_must_be_the_same(server: Server, more: dict[str, object]) -> None:
    assert run(["--version"], server.path, **{"code": SERVED, **more})[0] == DECLINED
    if "code" not in more:
        assert run(["--version"], server.path, **more)[:2] == run(["--version"], "off")[:2]
    assert run(["--version"], server.path, code=SERVED)[0] == 0


def test_serve_says_why_it_cannot(tmp_path: Path) -> None:
    assert "switched off" in run(["serve"], "off")[2]
    long = tmp_path / ("x" * 120)
    code, _, err = run(["serve"], long)
    assert code == 2 and err.count("\n") == 1 and "no socket can be made" in err
    lacking = "import os; del os.fork\n" + MAIN
    code, _, err = run(["serve"], tmp_path / "s", code=lacking)
    assert code == 2 and "fork" in err


def test_an_installed_package_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from volta_pipe.driver.serving.preload import installed

    packages = tmp_path / "site-packages"
    packages.mkdir()
    monkeypatch.syspath_prepend(str(packages))
    before = installed()
    (packages / "other-1.0.dist-info").mkdir()
    assert installed() != before


def test_a_caller_that_goes_before_it_says_go_runs_nothing(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from volta_pipe.driver.serving.protocol import request, send_request

    with socket.socket(socket.AF_UNIX) as caller:
        caller.connect(str(server.path))
        send_request(caller, request(["init", "nothing.ptx"]))
    _until(lambda: not _children(server.pid))


def test_what_is_loaded_is_not_compiled_again() -> None:
    code = "from volta_pipe.driver.serving import preload as p\np.preload()\nfound = list(p._entries())\n"
    code += "print(len(found) > 20, sum(len(f.overloads) for f in found) > 20)\n"
    code += "print(sum(sum(f.stats.cache_misses.values()) for f in found))"
    from volta_pipe.driver.serving.preload import preload

    preload()  # compiles what nobody has compiled yet
    assert run([], "off", code=code)[:2] == (0, "True True\n0\n")


def _children(pid: int) -> str:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text()


def _until(holds: Callable[[], bool]) -> None:
    for _ in range(LIMIT * 20):
        if holds():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to hold")
