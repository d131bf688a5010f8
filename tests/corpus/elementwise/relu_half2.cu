// y = max(x, 0), z = min(-x, 0) - |x|, in pairs of halves.
#include <cuda_fp16.h>

extern "C" __global__ void relu_half2(const __half2 *x, __half2 *y, __half2 *z, int n) {
    __half2 zero = __float2half2_rn(0.0f);
    for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
        y[i] = __hmax2(x[i], zero);
        z[i] = __hsub2(__hmin2(__hneg2(x[i]), zero), __habs2(x[i]));
    }
}
