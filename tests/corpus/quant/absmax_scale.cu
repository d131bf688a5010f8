// scale = max |x| / 127, y = x / scale.
extern "C" __global__ void absmax_scale(const float *x, float *scale, float *y, int n) {
    const float *row = x + blockIdx.x * n;
    float top = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) top = fmaxf(top, fabsf(row[c]));
    for (int mask = 16; mask > 0; mask /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, mask));
    float s = top / 127.0f;
    if (threadIdx.x == 0) scale[blockIdx.x] = s;
    for (int c = threadIdx.x; c < n; c += 32) y[blockIdx.x * n + c] = row[c] / s;
}
