// y[r] = sum of row r by shfl.bfly.
extern "C" __global__ void sum_shuffle(const float *x, float *y, int n) {
    float sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) sum += x[blockIdx.x * n + c];
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}
