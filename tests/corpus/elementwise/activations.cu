// Four piecewise activations of x.
extern "C" __global__ void activations(const float *x, float *leaky, float *elu, float *clamped, float *hard, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i], e = expf(v) - 1.0f;
    leaky[i] = v > 0.0f ? v : 0.125f * v;
    elu[i] = v >= 0.0f ? v : e;
    clamped[i] = fminf(fmaxf(v, -1.0f), 2.0f);
    hard[i] = v * __saturatef(v * 0.25f + 0.5f);
}
