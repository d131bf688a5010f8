// Row softmax; four elements a lane stay in registers, n is a multiple of 4.
#include <math_constants.h>

extern "C" __global__ void softmax_registers(const float4 *x, float4 *y, int n) {
    int i = blockIdx.x * (n / 4) + threadIdx.x;
    bool inside = threadIdx.x < n / 4;
    float4 v = inside ? x[i] : make_float4(-CUDART_INF_F, -CUDART_INF_F, -CUDART_INF_F, -CUDART_INF_F);
    float top = fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w));
    for (int mask = 16; mask > 0; mask /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, mask));
    v = make_float4(exp2f((v.x - top) * 1.44269504f), exp2f((v.y - top) * 1.44269504f), exp2f((v.z - top) * 1.44269504f),
                    exp2f((v.w - top) * 1.44269504f));
    float sum = v.x + v.y + v.z + v.w;
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    float scale = 1.0f / sum;
    if (inside) y[i] = make_float4(v.x * scale, v.y * scale, v.z * scale, v.w * scale);
}
