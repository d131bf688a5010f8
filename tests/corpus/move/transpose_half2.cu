// y = x^T, 2x2 blocks of halves: two words in, two words out by prmt.
extern "C" __global__ void transpose_half2(const unsigned *x, unsigned *y, int r, int c) {
    int wide = c / 2, count = r / 2 * wide;
    for (int e = threadIdx.x; e < count; e += 32) {
        int i = e / wide, j = e % wide;
        unsigned a = x[2 * i * wide + j], b = x[(2 * i + 1) * wide + j];
        y[2 * j * (r / 2) + i] = __byte_perm(a, b, 0x5410);
        y[(2 * j + 1) * (r / 2) + i] = __byte_perm(a, b, 0x7632);
    }
}
