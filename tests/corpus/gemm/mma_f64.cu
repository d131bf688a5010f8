// c = a b^T.
extern "C" __global__ void mma_f64(const double *a, const double *b, double *c, int m, int n, int k) {
    int t = threadIdx.x, g = t / 4, q = t % 4, row = blockIdx.y * 8 + g, col = blockIdx.x * 8;
    double d0 = 0.0, d1 = 0.0;
    for (int i = q; i < k; i += 4) {
        asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};"
            : "+d"(d0), "+d"(d1) : "d"(a[row * k + i]), "d"(b[(col + g) * k + i]));
    }
    c[row * n + col + 2 * q] = d0;
    c[row * n + col + 2 * q + 1] = d1;
}
