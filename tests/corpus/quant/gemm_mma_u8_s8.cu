// c = a b^T; sums are far from saturation.
extern "C" __global__ void gemm_mma_u8_s8(const int *a, const int *b, int *c, int m, int n, int k) {
    int t = threadIdx.x, g = t / 4, q = t % 4, words = k / 4, row = blockIdx.y * 16 + g, col = blockIdx.x * 8;
    int d[4] = {};
    for (int w = q; w < words; w += 4) {
        asm("mma.sync.aligned.m16n8k16.row.col.satfinite.s32.u8.s8.s32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[row * words + w]), "r"(a[(row + 8) * words + w]), "r"(b[(col + g) * words + w]));
    }
    for (int e = 0; e < 4; e++) c[(row + e / 2 * 8) * n + col + 2 * q + e % 2] = d[e];
}
