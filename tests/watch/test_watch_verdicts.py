"""Verdicts of one process while files change: what is cached in it must not outlive what it was made of."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from watch_project import CONTRACT, FACTOR, SPEC, Folder

from volta_pipe.driver.commands import watch as watch_module
from volta_pipe.driver.commands.watch import Watching, watch_command
from volta_pipe.driver.options import run_options
from volta_pipe.driver.watching.files import Snapshot
from volta_pipe.driver.watching.turns import turns
from volta_pipe.ir.errors import InputError

# Edits, and the verdict that each gives; `3` is what x.npy holds and the spec says.
EDITS: dict[str, tuple[Callable[[Folder], None], Callable[[Folder], None], str]] = {
    "the PTX": (
        lambda f: f.write("k.ptx", f.ptx_text.replace("fma.rn.f32 \t%f4, %f2, %f1, %f3;", "mul.rn.f32 \t%f4, %f2, %f1;")),
        lambda f: f.write("k.ptx", f.ptx_text),
        "not-equivalent",
    ),
    "the function": (
        lambda f: f.write("spec.py", SPEC.replace("a * 3", "a * 4")),
        lambda f: f.write("spec.py", SPEC),
        "not-equivalent",
    ),
    "a module beside it": (
        lambda f: f.write("factor.py", FACTOR.replace("1", "2")),
        lambda f: f.write("factor.py", FACTOR),
        "not-equivalent",
    ),
    "the values": (lambda f: f.values(5), lambda f: f.values(3), "not-equivalent"),
    "the contract": (
        lambda f: f.write("volta.toml", CONTRACT.replace("64]\n[", "1]\n[").replace('"a", 64', '"a", 63')),
        lambda f: f.write("volta.toml", CONTRACT),
        "not-equivalent",
    ),
}


class Session:
    """A command whose rounds are edits: each gives the code of its turn."""

    def __init__(self, folder: Folder, capsys: pytest.CaptureFixture[str], *, json: bool = False, quiet: bool = False) -> None:
        self.folder, self.capsys = folder, capsys
        options = run_options(skip=["dynamic"])
        self.watching = Watching(str(folder.contract), str(folder.path / "store"), options, (), json=json, quiet=quiet)
        self.codes: list[int] = []

    def run(self, *edits: Callable[[Folder], None]) -> list[tuple[list[str], str]]:
        """The first turn and one after each edit: what had changed, and what was printed."""
        found: list[tuple[list[str], str]] = []

        def rounds(look: Callable[[], Snapshot], read: Snapshot) -> Iterator[list[Path]]:
            slept: list[float] = []

            def sleep(seconds: float) -> None:
                slept.append(seconds)
                assert len(slept) < 100, "no change is seen"

            looks = turns(look, read, sleep)
            left = iter(edits)
            for files in looks:
                yield files
                printed = self.capsys.readouterr()
                found.append(([path.name for path in files], printed.out + printed.err))
                edit = next(left, None)
                if edit is None:
                    return
                edit(self.folder)
                slept.clear()

        self.codes.append(self.watching.run(rounds))
        return found


def verdict_in(text: str) -> str:
    return next(line.partition(":")[0] for line in text.splitlines() if ": scaled" in line)


@pytest.mark.parametrize("what", EDITS)
def test_an_edit_gives_the_new_verdict_and_a_revert_the_old(
    folder: Folder, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    edit, revert, verdict = EDITS[what]
    found = Session(folder, capsys).run(edit, revert, edit, revert)
    assert [verdict_in(text) for _, text in found] == ["equivalent", verdict, "equivalent", verdict, "equivalent"]
    names = [files for files, _ in found]
    assert names[0] == [] and len(names[1]) == 1 and names[1:] == [names[1]] * 4
    assert "changed: " not in found[0][1] and f"changed: {folder.path}" in found[1][1]
    assert " ran " not in found[-1][1] and "\n7 cached\n" in found[-1][1]


def test_a_later_turn_shows_what_ran_and_how_much_did_not(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """Seven stages, of which another function concerns three: trace, canon and decide; a comment concerns none."""
    edits = (
        lambda f: f.write("spec.py", SPEC.replace("a * 3", "a * 4")),
        lambda f: f.write("k.ptx", f.ptx_text + "// a comment\n"),
    )
    first, second, third = (text.splitlines() for _, text in Session(folder, capsys).run(*edits))
    stages = [line for line in first if " s  " in line and " ran " in line]
    assert len(stages) == 7 and "cached" not in "".join(first)
    assert second[:2] == ["", f"changed: {folder.path / 'spec.py'}"]
    assert [line.split()[0] for line in second[2:5]] == ["trace", "canon", "decide"] and second[5] == "4 cached"
    assert second[6] == "not-equivalent: scaled" and third[:2] == ["", f"changed: {folder.path / 'k.ptx'}"]
    assert [line.split()[0] for line in third[2:3]] == ["lower"] and third[3] == "6 cached"
    assert all(lines[-1].endswith("(Ctrl-C ends)") and " s; waiting" in lines[-1] for lines in (first, second, third))


def test_values_that_change_within_a_tick_give_the_new_verdict(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """Same size and the same time: what is known of a .npy file must not be kept from one turn to the next."""
    import os

    def same_time(number: float) -> Callable[[Folder], None]:
        def edit(one: Folder) -> None:
            status = (one.path / "x.npy").stat()
            one.values(number)
            os.utime(one.path / "x.npy", ns=(status.st_atime_ns, status.st_mtime_ns))

        return edit

    found = Session(folder, capsys).run(same_time(7), same_time(3))
    assert [verdict_in(text) for _, text in found] == ["equivalent", "not-equivalent", "equivalent"]


@pytest.mark.parametrize(
    ("edit", "revert", "said"),
    [
        (lambda f: f.write("volta.toml", "[dims"), lambda f: f.write("volta.toml", CONTRACT), "not valid TOML"),
        (lambda f: f.write("k.ptx", f.ptx_text[:900]), lambda f: f.write("k.ptx", f.ptx_text), "k.ptx:"),
        (lambda f: f.write("spec.py", "def scaled("), lambda f: f.write("spec.py", SPEC), "is not Python"),
        (lambda f: (f.path / "factor.py").unlink(), lambda f: f.write("factor.py", FACTOR), "No module named 'factor'"),
        (lambda f: (f.path / "x.npy").write_bytes(b"no array"), lambda f: f.values(3), "is not a .npy file"),
        (lambda f: (f.path / "k.ptx").unlink(), lambda f: f.write("k.ptx", f.ptx_text), "does not exist"),
    ],
    ids=["contract", "ptx", "spec", "module", "values", "missing"],
)
def test_what_is_broken_is_said_and_waited_for(
    folder: Folder,
    capsys: pytest.CaptureFixture[str],
    edit: Callable[[Folder], None],
    revert: Callable[[Folder], None],
    said: str,
) -> None:
    session = Session(folder, capsys)
    found = session.run(edit, revert)
    assert "volta-pipe: error: " in found[1][1] and said in found[1][1] and "waiting for a change" in found[1][1]
    assert [verdict_in(found[0][1]), verdict_in(found[2][1])] == ["equivalent", "equivalent"]
    assert session.codes == [0]


def test_a_source_newer_than_its_ptx_is_said_again(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    import os

    def later(one: Folder) -> None:
        time = (one.path / "k.ptx").stat().st_mtime + 60
        os.utime(one.path / "k.cu", (time, time))

    first, second = Session(folder, capsys).run(later)
    assert "warning" not in first[1] and "k.cu is newer than" in second[1]


def test_a_file_that_a_spec_reads_is_watched(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    table = folder.path / "table.npy"
    np.save(table, np.float64(3))
    folder.write(
        "spec.py", f"import numpy as np\n\n\ndef scaled(y, a):\n    return {{'y': a * np.load({str(table)!r})[()] + y}}\n"
    )
    found = Session(folder, capsys).run(lambda f: np.save(table, np.float64(4)), lambda f: np.save(table, np.float64(3)))
    assert [(files, verdict_in(text)) for files, text in found] == [
        ([], "equivalent"), (["table.npy"], "not-equivalent"), (["table.npy"], "equivalent"),
    ]  # fmt: skip


def test_json_is_one_document_a_line(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    session = Session(folder, capsys, json=True)

    class Keeping:
        def readouterr(self) -> object:
            printed = capsys.readouterr()
            lines.extend(printed.out.splitlines())
            return printed

    session.capsys = Keeping()  # type: ignore[assignment]
    session.run(lambda f: f.values(4), lambda f: f.write("spec.py", "def ("), lambda f: f.write("spec.py", SPEC))
    documents = [json.loads(line) for line in lines]
    assert [one.get("verdict") for one in documents] == ["equivalent", "not-equivalent", None, "not-equivalent"]
    assert documents[2]["schema"] == "volta-pipe/error/1" and "is not Python" in documents[2]["error"]
    assert session.codes == [1]


def test_quiet_is_the_verdict_with_what_changed_and_the_time_aside(folder: Folder, capsys: pytest.CaptureFixture[str]) -> None:
    """Standard output has one line a turn."""
    first, second = (text.splitlines() for _, text in Session(folder, capsys, quiet=True).run(lambda f: f.values(4)))
    assert first[0] == "equivalent: scaled" and second[0] == "not-equivalent: scaled"
    assert re.fullmatch(r"  \d+\.\d\d s", first[1]) and len(first) == len(second) == 2
    assert re.fullmatch(r"  \d+\.\d\d s; changed: .*x\.npy", second[1])


@pytest.mark.parametrize(("busy", "code"), [(False, 1), (True, 130)])
def test_an_interrupt_ends_it(folder: Folder, capsys: pytest.CaptureFixture[str], busy: bool, code: int) -> None:
    """While nothing goes on with the last verdict's code, and while something does with 130."""
    folder.values(4)
    watching = Session(folder, capsys).watching

    def rounds(*_: object) -> Iterator[list[Path]]:
        yield []
        if not busy:
            raise KeyboardInterrupt
        watching.turn = lambda files: interrupt()  # type: ignore[method-assign]
        yield [folder.contract]

    def interrupt() -> int:
        raise KeyboardInterrupt

    assert watching.run(rounds) == code


def test_it_ends_where_it_cannot_go_on(
    folder: Folder, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="contract does not exist"):
        watch_command(str(folder.path / "none.toml"), None, run_options(), (), json=False, quiet=False)
    session = Session(folder, capsys)
    monkeypatch.setattr(watch_module, "own_sources", lambda root: "others")
    with pytest.raises(InputError, match="start it again"):
        session.run()
