// d = a b + c; the operands are widened by shifting their bits.
#include <cuda_bf16.h>

extern "C" __global__ void bf16_fma_float(const unsigned short *a, const unsigned short *b, const float *c,
                                          __nv_bfloat16 *d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float x = __uint_as_float(static_cast<unsigned>(a[i]) << 16);
    float y = __uint_as_float(static_cast<unsigned>(b[i]) << 16);
    d[i] = __float2bfloat16_rn(fmaf(x, y, c[i]));
}
