// One query a thread, keys and values in tiles of 8 through shared memory, rescaled when the maximum grows.
#include <math_constants.h>

extern "C" __global__ void attention_online(const float *q, const float *k, const float *v, float *o, int n, float scale) {
    __shared__ float tk[8][8], tv[8][8];
    int row = blockIdx.x * 16 + threadIdx.x;
    float mine[8], acc[8] = {}, top = -CUDART_INF_F, sum = 0.0f;
    for (int i = 0; i < 8; i++) mine[i] = row < n ? q[row * 8 + i] * scale : 0.0f;
    for (int first = 0; first < n; first += 8) {
        int count = min(8, n - first);
        __syncthreads();
        for (int e = threadIdx.x; e < count * 8; e += 16) {
            tk[e / 8][e % 8] = k[first * 8 + e];
            tv[e / 8][e % 8] = v[first * 8 + e];
        }
        __syncthreads();
        for (int j = 0; j < count; j++) {
            float s = 0.0f;
            for (int i = 0; i < 8; i++) s = fmaf(mine[i], tk[j][i], s);
            float next = fmaxf(top, s), old = __expf(top - next), p = __expf(s - next);
            sum = sum * old + p;
            for (int i = 0; i < 8; i++) acc[i] = acc[i] * old + p * tv[j][i];
            top = next;
        }
    }
    if (row < n)
        for (int i = 0; i < 8; i++) o[row * 8 + i] = acc[i] / sum;
}
