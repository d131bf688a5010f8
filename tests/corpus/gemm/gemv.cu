// y = a x; blocks of two warps, a row each.
extern "C" __global__ void gemv(const float *a, const float *x, float *y, int m, int n) {
    int row = blockIdx.x * 2 + threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0.0f;
    if (row < m)
        for (int i = lane; i < n; i += 32) sum += a[row * n + i] * x[i];
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (lane == 0 && row < m) y[row] = sum;
}
