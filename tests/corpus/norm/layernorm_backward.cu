// With u = (x - mean) r and h = g w: d = r (h - mean h - u mean(h u)).
__device__ float mean_of(float v, int n) {
    for (int mask = 16; mask > 0; mask /= 2) v += __shfl_xor_sync(0xffffffff, v, mask);
    return v / n;
}

extern "C" __global__ void layernorm_backward(const float *x, const float *w, const float *g, float *d, int n, float eps) {
    int base = blockIdx.x * n;
    float s = 0.0f, q = 0.0f, a = 0.0f, b = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) s += x[base + c];
    float mean = mean_of(s, n);
    for (int c = threadIdx.x; c < n; c += 32) q += (x[base + c] - mean) * (x[base + c] - mean);
    float r = rsqrtf(mean_of(q, n) + eps);
    for (int c = threadIdx.x; c < n; c += 32) {
        float h = g[base + c] * w[c];
        a += h;
        b += h * (x[base + c] - mean) * r;
    }
    a = mean_of(a, n);
    b = mean_of(b, n);
    for (int c = threadIdx.x; c < n; c += 32) {
        float u = (x[base + c] - mean) * r;
        d[base + c] = r * (g[base + c] * w[c] - a - u * b);
    }
}
