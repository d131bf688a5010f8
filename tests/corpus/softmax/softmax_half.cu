// Row softmax of halves, two a lane and step; n is even.
#include <math_constants.h>
#include <cuda_fp16.h>

extern "C" __global__ void softmax_half(const __half2 *x, __half2 *y, int n) {
    int base = blockIdx.x * (n / 2);
    float top = -CUDART_INF_F, sum = 0.0f;
    for (int c = threadIdx.x; c < n / 2; c += 32) {
        float2 v = __half22float2(x[base + c]);
        top = fmaxf(top, fmaxf(v.x, v.y));
    }
    for (int mask = 16; mask > 0; mask /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, mask));
    for (int c = threadIdx.x; c < n / 2; c += 32) {
        float2 v = __half22float2(x[base + c]);
        sum += __expf(v.x - top) + __expf(v.y - top);
    }
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    for (int c = threadIdx.x; c < n / 2; c += 32) {
        float2 v = __half22float2(x[base + c]);
        y[base + c] = __floats2half2_rn(__expf(v.x - top) / sum, __expf(v.y - top) / sum);
    }
}
