// c = a b^T of 8-bit floats (needs sm_89 or newer).
extern "C" __global__ void mma_fp8(const unsigned *a, const unsigned *b, float *c, int m, int n, int k) {
    int t = threadIdx.x, g = t / 4, q = t % 4, words = k / 4, row = blockIdx.y * 16 + g, col = blockIdx.x * 8;
    float d[4] = {};
    for (int w = q; w < words; w += 8) {
        unsigned a0 = a[row * words + w], a1 = a[(row + 8) * words + w], a2 = a[row * words + w + 4];
        unsigned a3 = a[(row + 8) * words + w + 4], b0 = b[(col + g) * words + w], b1 = b[(col + g) * words + w + 4];
        asm("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    }
    for (int e = 0; e < 4; e++) c[(row + e / 2 * 8) * n + col + 2 * q + e % 2] = d[e];
}
