// Shift counts run from 0 to n - 1: logical, arithmetic, left, the two funnel shifts (wrapping and clamping), a rotation.
extern "C" __global__ void shifts_known(const unsigned *x, unsigned *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    unsigned c = x[i], v = 0x9e3779b9u * (c + 1), w = ~v * 3u, r, a, l;
    asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(v), "r"(c));
    asm("shr.s32 %0, %1, %2;" : "=r"(a) : "r"(v), "r"(c));
    asm("shl.b32 %0, %1, %2;" : "=r"(l) : "r"(v), "r"(c));
    unsigned *p = y + 6 * i;
    p[0] = r, p[1] = a, p[2] = l;
    p[3] = __funnelshift_l(v, w, c);
    p[4] = __funnelshift_rc(v, w, c);
    p[5] = __funnelshift_r(v, v, c);
}
