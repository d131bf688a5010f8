"""Parts of `volta-pipe report`: where files go, what later keys of the document become, who made a PTX, how HTML is made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from driver_commands import Commands
from driver_html import read_html

from volta_pipe.driver.commands.report import targets
from volta_pipe.driver.contract import Contract
from volta_pipe.driver.report.html import escape, raw, tag
from volta_pipe.driver.report.page import page
from volta_pipe.driver.report.svg import listed
from volta_pipe.driver.report.times import layer_times
from volta_pipe.driver.report.trusted import ptx_header

ROOT = Path(__file__).resolve().parents[2]
AXPY = str(ROOT / "examples" / "axpy-spec" / "volta.toml")
AXPY_TEXT = "\n".join(line for line in Path(AXPY).read_text().splitlines() if not line.startswith("name"))


@pytest.fixture(scope="session")
def axpy(tmp_path_factory: pytest.TempPathFactory, kept: Path) -> dict[str, Any]:
    """The report of an example that holds."""
    from volta_pipe.driver.report.collect import report
    from volta_pipe.driver.session import verify
    from volta_pipe.driver.store import Store

    with Store(kept) as store:
        data: dict[str, Any] = json.loads(json.dumps(report(verify(AXPY, store))))
    return data


def test_where_the_files_go(real: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here by the contract's name; a folder; a file of either kind, whose sibling the other is."""
    monkeypatch.chdir(tmp_path)
    assert real("report", AXPY) == 0
    names = sorted(path.name for path in tmp_path.iterdir())
    assert [Path(name).suffix for name in names] == [".html", ".json"] and all(name.startswith("axpy-") for name in names)
    assert f"report: {names[0]}" in real.out and f"as JSON: {names[1]}" in real.out
    assert real("report", AXPY, "--output", "deep/er") == 0
    assert sorted(path.name for path in (tmp_path / "deep" / "er").iterdir()) == names
    assert real("report", AXPY, "-o", "one.json") == 0
    assert json.loads(Path("one.json").read_text())["verdict"] == "equivalent" and Path("one.html").is_file()


def test_what_the_files_are_called(tmp_path: Path) -> None:
    """By the contract's file, unless that is volta.toml: then by its name, if it has one."""

    def name(file: str, head: str = "") -> str:
        text = head + AXPY_TEXT
        return targets(None, Contract.from_text(text, Path(AXPY).parent, file=file))[0].name

    assert name("some/where/bug.toml", 'name = "my softmax bug"\n') == "bug.report.html"
    assert (
        name("some/where/volta.toml", 'name = "Linear layer, f16 (padded rows)"\n')
        == "linear-layer-f16-padded-rows.report.html"
    )
    assert name("volta.toml") == "volta.report.html"


def test_layers_that_are_asked_for(real: Commands, tmp_path: Path) -> None:
    """A run without a proof has no verdict, and says so in the place of one."""
    assert real("report", AXPY, "-o", str(tmp_path / "r.html"), "--only", "dynamic") == 0
    html = read_html((tmp_path / "r.html").read_text())
    assert "no verdict" in html.one("header", "open").text and "nothing is proved" in html.one("header").text
    results = [row.one(class_="result").text for row in html.one("section", anchor="layers").all("tr")[1:]]
    assert results == ["✓ passed", "✓ passed", "– skipped", "– skipped"]
    assert real("report", AXPY, "-o", str(tmp_path / "r.html"), "--only", "none") == 2 and "unknown layer" in real.err


def test_only_its_own_files_are_overwritten(real: Commands, tmp_path: Path) -> None:
    target = tmp_path / "r.html"
    assert real("report", AXPY, "-o", str(target)) == 0 and real("report", AXPY, "-o", str(target)) == 0
    (tmp_path / "r.json").write_text('{"mine": 1}')
    before = target.read_bytes()
    assert real("report", AXPY, "-o", str(target)) == 2
    assert "r.json: is there, and is no report of volta-pipe" in real.err and len(real.err.splitlines()) == 1
    assert (tmp_path / "r.json").read_text() == '{"mine": 1}' and target.read_bytes() == before
    (tmp_path / "file").write_text("")
    assert real("report", AXPY, "-o", str(tmp_path / "file" / "r.html")) == 2
    assert "cannot be written" in real.err or "cannot be overwritten" in real.err


def test_a_bad_contract_is_the_usual_error(real: Commands, tmp_path: Path) -> None:
    contract = tmp_path / "volta.toml"
    contract.write_text('[candidate]\nsource = "none.ptx"\n')
    assert real("report", str(contract), "-o", str(tmp_path)) == 2
    assert real.err.startswith("volta-pipe: error: ") and f"{contract}:2" in real.err and len(real.err.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["volta.toml"]


def test_what_the_document_adds_is_shown(axpy: dict[str, Any]) -> None:
    """Layers, dispatch, precision, resources, and above all a note that the contract cannot fail."""
    place = {"count": 7, "ptx_line": 12, "source": {"file": "a&b.cu", "line": 5}}
    counts = {"additions": {"f32": 12345, "f16": 7}, "accumulations": {"f32": 99, "f16": 7}}
    sums = {"side": "candidate", "output": "y", **counts, "narrowest": {"format": "f16", "places": [place]}}
    document = {
        **axpy["verdict_document"],
        "layers": [
            {"name": "dynamic", "result": "failed", "detail": "y[3] is <2>"},
            {"name": "proof", "result": "skipped", "detail": ""},
        ],
        "dispatch": {"expression": "n in (1, 2) and a < b", "function": "def fits(n):\n    return n < 3\n"},
        "precision": [{**sums, "dims": {"n": n}} for n in (3, 4)],
        "resources": [
            {
                "side": "candidate",
                "target": "sm_80",
                "threads": 96,
                "static_shared": 1024,
                "dynamic_shared": 512,
                "dims": [],
                "limits": {"static_shared": 49152, "shared": 166912, "registers": 255},
                "live_registers": 40,
                "directives": {"maxntid": [128, 1, 1]},
            }
        ],
        "stages": axpy["times"]["stages"],
    }
    notes = [
        {
            "kind": "vacuous",
            "side": "candidate",
            "dims": {},
            "message": "y is <never> constrained",
            "count": 1,
            "places": [],
            "likewise": [],
        }
    ]
    html = read_html(page({**axpy, "verdict_document": document, "layers": document["layers"], "notes": notes}))
    rows = html.one("section", anchor="layers").all("tr")[1:]
    assert [row.one(class_="result").text for row in rows] == ["✗ failed", "– skipped"] and "y[3] is <2>" in rows[0].text
    covers = html.one("section", anchor="covers")
    assert [code.text for code in covers.all("pre")] == ["n in (1, 2) and a < b", "def fits(n): return n < 3"]
    (row,) = html.one("section", anchor="precision").all("tr")[1:]
    assert [cell.text for cell in row.all("td")] == [
        "candidate, y", "12,345 in f32, 7 in f16", "99 in f32, 7 in f16", "f16: a&b.cu:5 (PTX line 12)", "n=3; n=4",
    ]  # fmt: skip
    (launch,) = html.one("section", anchor="resources").all("tr")[1:]
    assert [cell.text for cell in launch.all("td")] == [
        "candidate", "sm_80", "96", "1,536 of 166,9121,024 static", "40 of 255estimate from the PTX", ".maxntid 128, 1, 1", "",
    ]  # fmt: skip
    main = html.one("main").children
    assert main[1].attributes["class"] == "warning" and "y is <never> constrained" in main[1].text  # before all else
    assert not [e for e in html.all("section") if e.attributes.get("id") == "notes"]


def test_times_of_layers_are_those_of_their_stages() -> None:
    def stage(name: str, seconds: float, *, cached: bool = False) -> dict[str, Any]:
        return {"name": name, "seconds": seconds, "cached": cached}

    times = layer_times([stage("unroll", 1.5), stage("check", 0.5, cached=True), stage("vc", 0.25, cached=True)])
    assert times == {"safety": {"seconds": 2.0, "cached": False}, "proof": {"seconds": 0.25, "cached": True}}


def test_who_made_the_ptx(tmp_path: Path) -> None:
    """The header of nvcc, as it stands in files that it wrote, and none."""
    nvcc = tmp_path / "nvcc.ptx"
    nvcc.write_text(
        "//\n// Generated by NVIDIA NVVM Compiler\n//\n// Compiler Build ID: CL-36424714\n"
        "// Cuda compilation tools, release 13.0, V13.0.88\n//\n\n.version 9.0\n"
        ".target sm_80, debug // x\n// later\n.visible .entry k()\n"
    )
    found = ptx_header(nvcc)
    assert (found["version"], found["target"]) == ("9.0", "sm_80, debug")
    assert found["comments"] == [
        "Generated by NVIDIA NVVM Compiler", "Compiler Build ID: CL-36424714", "Cuda compilation tools, release 13.0, V13.0.88",
    ]  # fmt: skip
    nvcc.write_text(".entry k() { .version }")
    assert ptx_header(nvcc)["version"] == "" and ptx_header(nvcc)["comments"] == []


def test_the_trusted_base_names_versions(axpy: dict[str, Any]) -> None:
    import numpy as np

    tool = {one["name"]: one["version"] for one in axpy["trusted_base"]["tool"]}
    assert tool["numpy"] == np.__version__ and {"volta-pipe", "Python", "numba", "xdsl", "python-flint"} <= tool.keys()
    (kernel,) = axpy["trusted_base"]["kernels"]
    assert any("Cuda compilation tools" in text for text in kernel["comments"]) and kernel["target"].startswith("sm_")
    first = axpy["classes"][0]
    assert sum(row["elements"] for row in first["classes"]) == first["dims"]["n"]  # y has n elements
    forms = {text.replace(" ", "") for row in first["classes"] for text in row["forms"].values() if text}
    assert forms <= {"y[0]+x[0]·a", "x[0]·a+y[0]", "a·x[0]+y[0]", "y[0]+a·x[0]"}


def test_tags_escape_all_but_markup() -> None:
    assert (
        tag("p", "a<b & 'c'", title='"x"', class_=None, open=True)
        == '<p title="&quot;x&quot;" open>a&lt;b &amp; &#x27;c&#x27;</p>'
    )
    assert tag("p", raw("<b>"), [tag("br"), None, "\u202e\x00"]) == "<p><b><br>\\u202e\\u0000</p>"
    assert escape("a\tb\r\nc") == "a\tb\nc"


def test_threads_are_listed_as_ranges() -> None:
    assert listed([3], 1) == "thread 3"
    assert listed([0, 1, 2, 5, 8, 9], 6) == "threads 0..2, 5, 8..9"
    assert listed([0, 1], 40) == "threads 0..1 and 38 more"
