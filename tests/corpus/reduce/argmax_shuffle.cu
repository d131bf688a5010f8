// The maximum of a row and where it is first, by shuffles of pairs.
#include <math_constants.h>

extern "C" __global__ void argmax_shuffle(const float *x, float *top, int *where, int n) {
    float best = -CUDART_INF_F;
    int place = 0x7fffffff;
    for (int c = threadIdx.x; c < n; c += 32) {
        float v = x[blockIdx.x * n + c];
        if (v > best) best = v, place = c;
    }
    for (int mask = 16; mask > 0; mask /= 2) {
        float v = __shfl_xor_sync(0xffffffff, best, mask);
        int p = __shfl_xor_sync(0xffffffff, place, mask);
        if (v > best || (v == best && p < place)) best = v, place = p;
    }
    if (threadIdx.x == 0) top[blockIdx.x] = best, where[blockIdx.x] = place;
}
