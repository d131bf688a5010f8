"""What the integer kernels compute, in NumPy: exact, modulo 2^n."""

import zlib

import numpy as np

U32 = np.uint64(0xFFFFFFFF)


def bit_counts(x):
    """How many bits are set in each 32-bit word."""
    return sum((x >> np.uint32(k)) & np.uint32(1) for k in range(32)).astype(np.int32)


def reversed_bits(x):
    """Each 32-bit word with its bits in reverse order."""
    one = np.uint32(1)
    return sum((((x >> np.uint32(k)) & one) << np.uint32(31 - k)) for k in range(32)).astype(np.uint32)


def leading_zeros(x, width):
    """Number of zero bits above the highest set bit."""
    out = np.full(x.shape, width, np.int32)
    for k in range(width):
        out[(x >> x.dtype.type(k)) & x.dtype.type(1) == 1] = width - 1 - k
    return out


def count_reverse(x, y):
    lowest = np.where(x == 0, 0, 32 - leading_zeros(x & (~x + np.uint32(1)), 32)).astype(np.int32)
    counts = [bit_counts(x), leading_zeros(x, 32), leading_zeros(y, 64), lowest]
    return {"count": np.stack(counts, axis=1), "back": reversed_bits(x)}


def count_reverse_known(x):
    v = (x.astype(np.uint64) * np.uint64(2654435761) & U32).astype(np.uint32)
    low = (reversed_bits(v) & np.uint32(255)).astype(np.int32)
    return {"y": bit_counts(v) + 64 * leading_zeros(v, 32) + low * 4096}


def crc32(x):
    # The standard library's CRC over the bytes in little-endian order.
    return {"y": np.array([zlib.crc32(int(v).to_bytes(4, "little")) for v in x], np.uint32)}


def mul_wide(a, b, c, d):
    wide = a.astype(np.int64) * b.astype(np.int64)
    unsigned = a.astype(np.uint32).astype(np.uint64) * b.astype(np.uint32).astype(np.uint64)
    high = [(wide >> 32).astype(np.int32), (unsigned >> np.uint64(32)).astype(np.uint32).astype(np.int32)]
    mask = (1 << 64) - 1
    products = [int(u) * int(v) for u, v in zip(c, d, strict=True)]
    full = np.array([[p & mask, p >> 64] for p in products], np.uint64)
    return {"wide": wide, "high": np.stack(high, axis=1), "full": full}


def add_int128(a, b):
    def words(values):
        return np.array([[v & (1 << 64) - 1, v >> 64 & (1 << 64) - 1] for v in values], np.uint64)

    u = [int(low) + (int(high) << 64) for low, high in a]
    v = [int(low) + (int(high) << 64) for low, high in b]
    pairs = list(zip(u, v, strict=True))
    return {"s": words([p + q for p, q in pairs]), "d": words([p - q for p, q in pairs])}


def carry_chain(a, b, m):
    def number(words):
        return sum(int(w) << 32 * k for k, w in enumerate(words))

    def words(value, count):
        return [value >> 32 * k & 0xFFFFFFFF for k in range(count)]

    rows = [(number(u), number(v), int(k)) for u, v, k in zip(a, b, m, strict=True)]
    return {
        "s": np.array([words(u + v, 4) for u, v, _ in rows], np.uint32),
        "d": np.array([words(u - v, 4) for u, v, _ in rows], np.uint32),
        "p": np.array([words(u * k, 5) for u, _, k in rows], np.uint32),
    }


def shifts_known(x):
    rows = []
    for c in map(int, x):
        v = 0x9E3779B9 * (c + 1) & 0xFFFFFFFF
        w = (~v & 0xFFFFFFFF) * 3 & 0xFFFFFFFF
        signed, pair = v - (v >> 31 << 32), w << 32 | v
        few, turn = min(c, 32), c % 32
        left = pair << turn >> 32
        rotated = (v << 32 | v) >> turn
        row = [v >> c, signed >> min(c, 31), v << c if c < 32 else 0, left, pair >> few, rotated]
        rows.append([value & 0xFFFFFFFF for value in row])
    return {"y": np.array(rows, np.uint32)}


def byte_permute(x):
    return {"y": x[:, [7, 5, 3, 1, 6, 4, 2, 0]]}


def byte_swap(x):
    return {"y": x[:, ::-1], "z": x[:, [1, 0, 3, 2]]}


def divide_constants(x, y):
    wide = y.astype(np.int64)
    toward_zero = [np.trunc(wide / 8), np.fmod(wide, 8), np.trunc(wide / -5), np.fmod(wide, 100)]
    return {
        "q": np.stack([x // 3, x // 7, x % 10, x // 641], axis=1).astype(np.uint32),
        "r": np.stack(toward_zero, axis=1).astype(np.int32),
    }


def divide_constants_known(y):
    v = 77777 * (y.astype(np.int64) - 20)
    parts = [np.trunc(v / 7), np.fmod(v, 7), np.trunc(v / 1000), np.trunc(v / -16)]
    return {"r": np.stack(parts, axis=1).astype(np.int32)}


def divide_any(a, b, c, d):
    wide, by = a.astype(np.int64), b.astype(np.int64)
    quotient = np.sign(wide) * (np.abs(wide) // by)
    q = np.stack([quotient, wide - quotient * by], axis=1).astype(np.int32)
    return {"q": q, "w": np.stack([c // d, c % d], axis=1)}


def lcg_monte_carlo(seed, step):
    # `step` is read by no one: its length says how many steps there are.
    s = [int(v) * 747796405 + 1 & 0xFFFFFFFF for v in seed]
    hits = [0] * len(s)
    for _ in range(len(step)):
        for k in range(len(s)):
            x = s[k] * 1664525 + 1013904223 & 0xFFFFFFFF
            s[k] = x * 1664525 + 1013904223 & 0xFFFFFFFF
            hits[k] += (x >> 16) ** 2 + (s[k] >> 16) ** 2 < 1 << 32
    return {"hits": np.array(hits, np.uint32), "state": np.array(s, np.uint32)}


def xorshift(x):
    s = [x[:, k].copy() for k in range(4)]
    for _ in range(4):
        t = s[0] ^ (s[0] << np.uint32(11))
        s = [s[1], s[2], s[3], s[3] ^ (s[3] >> np.uint32(19)) ^ t ^ (t >> np.uint32(8))]
    return {"y": np.stack(s, axis=1)}


def philox(x):
    rows = []
    for counter in map(int, x):
        c, key = (counter, 0, 0, 0), (1, 2)
        for _ in range(10):
            p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
            c = ((q >> 32) ^ c[1] ^ key[0], q & 0xFFFFFFFF, (p >> 32) ^ c[3] ^ key[1], p & 0xFFFFFFFF)
            key = (key[0] + 0x9E3779B9 & 0xFFFFFFFF, key[1] + 0xBB67AE85 & 0xFFFFFFFF)
        rows.append(c)
    return {"y": np.array(rows, np.uint32)}


def hash_mix(x):
    s = np.uint64(33)
    v = (x ^ (x >> s)) * np.uint64(0xFF51AFD7ED558CCD)
    v = (v ^ (v >> s)) * np.uint64(0xC4CEB9FE1A85EC53)
    return {"y": v ^ (v >> s), "g": x ^ (x >> np.uint64(1))}


def morton_known(x):
    def spread(v):
        return sum(((v >> np.uint32(k)) & np.uint32(1)) << np.uint32(2 * k) for k in range(16)).astype(np.uint32)

    rows, columns = spread(np.uint32(37) * x), spread(np.uint32(101) * x)
    return {"y": rows[:, None] | (columns[None, :] << np.uint32(1))}


def bit_fields(x, y):
    rows = []
    for a, b in zip(map(int, x), map(int, y), strict=True):
        signed = a - (a >> 31 << 32)
        # 12 bits from 20 on, the topmost of which fills the rest.
        field = signed >> 20
        turned = (a >> 16 | a << 16) & 0xFFFFFFFF
        places = [k for k in range(32) if a >> k & 1]
        row = [a >> 5 & 511, field, b & ~(4095 << 7) | (a & 4095) << 7, a.bit_length() - 1]
        row += [(a if signed >= 0 else ~signed).bit_length() - 1, 32 - b.bit_length() if b else -1]
        row += [a & b | a & turned | b & turned, places[2] if len(places) > 2 else -1]
        rows.append([value & 0xFFFFFFFF for value in row])
    return {"r": np.array(rows, np.uint32)}


def saturating(a, b, c):
    u, v, w = a.astype(np.int64), b.astype(np.int64), c.astype(np.int64)
    low, high = -(1 << 31), (1 << 31) - 1
    third = c.view(np.int32) if c.dtype == np.uint32 else c.astype(np.int32)
    middle = np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), third))
    parts = [np.clip(u + v, low, high), np.clip(u - v, low, high), np.abs(u - v) + w, middle, (u + v + 1) >> 1]
    return {"r": np.stack([p.astype(np.int64).astype(np.uint32).astype(np.int32) for p in parts], axis=1)}


def compare_select(a, b, s):
    p, q = a.astype(np.uint64), b.astype(np.uint64)
    flags = [a < b, p < q, a == b, s >= 0, s.astype(np.uint16) > 40000, ((a > 0) & (b > 0)) != (s > 7)]
    y = sum(flag.astype(np.uint32) << np.uint32(k) for k, flag in enumerate(flags)).astype(np.uint32)
    return {"y": y, "z": np.minimum(p, q).astype(np.int64) - np.maximum(a, b)}


def gcd(x):
    return {"y": np.gcd(60 * x, x * x + 84).astype(np.uint32)}


def narrow_widths(a, b, c, d):
    first = (c.astype(np.int32) * a + b).astype(np.int16)
    w = (d << np.int64(3)) - (d >> np.int64(40)) + np.abs(d)
    return {"r": np.stack([first, c >> 3], axis=1), "w": w, "e": (a.astype(np.int32) * b).astype(np.int8)}
