// y = x / |x|.
extern "C" __global__ void normalize_l2(const float *x, float *y, int n) {
    int base = blockIdx.x * n;
    float q = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) q += x[base + c] * x[base + c];
    for (int mask = 16; mask > 0; mask /= 2) q += __shfl_xor_sync(0xffffffff, q, mask);
    float length = sqrtf(q);
    for (int c = threadIdx.x; c < n; c += 32) y[base + c] = x[base + c] / length;
}
