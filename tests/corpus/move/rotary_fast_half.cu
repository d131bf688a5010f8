// Pairs (x[2 i], x[2 i + 1]) at position p are rotated by p frequency[i], with the fast sine and cosine.
#include <cuda_fp16.h>

extern "C" __global__ void rotary_fast_half(const __half2 *x, const float *frequency, __half2 *y, int d) {
    int i = threadIdx.x, p = blockIdx.x, at = p * (d / 2) + i;
    float angle = p * frequency[i], s = __sinf(angle), c = __cosf(angle);
    float2 v = __half22float2(x[at]);
    y[at] = __floats2half2_rn(v.x * c - v.y * s, v.x * s + v.y * c);
}
