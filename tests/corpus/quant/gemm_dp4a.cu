// c = a b^T with dp4a, k a multiple of 4.
extern "C" __global__ void gemm_dp4a(const int *a, const int *b, int *c, int n, int k) {
    int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y, sum = 0;
    if (col >= n) return;
    for (int i = 0; i < k / 4; i++) sum = __dp4a(a[row * (k / 4) + i], b[col * (k / 4) + i], sum);
    c[row * n + col] = sum;
}
