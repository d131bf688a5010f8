// Both heads share keys and values; lanes compute scores of keys, then half the lanes a column of the output.
#include <math_constants.h>

extern "C" __global__ void attention_decode(const float *q, const float *k, const float *v, float *o, int n) {
    __shared__ float p[64];
    int t = threadIdx.x, head = blockIdx.x;
    float top = -CUDART_INF_F, sum = 0.0f;
    for (int j = t; j < n; j += 32) {
        float s = 0.0f;
        for (int i = 0; i < 16; i++) s += q[head * 16 + i] * k[j * 16 + i];
        p[j] = s * 0.25f;
        top = fmaxf(top, p[j]);
    }
    for (int mask = 16; mask > 0; mask /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, mask));
    for (int j = t; j < n; j += 32) sum += p[j] = exp2f((p[j] - top) * 1.44269504f);
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    __syncwarp();
    float acc = 0.0f;
    for (int j = t / 16; j < n; j += 2) acc += p[j] * v[j * 16 + t % 16];
    acc += __shfl_down_sync(0xffffffff, acc, 16);
    if (t < 16) o[head * 16 + t] = acc / sum;
}
