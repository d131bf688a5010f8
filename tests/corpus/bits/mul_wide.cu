// wide = a b, high = (signed, unsigned) upper words of a b, full = 128-bit c d.
extern "C" __global__ void mul_wide(const int *a, const int *b, const unsigned long long *c, const unsigned long long *d,
                                    long long *wide, int2 *high, ulonglong2 *full, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    wide[i] = static_cast<long long>(a[i]) * b[i];
    high[i] = make_int2(__mulhi(a[i], b[i]), static_cast<int>(__umulhi(a[i], b[i])));
    full[i] = make_ulonglong2(c[i] * d[i], __umul64hi(c[i], d[i]));
}
