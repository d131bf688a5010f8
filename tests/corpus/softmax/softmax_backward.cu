// d = y (g - sum of y g).
extern "C" __global__ void softmax_backward(const float *y, const float *g, float *d, int n) {
    int base = blockIdx.x * n;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) sum = fmaf(y[base + c], g[base + c], sum);
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    for (int c = threadIdx.x; c < n; c += 32) d[base + c] = y[base + c] * (g[base + c] - sum);
}
