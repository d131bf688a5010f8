"""The kernels of the examples that have barriers, with the launches of their contracts, and edits of their PTX text."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from volta_pipe.driver.contract import read_contract
from volta_pipe.driver.plan import KernelPlan, plan
from volta_pipe.ir.launch import Launch
from volta_pipe.passes.check import SafetyReport, check
from volta_pipe.passes.lower import Lowered, lower, read_source
from volta_pipe.passes.unroll import unroll

ROOT = Path(__file__).resolve().parents[2]
MOST_CTAS = 4  # barriers are a matter of one CTA


@dataclass(frozen=True)
class Kernel:
    """One kernel of the examples. `launches`: for each combination of dims, with at most MOST_CTAS CTAs, smallest first."""

    name: str
    path: Path
    entry: str
    launches: tuple[Launch, ...]

    @property
    def text(self) -> str:
        return read_source(self.path, str(self.path), self.entry)[0]

    def body(self) -> range:
        """Numbers of the PTX lines of this entry, counted from 1 (a file may hold several entries)."""
        lines = self.text.splitlines()
        entries = [number for number, line in enumerate(lines, 1) if ".entry" in line]
        first = next(number for number in entries if self.entry in lines[number - 1].replace("(", " ").split())
        return range(first, next((number for number in entries if number > first), len(lines) + 1))

    def barriers(self) -> list[int]:
        """Numbers of the PTX lines of this entry with a bar.sync."""
        lines = self.text.splitlines()
        return [number for number in self.body() if "bar.sync" in lines[number - 1]]


@cache
def kernels() -> tuple[Kernel, ...]:
    """All kernels of all examples, each once, those of the broken examples left out."""
    found: dict[tuple[Path, str], list[Launch]] = {}
    for path in sorted(ROOT.glob("examples/*/volta.toml")):
        if path.parent.name.startswith("broken"):
            continue
        contract = read_contract(path)
        for dims in contract.combinations():
            planned = plan(contract, dims)
            for side in (planned.reference, planned.candidate):
                if isinstance(side, KernelPlan):
                    launch = side.launch()
                    some = tuple(tuple(int(i) for i in cta) for cta in launch.cta_list()[:MOST_CTAS])
                    found.setdefault((side.spec.path.resolve(), side.spec.entry), []).append(replace(launch, ctas=some))  # type: ignore[arg-type]
    result = []
    for (path, entry), launches in found.items():
        ordered = sorted(launches, key=lambda launch: sum(t.size for t in launch.tensors))
        result.append(Kernel(f"{path.stem}.{entry}", path, entry, tuple(ordered)))
    return tuple(result)


def examine(kernel: Kernel, text: str, launch: Launch) -> tuple[Lowered, SafetyReport]:
    """lower, unroll and check of an edited text."""
    lowered = lower(text, kernel.path.name, kernel.entry)
    return lowered, check(unroll(lowered.module, launch, max_steps=20_000_000), launch)


def without_line(text: str, number: int) -> str:
    """The text with one line emptied, so that line numbers stay."""
    lines = text.splitlines()
    lines[number - 1] = ""
    return "\n".join(lines) + "\n"
