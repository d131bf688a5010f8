// y[r] = sum of row r; three warps meet in shared memory.
__device__ float warp_sum(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
    return v;
}

extern "C" __global__ void sum_two_level(const float *x, float *y, int n) {
    __shared__ float part[32];
    float sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += blockDim.x) sum += x[blockIdx.x * n + c];
    sum = warp_sum(sum);
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    if (lane == 0) part[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / 32 ? part[lane] : 0.0f;
        sum = warp_sum(sum);
        if (lane == 0) y[blockIdx.x] = sum;
    }
}
