// q = (a / b, a % b), w = (c / d, c % d); b and d are positive.
extern "C" __global__ void divide_any(const int *a, const int *b, const unsigned long long *c, const unsigned long long *d,
                                      int2 *q, ulonglong2 *w, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    q[i] = make_int2(a[i] / b[i], a[i] % b[i]);
    w[i] = make_ulonglong2(c[i] / d[i], c[i] % d[i]);
}
