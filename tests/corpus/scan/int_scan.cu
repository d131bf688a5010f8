// y[i] = x[0] + ... + x[i-1] modulo 2^32.
extern "C" __global__ void int_scan(const unsigned *x, unsigned *y, int n) {
    __shared__ unsigned first;
    int t = threadIdx.x, lane = t % 32;
    unsigned v = t < n ? x[t] : 0, own = v;
    for (int offset = 1; offset < 32; offset *= 2) {
        unsigned below = __shfl_up_sync(0xffffffff, v, offset);
        v += lane >= offset ? below : 0;
    }
    if (t == 31) first = v;
    __syncthreads();
    if (t < n) y[t] = v - own + (t >= 32 ? first : 0);
}
