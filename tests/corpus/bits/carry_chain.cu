// s = a + b, d = a - b modulo 2^128 and p = a m with 160 bits, in words of 32 bits, lowest first.
extern "C" __global__ void carry_chain(const uint4 *a, const uint4 *b, const unsigned *m, uint4 *s, uint4 *d, unsigned *p,
                                       int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    uint4 u = a[i], v = b[i], r;
    unsigned k = m[i], e[5];
    asm("add.cc.u32 %0, %4, %8;\n\taddc.cc.u32 %1, %5, %9;\n\taddc.cc.u32 %2, %6, %10;\n\taddc.u32 %3, %7, %11;"
        : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
        : "r"(u.x), "r"(u.y), "r"(u.z), "r"(u.w), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w));
    s[i] = r;
    asm("sub.cc.u32 %0, %4, %8;\n\tsubc.cc.u32 %1, %5, %9;\n\tsubc.cc.u32 %2, %6, %10;\n\tsubc.u32 %3, %7, %11;"
        : "=r"(r.x), "=r"(r.y), "=r"(r.z), "=r"(r.w)
        : "r"(u.x), "r"(u.y), "r"(u.z), "r"(u.w), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w));
    d[i] = r;
    asm("{\n\tmul.lo.u32 %0, %5, %9;\n\tmul.hi.u32 %1, %5, %9;\n\tmad.lo.cc.u32 %1, %6, %9, %1;\n\tmadc.hi.u32 %2, %6, %9, 0;\n\t"
        "mad.lo.cc.u32 %2, %7, %9, %2;\n\tmadc.hi.u32 %3, %7, %9, 0;\n\tmad.lo.cc.u32 %3, %8, %9, %3;\n\t"
        "madc.hi.u32 %4, %8, %9, 0;\n\t}"
        : "=&r"(e[0]), "=&r"(e[1]), "=&r"(e[2]), "=&r"(e[3]), "=&r"(e[4])
        : "r"(u.x), "r"(u.y), "r"(u.z), "r"(u.w), "r"(k));
    for (int j = 0; j < 5; j++) p[5 * i + j] = e[j];
}
