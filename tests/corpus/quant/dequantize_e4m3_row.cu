// x = q scale of its group of 16, two a thread; blocks of 8 threads.
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void dequantize_e4m3_row(const __nv_fp8x2_storage_t *q, const __half *scale, __half2 *x, int n) {
    for (int c = threadIdx.x; c < n / 2; c += 8) {
        __half2 v = __half2(__nv_cvt_fp8x2_to_halfraw2(q[blockIdx.x * (n / 2) + c], __NV_E4M3));
        x[blockIdx.x * (n / 2) + c] = __hmul2(v, __half2half2(scale[blockIdx.x * (n / 16) + c / 8]));
    }
}
