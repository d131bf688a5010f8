// c = a b^T by the large double precision shape; lane (g, q) holds a at rows g and g + 8, columns q + 4 j.
extern "C" __global__ void mma_f64_k16(const double *a, const double *b, double *c, int m, int n, int k) {
    int t = threadIdx.x, g = t / 4, q = t % 4, row = blockIdx.y * 16 + g, col = blockIdx.x * 8;
    double d[4] = {};
    for (int i = q; i < k; i += 16) {
        double u[8], v[4];
        for (int j = 0; j < 4; j++) {
            u[2 * j] = a[row * k + i + 4 * j];
            u[2 * j + 1] = a[(row + 8) * k + i + 4 * j];
            v[j] = b[(col + g) * k + i + 4 * j];
        }
        asm("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, "
            "{%12,%13,%14,%15}, {%0,%1,%2,%3};"
            : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
            : "d"(u[0]), "d"(u[1]), "d"(u[2]), "d"(u[3]), "d"(u[4]), "d"(u[5]), "d"(u[6]), "d"(u[7]), "d"(v[0]), "d"(v[1]),
              "d"(v[2]), "d"(v[3]));
    }
    double *p = c + row * n + col + 2 * q;
    p[0] = d[0], p[1] = d[1], p[8 * n] = d[2], p[8 * n + 1] = d[3];
}
