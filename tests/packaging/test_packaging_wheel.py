"""The wheel: built without a network from a copy of the checkout, it installs `volta_pipe` and nothing else, and that works."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("pyproject.toml", "README.md", "LICENSE", "volta_pipe", "ir", "passes", "driver")
ROOMS = ("ir", "passes", "driver")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of a copy (the build writes into its folder), links kept as links."""
    folder = tmp_path_factory.mktemp("build")
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / "src" / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            (folder / "src").mkdir(exist_ok=True)
            shutil.copy(source, folder / "src" / name)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder / "dist"), "."]
    done = subprocess.run(command, cwd=folder / "src", capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"the build needs what .[dev] installs (build, setuptools):\n{done.stdout}{done.stderr}"
    (made,) = (folder / "dist").glob("*.whl")
    return made


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what the wheel installs."""
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_volta_pipe_is_the_only_top_level_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        tops = {name.partition("/")[0] for name in archive.namelist()}
    assert tops == {"volta_pipe", next(top for top in tops if top.startswith("volta_pipe-") and top.endswith(".dist-info"))}
    (about,) = (top for top in tops if top.endswith(".dist-info"))
    with zipfile.ZipFile(wheel) as archive:
        assert archive.read(f"{about}/entry_points.txt").decode().split() == [
            *("[console_scripts]", "volta-opt", "=", "volta_pipe.driver.mlir.opt:main"),
            *("volta-pipe", "=", "volta_pipe.driver.start:main"),
            *("[xdsl.universe]", "volta-pipe", "=", "volta_pipe.driver.mlir.universe:VOLTA_UNIVERSE"),
        ]
        assert any(name.startswith(f"{about}/") and name.endswith("LICENSE") for name in archive.namelist())


def test_every_module_is_in_it_as_a_real_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        sizes = {info.filename: info.file_size for info in archive.infolist()}
        links = [info.filename for info in archive.infolist() if (info.external_attr >> 16) & 0o170000 == 0o120000]
    wanted = {
        f"volta_pipe/{path.relative_to(ROOT)}": path.stat().st_size for room in ROOMS for path in (ROOT / room).rglob("*.py")
    }
    library = sorted((ROOT / "volta_pipe" / "spec").glob("*.py"))
    assert library
    wanted |= {str(path.relative_to(ROOT)): path.stat().st_size for path in library}
    assert wanted and {name: sizes.get(name) for name in wanted} == wanted
    assert "volta_pipe/py.typed" in sizes and not links
    assert not [name for name in sizes if name.endswith((".pyc", ".nbi", ".nbc"))]


def isolated(unpacked: Path, code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs code with -I and -S, so that neither the checkout nor its editable install is in reach: only the unpacked wheel and
    the installed dependencies."""
    paths = [str(unpacked), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    head = f"import sys; sys.path[:0] = {paths!r}\n"
    command = [sys.executable, "-I", "-S", "-c", head + code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_it_imports_from_elsewhere(unpacked: Path, tmp_path: Path) -> None:
    code = "import volta_pipe.ir, volta_pipe.ir.instructions as i, volta_pipe.driver.cli, volta_pipe.passes.lower\n"
    code += "print(volta_pipe.ir.__file__); print(len(i.FORMS) > 50)"
    done = isolated(unpacked, code, tmp_path)
    assert done.returncode == 0, done.stderr
    where, forms = done.stdout.split()
    assert Path(where).is_relative_to(unpacked) and forms == "True"


@pytest.mark.parametrize("name", [*ROOMS, "bench", "tests"])
def test_no_room_is_a_top_level_name(unpacked: Path, tmp_path: Path, name: str) -> None:
    done = isolated(unpacked, f"import {name}; print(getattr({name}, '__file__', None), {name}.__path__)", tmp_path)
    if name in ROOMS:
        assert done.returncode == 1 and f"No module named '{name}'" in done.stderr
    else:  # other distributions may bring a package of that name; ours does not
        assert str(unpacked) not in done.stdout


def test_the_command_runs(unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "k.ptx").write_text((ROOT / "examples/axpy/axpy.ptx").read_text())
    code = "import sys; sys.argv = ['volta-pipe', 'init', 'k.ptx', '--entry', 'axpy']\n"
    code += "from volta_pipe.driver.cli import main; main()"
    done = isolated(unpacked, code, tmp_path)
    assert done.returncode == 0 and "contract of axpy, 4 parameters" in done.stdout, done.stderr
