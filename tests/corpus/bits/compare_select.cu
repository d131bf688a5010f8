// y = bits of six comparisons, z = the smaller unsigned minus the larger signed.
extern "C" __global__ void compare_select(const long long *a, const long long *b, const short *s, unsigned *y, long long *z,
                                          int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    long long u = a[i], v = b[i];
    unsigned long long p = u, q = v;
    short t = s[i];
    y[i] = (u < v) | (p < q) << 1 | (u == v) << 2 | (t >= 0) << 3 | (static_cast<unsigned short>(t) > 40000) << 4 |
           ((u > 0 && v > 0) != (t > 7)) << 5;
    z[i] = static_cast<long long>(p < q ? p : q) - (u < v ? v : u);
}
