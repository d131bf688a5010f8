// y = sum of x; each CTA leaves its sum and takes a ticket, the last one adds the sums.
extern "C" __global__ void last_block(const float *x, float *part, unsigned *ticket, float *y, int n) {
    float sum = 0.0f;
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) sum += x[i];
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    if (threadIdx.x) return;
    part[blockIdx.x] = sum;
    __threadfence();
    if (atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1) {
        float total = 0.0f;
        for (int k = 0; k < gridDim.x; k++) total += reinterpret_cast<volatile float *>(part)[k];
        y[0] = total;
    }
}
