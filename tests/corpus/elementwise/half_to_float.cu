// f = h, d = h^2 as a double, g = 2 h rounded to half from single.
#include <cuda_fp16.h>

extern "C" __global__ void half_to_float(const __half *h, float *f, double *d, __half *g, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = __half2float(h[i]);
    f[i] = v;
    d[i] = static_cast<double>(v) * v;
    g[i] = __float2half_rn(v * 2.0f);
}
