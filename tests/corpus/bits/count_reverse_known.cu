// y = popcount + 64 leading zeros + lowest byte of the reversed word, of x times a large odd number.
extern "C" __global__ void count_reverse_known(const unsigned *x, int *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    unsigned v = x[i] * 2654435761u;
    y[i] = __popc(v) + 64 * __clz(v) + static_cast<int>(__brev(v) & 255u) * 4096;
}
