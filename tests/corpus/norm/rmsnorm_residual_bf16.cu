// y = rmsnorm(x + r) w in bf16, the sum kept in single precision.
#include <cuda_bf16.h>

extern "C" __global__ void rmsnorm_residual_bf16(const __nv_bfloat162 *x, const __nv_bfloat162 *r, const __nv_bfloat162 *w,
                                                 __nv_bfloat162 *y, int n, float eps) {
    int half = n / 2, base = blockIdx.x * half;
    float squares = 0.0f;
    float2 keep[2];
    for (int k = 0; k < 2; k++) {
        int c = threadIdx.x + 32 * k;
        keep[k] = make_float2(0.0f, 0.0f);
        if (c < half) {
            float2 u = __bfloat1622float2(x[base + c]), v = __bfloat1622float2(r[base + c]);
            keep[k] = make_float2(u.x + v.x, u.y + v.y);
        }
        squares += keep[k].x * keep[k].x + keep[k].y * keep[k].y;
    }
    for (int mask = 16; mask > 0; mask /= 2) squares += __shfl_xor_sync(0xffffffff, squares, mask);
    float scale = rsqrtf(squares / n + eps);
    for (int k = 0; k < 2; k++) {
        int c = threadIdx.x + 32 * k;
        if (c >= half) continue;
        float2 g = __bfloat1622float2(w[c]);
        y[base + c] = __floats2bfloat162_rn(keep[k].x * scale * g.x, keep[k].y * scale * g.y);
    }
}
