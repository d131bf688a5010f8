// y[r, c] = softmax of x[r, 0..r] for c <= r, else 0.
#include <math_constants.h>

extern "C" __global__ void softmax_causal(const float *x, float *y, int n) {
    int r = blockIdx.x;
    float top = -CUDART_INF_F, sum = 0.0f;
    for (int c = threadIdx.x; c <= r; c += 32) top = fmaxf(top, x[r * n + c]);
    for (int mask = 16; mask > 0; mask /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, mask));
    for (int c = threadIdx.x; c <= r; c += 32) sum += __expf(x[r * n + c] - top);
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    for (int c = threadIdx.x; c < n; c += 32) y[r * n + c] = c <= r ? __expf(x[r * n + c] - top) / sum : 0.0f;
}
