// y = (sum, minimum of the negative) of 32 known integers a row.
extern "C" __global__ void redux_known(const int *x, int *y) {
    int v = x[blockIdx.x * 32 + threadIdx.x];
    int sum = __reduce_add_sync(0xffffffff, v), low = __reduce_min_sync(0xffffffff, -v);
    if (threadIdx.x < 2) y[2 * blockIdx.x + threadIdx.x] = threadIdx.x ? low : sum;
}
