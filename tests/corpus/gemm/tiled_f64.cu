// c = alpha a b + beta c by 8x8 tiles.
extern "C" __global__ void tiled_f64(const double *a, const double *b, double *c, double alpha, double beta, int m, int n,
                                     int k) {
    __shared__ double ta[8][9], tb[8][9];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
    double sum = 0.0;
    for (int t = 0; t < k; t += 8) {
        ta[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0.0;
        tb[x][y] = t + y < k && col < n ? b[(t + y) * n + col] : 0.0;
        __syncthreads();
        for (int i = 0; i < 8; i++) sum += ta[y][i] * tb[x][i];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = alpha * sum + beta * c[row * n + col];
}
