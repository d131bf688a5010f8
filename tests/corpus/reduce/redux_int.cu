// Sum and maximum of 32 signed integers; and, or, xor of 32 words, by redux.sync.
extern "C" __global__ void redux_int(const int *x, const unsigned *u, int *sum, int *top, unsigned *bits) {
    int i = blockIdx.x * 32 + threadIdx.x;
    int s = __reduce_add_sync(0xffffffff, x[i]), m = __reduce_max_sync(0xffffffff, x[i]);
    unsigned a = __reduce_and_sync(0xffffffff, u[i]), o = __reduce_or_sync(0xffffffff, u[i]);
    unsigned e = __reduce_xor_sync(0xffffffff, u[i]);
    if (threadIdx.x == 0) {
        sum[blockIdx.x] = s;
        top[blockIdx.x] = m;
        bits[3 * blockIdx.x] = a;
        bits[3 * blockIdx.x + 1] = o;
        bits[3 * blockIdx.x + 2] = e;
    }
}
