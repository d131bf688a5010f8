// s = a + b and d = a - b modulo 2^128, low word first.
extern "C" __global__ void add_int128(const ulonglong2 *a, const ulonglong2 *b, ulonglong2 *s, ulonglong2 *d, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    unsigned __int128 u = static_cast<unsigned __int128>(a[i].y) << 64 | a[i].x;
    unsigned __int128 v = static_cast<unsigned __int128>(b[i].y) << 64 | b[i].x, p = u + v, q = u - v;
    s[i] = make_ulonglong2(static_cast<unsigned long long>(p), static_cast<unsigned long long>(p >> 64));
    d[i] = make_ulonglong2(static_cast<unsigned long long>(q), static_cast<unsigned long long>(q >> 64));
}
