// y = scale x, one e5m2 number a thread.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void fp8_e5m2_scale(const __nv_fp8_storage_t *x, float *y, float scale, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = scale * __half2float(__half(__nv_cvt_fp8_to_halfraw(x[i], __NV_E5M2)));
}
