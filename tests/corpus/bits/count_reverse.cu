// count = (popcount, leading zeros, leading zeros of 64 bits, 1 + lowest set bit or 0); back = bits of x reversed.
extern "C" __global__ void count_reverse(const unsigned *x, const unsigned long long *y, int4 *count, unsigned *back, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    count[i] = make_int4(__popc(x[i]), __clz(x[i]), __clzll(y[i]), __ffs(x[i]));
    back[i] = __brev(x[i]);
}
