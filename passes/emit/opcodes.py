"""Opcodes as PTX spells them: the dialect keeps modifiers as a set, ptxas wants them in the order of the ISA."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

_SPACES = "global shared shared::cta shared::cluster local const param"
_HINTS = (
    "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate "
    "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged L2::cache_hint L2::64B L2::128B L2::256B"
)
_ORDER_OF_MEMORY = "mmio weak volatile sc relaxed acquire release acq_rel"
_SCOPES = "cta cluster gpu gl sys"
_VECTORS = "v2 v4 v8"
_COMPARISONS = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan finite infinite number notanumber"
_SHAPES = "m8n8 m16n8 m8n8k4 m8n8k16 m16n8k4 m16n8k8 m16n8k16 m16n8k32 m16n16k16 m8n32k16 m32n8k16 m16n16k8"
_ROUNDING = "rn rna rz rm rp rni rzi rmi rpi"
# Mnemonics with an order of their own; "*" stands for the types (at the end where there is none).
_OWN = {
    "prmt": "* f4e b4e rc8 ecl ecr rc16",
    "bar": "cta warp sync arrive red popc and or aligned",
    "barrier": "cta warp sync arrive red popc and or aligned",
    "match": "any all sync",
    "mma": f"sync aligned {_SHAPES} row col {_ROUNDING} satfinite kind::f8f6f4",
    "wmma": f"load store mma a b c d sync aligned row col {_SHAPES} {_ROUNDING} {_SPACES} * satfinite",
    "ldmatrix": f"sync aligned {_SHAPES} x1 x2 x4 trans {_SPACES}",
    "stmatrix": f"sync aligned {_SHAPES} x1 x2 x4 trans {_SPACES}",
    "cp": f"async mbarrier arrive noinc ca cg commit_group wait_group wait_all shared shared::cta global {_HINTS}",
    "fence": "mbarrier_init proxy alias async async::generic sc acq_rel acquire release sync_restrict::shared::cta "
    f"sync_restrict::shared::cluster {_SPACES} {_SCOPES}",
    "membar": f"proxy alias async async::generic {_SPACES} {_SCOPES}",
    "mbarrier": "init inval arrive arrive_drop test_wait try_wait pending_count complete_tx expect_tx noComplete parity "
    f"{_ORDER_OF_MEMORY} {_SCOPES} {_SPACES}",
    "createpolicy": f"fractional range cvt {_SPACES} L2 {_HINTS}",
    "applypriority": f"{_SPACES} {_HINTS}",
    "prefetch": f"{_SPACES} L1 L2 {_HINTS}",
}
# Of all others: accesses (PTX ISA 9.7.9.8 and 11, 9.7.13.13), then arithmetic, comparisons, and what a warp does together.
_COMMON = (
    f"to {_ORDER_OF_MEMORY} {_SCOPES} {_SPACES} pack lo hi wide ca cg cs lu cv wb wt nc "
    f"sync up down bfly idx ballot all any uni l r wrap clamp shiftamt {_COMPARISONS} add min max inc dec exch cas and or xor "
    f"{_ROUNDING} approx full ftz noftz oob sat relu satfinite cc NaN {_HINTS} {_VECTORS}"
)
_RANKS = {name: {word: rank for rank, word in enumerate(words.split())} for name, words in _OWN.items()}
_COMMON_RANKS = {word: rank for rank, word in enumerate(_COMMON.split())}
# Modifiers that the dialect adds to tell forms apart: the operands say the same.
_SYNTHETIC = frozenset({"pack", "unpack", "ignore_src"})
# Formats whose conversions saturate before they clamp to positive numbers (PTX ISA 9.7.9.21).
_SATURATE_FIRST = frozenset({"e4m3x2", "e5m2x2", "e2m1x2", "e3m2x2", "e2m3x2", "ue8m0x2", "tf32"})


@lru_cache(maxsize=4096)
def spell_opcode(mnemonic: str, modifiers: Sequence[str], types: Sequence[str]) -> str:
    """The opcode with its modifiers in the order of the ISA, such as `ld.relaxed.gpu.global.v2.f32`."""
    words = [word for word in modifiers if word not in _SYNTHETIC or (mnemonic, word) == ("cvt", "pack")]
    layouts = [word for word in words if "_" in word and set(word.split("_")) <= {"row", "col"}]
    words = [word for word in words if word not in layouts]
    ranks = _RANKS.get(mnemonic, _COMMON_RANKS)
    place_of_types = ranks.get("*", len(ranks))
    parts: list[tuple[float, int, str]] = [(_rank(ranks, word, types), 0, word) for word in words]
    for layout in layouts:
        parts += [(ranks["row"], index, word) for index, word in enumerate(layout.split("_"))]
    parts += [(place_of_types, index, kind) for index, kind in enumerate(types)]
    return ".".join([mnemonic, *(word for _, _, word in sorted(parts))])


def _rank(ranks: dict[str, int], word: str, types: Sequence[str]) -> float:
    if word == "relu" and types and types[0] in _SATURATE_FIRST:
        return ranks["satfinite"] + 0.5
    # A modifier without a place goes before the types: our own parser reads any order.
    return ranks.get(word, ranks.get("*", len(ranks)) - 0.5)
