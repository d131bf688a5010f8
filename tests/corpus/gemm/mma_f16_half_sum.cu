// c = a b^T; every lane loads its fragment from global memory.
extern "C" __global__ void mma_f16_half_sum(const unsigned *a, const unsigned *b, unsigned *c, int m, int n, int k) {
    int t = threadIdx.x, g = t / 4, q = t % 4, words = k / 2;
    int row = blockIdx.y * 16 + g, col = blockIdx.x * 8;
    unsigned d0 = 0, d1 = 0;
    for (int w = 0; w < words; w += 4) {
        unsigned a0 = a[row * words + w + q], a1 = a[(row + 8) * words + w + q], b0 = b[(col + g) * words + w + q];
        asm("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
            : "+r"(d0), "+r"(d1) : "r"(a0), "r"(a1), "r"(b0));
    }
    c[(row * n + col) / 2 + q] = d0;
    c[((row + 8) * n + col) / 2 + q] = d1;
}
