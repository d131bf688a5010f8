// c = a b in half precision with a single precision sum.
#include <cuda_fp16.h>

extern "C" __global__ void naive_f16(const __half *a, const __half *b, __half *c, int m, int n, int k) {
    int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row >= m || col >= n) return;
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum = fmaf(__half2float(a[row * k + i]), __half2float(b[i * n + col]), sum);
    c[row * n + col] = __float2half(sum);
}
