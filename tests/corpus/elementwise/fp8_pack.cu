// y and z are x in both 8-bit formats, two numbers a thread.
#include <cuda_fp8.h>

extern "C" __global__ void fp8_pack(const float2 *x, __nv_fp8x2_storage_t *y, __nv_fp8x2_storage_t *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    y[i] = __nv_cvt_float2_to_fp8x2(x[i], __NV_SATFINITE, __NV_E4M3);
    z[i] = __nv_cvt_float2_to_fp8x2(x[i], __NV_SATFINITE, __NV_E5M2);
}
