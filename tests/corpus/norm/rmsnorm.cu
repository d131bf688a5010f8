// y = x / sqrt(mean of squares + eps) w.
extern "C" __global__ void rmsnorm(const float *x, const float *w, float *y, int n, float eps) {
    const float *row = x + blockIdx.x * n;
    float squares = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) squares = fmaf(row[c], row[c], squares);
    for (int mask = 16; mask > 0; mask /= 2) squares += __shfl_xor_sync(0xffffffff, squares, mask);
    float scale = rsqrtf(squares / n + eps);
    for (int c = threadIdx.x; c < n; c += 32) y[blockIdx.x * n + c] = row[c] * scale * w[c];
}
