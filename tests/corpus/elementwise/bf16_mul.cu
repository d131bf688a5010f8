// c = a b in bf16: pairs with __hmul2, an odd last element through float.
#include <cuda_bf16.h>

extern "C" __global__ void bf16_mul(const __nv_bfloat16 *a, const __nv_bfloat16 *b, __nv_bfloat16 *c, int n) {
    for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
        __nv_bfloat162 x = reinterpret_cast<const __nv_bfloat162 *>(a)[i];
        reinterpret_cast<__nv_bfloat162 *>(c)[i] = __hmul2(x, reinterpret_cast<const __nv_bfloat162 *>(b)[i]);
    }
    if (threadIdx.x == 0 && n % 2) {
        c[n - 1] = __float2bfloat16(__bfloat162float(a[n - 1]) * __bfloat162float(b[n - 1]));
    }
}
