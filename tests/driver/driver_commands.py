"""Running commands in this process: on a project's fake stages, or on the real ones."""

from __future__ import annotations

import pytest
from driver_project import Project

from volta_pipe.driver import cli, screen, session
from volta_pipe.driver.commands import explain
from volta_pipe.driver.compiling import NOTICE


class Commands:
    """Runs the command line; `out` and `err` of the last command, this without the notice that loops are being compiled, as it
    is no business of a test whether they are."""

    compiling = True

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys
        self.out = self.err = ""

    def __call__(self, *arguments: str) -> int:
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as exit_info:
            cli.main(list(arguments))
        self.out, self.err = self.capsys.readouterr()
        if self.compiling:
            self.err = self.err.replace(f"{NOTICE}\n", "")
        return int(exit_info.value.code or 0)


class Cli(Commands):
    """Runs commands on the project's fake stages, which have nothing to compile."""

    compiling = False

    def __init__(self, project: Project, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        super().__init__(capsys)
        self.project = project
        monkeypatch.setattr(session, "STAGES", project.fakes.table())
        monkeypatch.setattr(screen, "cold", lambda stage: False)
        monkeypatch.setattr(explain, "written", lambda session, finding: ())  # what stands for a program has no rows
        monkeypatch.setenv("VOLTA_STORE", str(project.folder / "store"))

    def run(self, *options: str) -> int:
        return self("run", str(self.project.contract), *options)
