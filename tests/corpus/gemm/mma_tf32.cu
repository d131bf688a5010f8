// c = a b^T; the operands are rounded to tf32 with cvt.rna.
__device__ unsigned tf32(float v) {
    unsigned r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
    return r;
}

extern "C" __global__ void mma_tf32(const float *a, const float *b, float *c, int m, int n, int k) {
    int t = threadIdx.x, g = t / 4, q = t % 4, row = blockIdx.y * 16 + g, col = blockIdx.x * 8;
    float d[4] = {};
    for (int i = q; i < k; i += 8) {
        unsigned a0 = tf32(a[row * k + i]), a1 = tf32(a[(row + 8) * k + i]);
        unsigned a2 = tf32(a[row * k + i + 4]), a3 = tf32(a[(row + 8) * k + i + 4]);
        unsigned b0 = tf32(b[(col + g) * k + i]), b1 = tf32(b[(col + g) * k + i + 4]);
        asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
            : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    }
    float *p = c + row * n + col + q * 2;
    p[0] = d[0], p[1] = d[1], p[8 * n] = d[2], p[8 * n + 1] = d[3];
}
