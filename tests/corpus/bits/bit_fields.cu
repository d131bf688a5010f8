// bfe unsigned and signed, bfi, bfind unsigned, signed and shiftamt, lop3 (majority), bmsk-like mask, fns of the third set bit.
extern "C" __global__ void bit_fields(const unsigned *x, const unsigned *y, unsigned *r, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    unsigned a = x[i], b = y[i], *p = r + 8 * i;
    asm("bfe.u32 %0, %1, 5, 9;" : "=r"(p[0]) : "r"(a));
    asm("bfe.s32 %0, %1, 20, 30;" : "=r"(p[1]) : "r"(a));
    asm("bfi.b32 %0, %1, %2, 7, 12;" : "=r"(p[2]) : "r"(a), "r"(b));
    asm("bfind.u32 %0, %1;" : "=r"(p[3]) : "r"(a));
    asm("bfind.s32 %0, %1;" : "=r"(p[4]) : "r"(a));
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(p[5]) : "r"(b));
    asm("lop3.b32 %0, %1, %2, %3, 0xe8;" : "=r"(p[6]) : "r"(a), "r"(b), "r"(a >> 16 | a << 16));
    p[7] = __fns(a, 0, 3);
}
