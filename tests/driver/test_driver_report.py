"""`volta-pipe report`: that it says what the run said, on a page that stands alone, and marks what is to be seen."""

from __future__ import annotations

import json
import re
import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from driver_commands import Commands
from driver_html import Element, read_html

from volta_pipe.driver.render import address_text
from volta_pipe.driver.report.page import page

ROOT = Path(__file__).resolve().parents[2]
RACE, INDEX, SPEC = (f"examples/{name}/volta.toml" for name in ("broken-race", "broken-index", "axpy-spec"))
LOOP = "tests/safety/contracts/barriers/loop_one_barrier.toml"
CRC = "tests/corpus/bits/crc32.toml"


def made(real: Commands, contract: str, folder: Path, code: int) -> tuple[dict[str, Any], Element]:
    """The report of a contract, as data and as a page."""
    assert real("report", contract, "-o", str(folder / "r.html")) == code, real.err
    data = json.loads((folder / "r.json").read_text())
    return data, read_html((folder / "r.html").read_text())


@pytest.mark.parametrize(
    ("contract", "code", "look"), [(RACE, 1, "bad"), (INDEX, 1, "bad"), (SPEC, 0, "good"), (CRC, 3, "open")]
)
def test_it_says_what_a_run_says(real: Commands, tmp_path: Path, contract: str, code: int, look: str) -> None:
    """The document is that of `run --json`; the page, which loads nothing, has verdict, name, findings and assumptions."""
    assert real("run", contract, "--json", "--quiet") == code
    document = json.loads(real.out)
    stages = document.pop("stages")
    data, html = made(real, contract, tmp_path, code)
    assert data["verdict_document"] == document
    assert [row["artifact"] for row in data["times"]["stages"]] == [row["artifact"] for row in stages]
    banner = html.one("header", look)
    assert document["verdict"] in banner.text and document["contract"]["name"] in banner.text
    assert (ROOT / contract).read_text().split() == _contract_text(html).split()
    assert all(text in html.one("section", anchor="assumptions").text for text in document["assumptions"])
    findings = html.one("section", anchor="findings").text
    assert all(
        _words(finding["message"]) in findings or _words(address_text(finding["address"])).removeprefix("at ") in findings
        for finding in document["findings"]
        if finding["dims"] == data["contract"]["at"]
    )
    repeats = [more for one in data["findings"] for more in one["repeats"]]
    assert len(data["findings"]) + len(repeats) == len({str(f["message"]) for f in document["findings"]})
    layers = html.one("section", anchor="layers").all("tr")[1:]
    shown = {row.one("strong").text: row.one(class_="result").text[2:] for row in layers}
    safety = {RACE: "failed"}.get(contract, "passed")
    proof = {RACE: "not run", INDEX: "failed", SPEC: "passed", CRC: "stopped"}[contract]
    assert shown.items() >= {"lower": "passed", "safety": safety, "proof": proof}.items()
    assert shown == {layer["name"]: layer["result"] for layer in document["layers"]}


def _words(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _contract_text(html: Element) -> str:
    return html.one("section", anchor="contract").all("pre")[0].text


def test_the_page_is_the_data_and_nothing_else(real: Commands, tmp_path: Path) -> None:
    """Made again from the JSON file, byte for byte; and from a run without anything in the store, but for the times."""
    made(real, RACE, tmp_path, 1)
    text, data = (tmp_path / "r.html").read_text(), (tmp_path / "r.json").read_text()
    assert page(json.loads(data)) == text
    other = tmp_path / "other"
    assert real("report", RACE, "-o", str(other / "r.html"), "--store", str(tmp_path / "new"), "--jobs", "1") == 1
    fresh, again = json.loads((other / "r.json").read_text()), json.loads(data)
    assert not any(row["cached"] for row in fresh["times"]["stages"])
    assert fresh.pop("times") != again.pop("times")
    assert json.dumps(fresh) == json.dumps(again)
    times = re.compile(r'(<td class="time">)[^<]*')
    assert times.sub(r"\1", (other / "r.html").read_text()) == times.sub(r"\1", text)


def test_a_race_is_a_picture(real: Commands, tmp_path: Path) -> None:
    """By hand (reduce_missing_barrier.cu): at stride 128 thread t < 128 writes part[t]; at stride 64 thread t < 64 reads
    part[t + 64]. The finding is about thread 64, which writes what thread 0 reads."""
    data, html = made(real, RACE, tmp_path, 1)
    found = data["findings"][0]["memory_map"]
    assert (found["name"], found["space"], found["element_bytes"], found["elements"]) == ("part", "shared", 4, 256)
    assert [(a["action"], a["threads"]) for a in found["accesses"]] == [("write", 128), ("read", 64)]
    cells = {line["first"] + place: cell for line in found["lines"] for place, cell in enumerate(line["cells"])}
    assert set(cells) == set(range(144))  # the elements that are touched, and the line behind them
    for element, cell in cells.items():
        writers, readers = [element] * (element < 128), [element - 64] * (64 <= element < 128)
        mark = "race" if element == 64 else "both" if readers else "one" if writers else ""
        assert cell["threads"] == [writers, readers] and cell["mark"] == mark, element
        assert cell["label"] == f"part[{element}]"
    picture = html.one(anchor="finding-1").one("svg")
    (race,) = picture.all("g", "race")
    assert race.one("title").text == "part[64]: A: write by thread 64; B: read by thread 0"
    assert len(picture.all("rect", "race")) == 1 and len(picture.all("g", "both")) == 63
    assert len(picture.all("rect", "frame")) == 64


def test_both_accesses_have_their_code(real: Commands, tmp_path: Path) -> None:
    data, html = made(real, RACE, tmp_path, 1)
    places = data["findings"][0]["places"]
    assert [place["text"].split()[0] for place in places] == ["write", "read"]
    ptx = (ROOT / "examples/broken-race/reduce_missing_barrier.ptx").read_text().splitlines()
    cuda = (ROOT / "examples/broken-race/reduce_missing_barrier.cu").read_text().splitlines()
    for access, place in zip(data["verdict_document"]["findings"][0]["accesses"], places, strict=True):
        for excerpt, lines in ((place["ptx"], ptx), (place["source"], cuda)):
            first, count = excerpt["first"], len(excerpt["lines"])
            assert excerpt["lines"] == [line.expandtabs(4).rstrip() for line in lines[first - 1 : first - 1 + count]]
        assert (place["ptx"]["line"], place["source"]["line"]) == (access["ptx_line"], access["source"]["line"])
        assert re.search({"write": r"st\.shared", "read": r"ld\.shared"}[access["action"]], ptx[access["ptx_line"] - 1])
    marked = [line.text for line in html.one(anchor="finding-1").all(class_="marked")]
    assert len(marked) == 4 and all("part[tid] += part[tid + stride];" in line for line in marked[::2])


def test_a_loop_shows_the_rounds_that_race(real: Commands, tmp_path: Path) -> None:
    """By hand (loop_one_barrier): thread t writes s[t], and behind the barrier reads s[63 - t]; the next round writes again."""
    data, _ = made(real, LOOP, tmp_path, 1)
    found = data["findings"][0]["memory_map"]
    order = [access["action"] for access in found["accesses"]]
    assert sorted(order) == ["read", "write"]
    cells = [cell for line in found["lines"] for cell in line["cells"]]
    assert len(cells) == 64
    for element, cell in enumerate(cells):
        threads = dict(zip(order, cell["threads"], strict=True))
        assert threads == {"write": [element], "read": [63 - element]}
    assert [cell["label"] for cell in cells if cell["mark"] == "race"] == [data["findings"][0]["where"].split()[1].rstrip(",")]


def test_a_counterexample_is_a_table(real: Commands, tmp_path: Path) -> None:
    """By hand: y[0,1] must be x[1,0] and is x[0,1]. The reference's thread (0,1) writes it, the candidate's thread (1,0)."""
    data, html = made(real, INDEX, tmp_path, 1)
    (found,) = data["findings"]
    rows = {row["input"]: (row["value"], row["matters"]) for row in found["counterexample"]["rows"]}
    assert rows == {"x[1,0]": ("1", True), "x[0,1]": ("0", True)}
    body = html.one(anchor="finding-1")
    assert [[cell.text for cell in row.all("td")] for row in body.all("tr", "matters")] == [
        ["x[1,0]", "1", "1", "yes"],
        ["x[0,1]", "0", "1", "yes"],
    ]
    assert [row.text for row in body.one("table", "values").all("tr")[1:]] == ["reference1", "candidate0"]
    assert found["counterexample"]["formulas"] == {"reference": "x[1,0]", "candidate": "x[0,1]"}
    assert [re.findall(r"^\w+: write by thread \d+ \([\d,]+\)", place["text"])[0] for place in found["places"]] == [
        "reference: write by thread 16 (0,1,0)",
        "candidate: write by thread 1 (1,0,0)",
    ]
    assert all(
        "y[col * rows + row] =" in place["source"]["lines"][place["source"]["line"] - place["source"]["first"]]
        for place in found["places"]
    )


def hostile(folder: Path) -> Path:
    """The example of a race, with markup wherever text can stand, and Unicode that reorders lines."""
    for name in ("broken-race", "reduce-tree"):
        shutil.copytree(ROOT / "examples" / name, folder / name)
    source = folder / "broken-race" / "reduce_missing_barrier.cu"
    line = "part[tid] += part[tid + stride];"
    source.write_text(source.read_text().replace(line, line + ' // </pre><img src=x onerror="alert(1)">\u202e'))
    ptx = folder / "broken-race" / "reduce_missing_barrier.ptx"
    ptx.write_text("// <b onclick='x'>&amp;</b>\n" + ptx.read_text())
    ptx.rename(ptx.with_name("a&b<i>.ptx"))
    contract = folder / "broken-race" / "volta.toml"
    text = contract.read_text().replace("row sums, tree without its barrier", "<script>alert('x')</script> & \\\"q\\\"")
    contract.write_text(text.replace('"reduce_missing_barrier.ptx"', '"a&b<i>.ptx"') + '# "</style><script src="//x">\n')
    return contract


def test_everything_of_others_is_escaped(real: Commands, tmp_path: Path) -> None:
    """`read_html` refuses each element and attribute that the contract, the source and the PTX try to make."""
    contract = hostile(tmp_path)
    data, html = made(real, str(contract), tmp_path, 1)
    assert data["contract"]["name"] == "<script>alert('x')</script> & \"q\""
    assert (
        data["contract"]["name"] in html.one("header").text and data["contract"]["name"] in html.one("head").one("title").text
    )
    assert '# "</style><script src="//x">' in _contract_text(html)
    assert not html.all("i", "x") and "a&b<i>.ptx" in html.one("section", anchor="trusted").text
    assert "<b onclick='x'>&amp;</b>" in html.one("section", anchor="trusted").text
    marked = html.one(anchor="finding-1").all(class_="marked")[0].text
    assert '// </pre><img src=x onerror="alert(1)">\\u202e' in marked
    assert "\u202e" not in (tmp_path / "r.html").read_text()


def test_a_mismatch_of_a_run_is_a_counterexample_too(real: Commands, tmp_path: Path) -> None:
    """The kernel gives a x + y, the function a x - y: they differ by 2 y, whatever the run found."""
    text = (ROOT / SPEC).read_text().replace("../axpy/axpy.ptx", (ROOT / "examples/axpy/axpy.ptx").as_posix())
    (tmp_path / "volta.toml").write_text(text)
    (tmp_path / "spec.py").write_text("def axpy(x, y, a):\n    return {'y': a * x - y}\n")
    data, html = made(real, str(tmp_path / "volta.toml"), tmp_path, 1)
    found = data["findings"][0]["counterexample"]
    values = {row["input"]: Fraction(row["value"]) for row in found["rows"]}
    sides = [Fraction(found[side]) for side in ("reference", "candidate")]
    assert sides[1] - sides[0] == 2 * values["y[0]"] != 0
    assert found["computed"] and "a run of both sides" in html.one(anchor="finding-1").text
    assert "y[i] += product;" in html.one(anchor="finding-1").all(class_="marked")[0].text
