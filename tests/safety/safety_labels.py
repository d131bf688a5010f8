"""The labels of the kernels under `kernels/`: what the comment above each entry says must come out, and on which launch.

    // expect: VERDICT [KIND[|KIND…] [SPACE NAME]]     or: safe note WORD
    // launch: grid 2; block 64; n=3; x 192; y 64 inout
    KERNEL name(const float *x, float *y, int n)

A pair of lines is a case; an entry may have several. Parts of `launch`: `grid`, `block`, `shared` (bytes), `assume FLAG`,
`alias A B`, `ctas X,Y,Z`, `DIM=NUMBER`, and for each tensor its shape and what is not the default (`inout`, `scratch`,
`values=V`, `strides=A,B`, `align=N`). A pointer to const is an `in` tensor, another one `out`; an int parameter is a dim. Args
are the parameters in order, `null` for a pointer that the launch does not name. A line with `// race here` takes part in the
race."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

KERNELS = Path(__file__).resolve().parent / "kernels"
CONTRACTS = Path(__file__).resolve().parent / "contracts"
MARK = "// race here"
_EXPECT, _LAUNCH = "// expect:", "// launch:"
_ENTRY = re.compile(r"^KERNEL (?:__launch_bounds__\(\d+\) )?(\w+)\((.*)\)$")
_DTYPES = {
    "float": "f32", "float2": "f32", "float4": "f32", "double": "f64", "int": "s32", "int4": "s32", "unsigned": "u32",
    "signed char": "s8", "unsigned char": "u8", "byte": "u8", "short": "s16", "unsigned short": "u16",
    "half": "f16", "long long": "s64", "unsigned long long": "u64",
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """One kernel on one launch with what must come out. kinds: any of them will do (empty: no finding); space, name: where,
    "" for anywhere; lines: the marked ones of the kernel, counted from 1; note: a word that the
    verdict's notes must have."""

    family: str
    name: str
    entry: str
    title: str
    verdict: str
    kinds: tuple[str, ...]
    space: str
    where: str
    lines: frozenset[int]
    note: str
    launch: str
    parameters: tuple[str, ...]

    @property
    def contract(self) -> Path:
        return CONTRACTS / self.family / f"{self.name}.toml"

    def toml(self) -> str:
        """The contract."""
        chosen = dict(_parts(self.launch))
        tensors, dims, args = [], [], []
        for parameter in self.parameters:
            ctype, pointer, name = _split(parameter)
            if not pointer:
                args.append(name)
                if ctype == "float":
                    tensors.append(f'[scalars.{name}]\ndtype = "f32"\n')
                else:
                    dims.append(_dim(name, chosen.pop(f"{name}=")))
            elif name not in chosen:
                args.append("null")
            else:
                args.append(name)
                tensors.append(_tensor(name, ctype, parameter.startswith("const "), chosen.pop(name)))
        for name in [key for key in chosen if key.endswith("=")]:
            dims.append(_dim(name[:-1], chosen.pop(name)))
        text = f"# expect: {self.verdict}{' ' + self.kinds[0] if len(self.kinds) == 1 else ''}\n"
        text += f'name = "{self.entry}"\n'
        if "alias" in chosen:
            text += f"aliases = [{_quoted(chosen.pop('alias').split())}]\n"
        text += "\n"
        if dims:
            text += "[dims]\n" + "\n".join(dims) + "\n\n"
        text += "\n".join(tensors) + "\n"
        text += f'[candidate]\nsource = "../../kernels/{self.family}.ptx"\nentry  = "{self.entry}"\n'
        text += f"grid   = [{_numbers(chosen.pop('grid', '1'))}]\nblock  = [{_numbers(chosen.pop('block'))}]\n"
        if "shared" in chosen:
            text += f'shared = "{chosen.pop("shared")}"\n'
        text += f"args   = {_quoted(args)}\n"
        if "ctas" in chosen:
            text += f"ctas   = [[{_numbers(chosen.pop('ctas').replace(',', ' '))}]]\n"
        if "assume" in chosen:
            text += f"\n[assume]\n{chosen.pop('assume')} = true\n"
        if chosen:
            raise ValueError(f"{self.family}/{self.name}: the launch says {sorted(chosen)}, which mean nothing")
        return text


def _parts(launch: str) -> list[tuple[str, str]]:
    found = []
    for part in launch.split(";"):
        word, _, rest = part.strip().partition(" ")
        if "=" in word:
            name, _, number = word.partition("=")
            found.append((f"{name}=", number))
        else:
            found.append((word, rest.strip()))
    return found


def _split(parameter: str) -> tuple[str, bool, str]:
    """(type, whether it is a pointer, name)."""
    ctype, star, name = parameter.removeprefix("const ").removeprefix("volatile ").rpartition("*")
    if not star:
        ctype, _, name = parameter.rpartition(" ")
    return ctype.strip(), bool(star), name.strip()


def _tensor(name: str, ctype: str, const: bool, said: str) -> str:
    shape, *options = said.split()
    role = "in" if const else "out"
    more = ""
    for option in options:
        key, given, value = option.partition("=")
        if not given:
            role = key
        elif key == "strides":
            more += f"strides = [{_numbers(value.replace(',', ' '))}]\n"
        else:
            more += f"{key} = {value if value.lstrip('-').isdigit() else _quote(value)}\n"
    shape = ", ".join(s if s.isdigit() else _quote(s) for s in shape.split(","))
    return f'[tensors.{name}]\ndtype = "{_DTYPES[ctype]}"\nshape = [{shape}]\nrole  = "{role}"\n{more}'


def _dim(name: str, values: str) -> str:
    return f"{name} = [{values.replace(',', ', ')}]" if "," in values else f"{name} = {values}"


def _quote(text: str) -> str:
    return f'"{text}"'


def _quoted(names: list[str]) -> str:
    return "[" + ", ".join(_quote(name) for name in names) + "]"


def _numbers(text: str) -> str:
    return ", ".join(word if word.isdigit() else _quote(word) for word in text.split())


def cases_of(path: Path) -> list[Case]:
    """The cases of one .cu file, in order. Errors: ValueError where an entry has no label."""
    lines = path.read_text().splitlines()
    found: list[Case] = []
    labels: list[str] = []
    title: list[str] = []
    for number, line in enumerate(lines, 1):
        if line.startswith((_EXPECT, _LAUNCH)):
            labels.append(line)
        elif line.startswith("// "):
            title = title if not labels else []
            title.append(line.removeprefix("// "))
        elif match := _ENTRY.match(line):
            expects, launches = labels[::2], labels[1::2]
            if not labels or len(expects) != len(launches) or not all(text.startswith(_EXPECT) for text in expects):
                raise ValueError(f"{path.name}:{number}: {match[1]} needs pairs of lines 'expect' and 'launch'")
            end = next((n for n, text in enumerate(lines[number:], number + 1) if text == "}"), len(lines))
            marked = frozenset(n for n in range(number, end) if MARK in lines[n - 1])
            parameters = tuple(" ".join(p.replace("__restrict__", "").split()) for p in match[2].split(",") if p.strip())
            for place, (expect, launch) in enumerate(zip(expects, launches, strict=True), 1):
                verdict, kinds, space, where, *_ = [*expect.removeprefix(_EXPECT).split(), "", "", "", ""]
                launched = launch.removeprefix(_LAUNCH).strip()
                name = match[1] if place == 1 else f"{match[1]}-{place}"
                note, kinds, space = (space, "", "") if kinds == "note" else ("", kinds, space)
                kind = tuple(kinds.split("|")) if kinds else ()
                made = Case(
                    path.stem, name, match[1], " ".join(title), verdict, kind, space, where, marked, note, launched, parameters
                )
                found.append(made)
            labels, title = [], []
        elif line.startswith("KERNEL"):
            raise ValueError(f"{path.name}:{number}: the head of an entry must be one line: KERNEL name(parameters)")
        elif not line.startswith("//"):
            title = [] if not line.strip() and not labels else title
    return found


def cases() -> list[Case]:
    """All cases of all families."""
    return [case for path in sorted(KERNELS.glob("*.cu")) for case in cases_of(path)]
