// c = a b^T.
extern "C" __global__ void naive_f64(const double *a, const double *b, double *c, int m, int n, int k) {
    int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row >= m || col >= n) return;
    double sum = 0.0;
    for (int i = 0; i < k; i++) sum = fma(a[row * k + i], b[col * k + i], sum);
    c[row * n + col] = sum;
}
