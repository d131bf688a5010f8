// y = sum of x with 45 threads: shuffles name only the 13 lanes of the last warp.
extern "C" __global__ void sum_partial_warp(const float *x, float *y, int n) {
    __shared__ float part[2];
    float sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += 45) sum += x[c];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (warp == 0) {
        for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    } else {
        for (int offset = 8; offset > 0; offset /= 2) {
            float other = __shfl_down_sync(0x1fff, sum, offset);
            if (lane + offset < 13) sum += other;
        }
    }
    if (lane == 0) part[warp] = sum;
    __syncthreads();
    if (threadIdx.x == 0) y[0] = part[0] + part[1];
}
