// y = (x - mean) / sqrt(variance + eps) w + b, two passes.
__device__ float all_sum(float v) {
    for (int mask = 16; mask > 0; mask /= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
    return v;
}

extern "C" __global__ void layernorm_warp(const float *x, const float *w, const float *b, float *y, int n, float eps) {
    const float *row = x + blockIdx.x * n;
    float sum = 0.0f, squares = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) sum += row[c];
    float mean = all_sum(sum) / n;
    for (int c = threadIdx.x; c < n; c += 32) squares += (row[c] - mean) * (row[c] - mean);
    float scale = rsqrtf(all_sum(squares) / n + eps);
    for (int c = threadIdx.x; c < n; c += 32) y[blockIdx.x * n + c] = (row[c] - mean) * scale * w[c] + b[c];
}
