// Inclusive scan of up to 256 elements, two a thread.
extern "C" __global__ void block_scan(const float *x, float *y, int n) {
    __shared__ float totals[4];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    float a = 2 * t < n ? x[2 * t] : 0.0f, b = 2 * t + 1 < n ? x[2 * t + 1] : 0.0f, v = a + b;
    for (int offset = 1; offset < 32; offset *= 2) {
        float below = __shfl_up_sync(0xffffffff, v, offset);
        if (lane >= offset) v += below;
    }
    if (lane == 31) totals[warp] = v;
    __syncthreads();
    for (int w = 0; w < warp; w++) v += totals[w];
    if (2 * t < n) y[2 * t] = v - b;
    if (2 * t + 1 < n) y[2 * t + 1] = v;
}
