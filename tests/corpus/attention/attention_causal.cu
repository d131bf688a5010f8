// Causal attention with 4 columns and scale 1/2; lanes hold keys and merge (maximum, sum, output) by shuffles.
#include <math_constants.h>

extern "C" __global__ void attention_causal(const float4 *q, const float4 *k, const float4 *v, float4 *o, int n) {
    int row = blockIdx.x;
    float4 u = q[row], acc = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float top = -CUDART_INF_F, sum = 0.0f;
    for (int j = threadIdx.x; j <= row; j += 32) {
        float4 w = k[j], x = v[j];
        float s = 0.5f * (u.x * w.x + u.y * w.y + u.z * w.z + u.w * w.w), next = fmaxf(top, s);
        float old = __expf(top - next), p = __expf(s - next);
        sum = sum * old + p;
        acc = make_float4(acc.x * old + p * x.x, acc.y * old + p * x.y, acc.z * old + p * x.z, acc.w * old + p * x.w);
        top = next;
    }
    float all = top;
    for (int mask = 16; mask > 0; mask /= 2) all = fmaxf(all, __shfl_xor_sync(0xffffffff, all, mask));
    float scale = __expf(top - all);
    sum *= scale, acc.x *= scale, acc.y *= scale, acc.z *= scale, acc.w *= scale;
    for (int mask = 16; mask > 0; mask /= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
        acc.x += __shfl_xor_sync(0xffffffff, acc.x, mask);
        acc.y += __shfl_xor_sync(0xffffffff, acc.y, mask);
        acc.z += __shfl_xor_sync(0xffffffff, acc.z, mask);
        acc.w += __shfl_xor_sync(0xffffffff, acc.w, mask);
    }
    if (threadIdx.x == 0) o[row] = make_float4(acc.x / sum, acc.y / sum, acc.z / sum, acc.w / sum);
}
