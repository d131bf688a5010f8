// y = Philox-4x32-10 of the counter (x, 0, 0, 0) and the key (1, 2).
extern "C" __global__ void philox(const unsigned *x, uint4 *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    uint4 c = make_uint4(x[i], 0, 0, 0);
    unsigned k0 = 1, k1 = 2;
    for (int r = 0; r < 10; r++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
        unsigned h0 = __umulhi(0xd2511f53u, c.x), l0 = 0xd2511f53u * c.x;
        unsigned h1 = __umulhi(0xcd9e8d57u, c.z), l1 = 0xcd9e8d57u * c.z;
        c = make_uint4(h1 ^ c.y ^ k0, l1, h0 ^ c.w ^ k1, l0);
    }
    y[i] = c;
}
