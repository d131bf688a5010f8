// y[r] = log sum exp x[r], the maximum subtracted first.
#include <math_constants.h>

extern "C" __global__ void logsumexp(const float *x, float *y, int n) {
    const float *row = x + blockIdx.x * n;
    float top = -CUDART_INF_F, sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) top = fmaxf(top, row[c]);
    for (int mask = 16; mask > 0; mask /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, mask));
    for (int c = threadIdx.x; c < n; c += 32) sum += __expf(row[c] - top);
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    if (threadIdx.x == 0) y[blockIdx.x] = top + __logf(sum);
}
