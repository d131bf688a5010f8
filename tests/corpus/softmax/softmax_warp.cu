// Row softmax; blocks of 2 warps, a row each.
#include <math_constants.h>

extern "C" __global__ void softmax_warp(const float *x, float *y, int rows, int n) {
    int r = blockIdx.x * 2 + threadIdx.y;
    if (r >= rows) return;
    x += r * n;
    y += r * n;
    float top = -CUDART_INF_F, sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) top = fmaxf(top, x[c]);
    for (int mask = 16; mask > 0; mask /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, mask));
    for (int c = threadIdx.x; c < n; c += 32) sum += expf(x[c] - top);
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    for (int c = threadIdx.x; c < n; c += 32) y[c] = expf(x[c] - top) / sum;
}
