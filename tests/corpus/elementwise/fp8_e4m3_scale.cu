// y = scale x, two e4m3 numbers a thread.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void fp8_e4m3_scale(const __nv_fp8x2_storage_t *x, float2 *y, float scale, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    __half2 h = __half2(__nv_cvt_fp8x2_to_halfraw2(x[i], __NV_E4M3));
    float2 f = __half22float2(h);
    y[i] = make_float2(scale * f.x, scale * f.y);
}
