// Odd lanes go another way at once; then every lane takes its neighbour's result by a shuffle.
extern "C" __global__ void diverged_entry(const float *x, float *y, int n) {
    float v;
    if (threadIdx.x & 1) {
        int i = blockIdx.x * 64 + (threadIdx.x ^ 1);
        v = i < n ? 3.0f * x[i] : 0.0f;
        for (int k = 0; k < (threadIdx.x & 6); k++) v += 1.0f;
    } else {
        int i = blockIdx.x * 64 + threadIdx.x;
        v = i < n ? x[i] * x[i] : 0.0f;
    }
    float other = __shfl_xor_sync(0xffffffff, v, 1);
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] = v + 2.0f * other;
}
