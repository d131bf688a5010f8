// r = (c a + b, c >> 3) in 16 bits, w = (d << 3) - (d >> 40) + |d|, e = a b in 8 bits.
extern "C" __global__ void narrow_widths(const signed char *a, const unsigned char *b, const short *c, const long long *d,
                                         short2 *r, long long *w, signed char *e, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    r[i] = make_short2(static_cast<short>(c[i] * a[i] + b[i]), static_cast<short>(c[i] >> 3));
    w[i] = (d[i] << 3) - (d[i] >> 40) + llabs(d[i]);
    e[i] = static_cast<signed char>(a[i] * b[i]);
}
