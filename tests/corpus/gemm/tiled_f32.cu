// c = a b by 8x8 tiles in shared memory; outside elements are zero.
extern "C" __global__ void tiled_f32(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float ta[8][8], tb[8][8];
    int x = threadIdx.x, y = threadIdx.y, col = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
    float sum = 0.0f;
    for (int t = 0; t < k; t += 8) {
        ta[y][x] = row < m && t + x < k ? a[row * k + t + x] : 0.0f;
        tb[y][x] = t + y < k && col < n ? b[(t + y) * n + col] : 0.0f;
        __syncthreads();
        for (int i = 0; i < 8; i++) sum += ta[y][i] * tb[i][x];
        __syncthreads();
    }
    if (row < m && col < n) c[row * n + col] = sum;
}
