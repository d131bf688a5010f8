// d = a b + c, two halves at a time.
#include <cuda_fp16.h>

extern "C" __global__ void fma_half2(const __half *a, const __half *b, const __half *c, __half *d, int n) {
    for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
        __half2 x = reinterpret_cast<const __half2 *>(a)[i], y = reinterpret_cast<const __half2 *>(b)[i];
        reinterpret_cast<__half2 *>(d)[i] = __hfma2(x, y, reinterpret_cast<const __half2 *>(c)[i]);
    }
    if (threadIdx.x == 0 && n % 2) d[n - 1] = __hfma(a[n - 1], b[n - 1], c[n - 1]);
}
