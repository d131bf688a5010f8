// c = (a b^T) scale; the fragments are loaded by hand.
extern "C" __global__ void gemm_mma_s8(const int *a, const int *b, const float *scale, float *c, int m, int n, int k) {
    int t = threadIdx.x, g = t / 4, q = t % 4, words = k / 4, row = blockIdx.y * 16 + g, col = blockIdx.x * 8;
    int d[4] = {};
    for (int w = q; w < words; w += 8) {
        int a0 = a[row * words + w], a1 = a[(row + 8) * words + w], a2 = a[row * words + w + 4];
        int a3 = a[(row + 8) * words + w + 4], b0 = b[(col + g) * words + w], b1 = b[(col + g) * words + w + 4];
        asm("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    }
    for (int e = 0; e < 4; e++) {
        int column = col + 2 * q + e % 2;
        c[(row + e / 2 * 8) * n + column] = static_cast<float>(d[e]) * scale[column];
    }
}
