// x = (nibble - 8) scale: a half with the bits 0x6400 | nibble is 1024 + nibble.
#include <cuda_fp16.h>

extern "C" __global__ void dequantize_u4_known(const unsigned char *q, const __half *scale, __half2 *x, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n / 2) return;
    unsigned bits = (q[i] & 15u) | (q[i] & 0xf0u) << 12 | 0x64006400u;
    __half2 v = *reinterpret_cast<__half2 *>(&bits);
    x[i] = __hmul2(__hsub2(v, __float2half2_rn(1032.0f)), __half2half2(scale[0]));
}
