// o = softmax(scale q kᵀ) v for n keys and heads of D numbers, in halves, as the definition has it: a thread computes one query's
// row of o, and goes over the keys twice (for the greatest score, then for the sums) instead of keeping the scores.
#include <cuda_fp16.h>

#define D 64

__device__ float score(const half *query, const half *key, float scale)
{
    float sum = 0.0f;
    for (int i = 0; i < D; i++) {
        sum += __half2float(query[i]) * __half2float(key[i]);
    }
    return sum * scale;
}

extern "C" __global__ void attention_rows(const half *q, const half *k, const half *v, float *o, int n, float scale)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    const half *query = q + row * D;

    float top = -INFINITY;
    for (int j = 0; j < n; j++) {
        top = fmaxf(top, score(query, k + j * D, scale));
    }

    float total = 0.0f;
    float out[D] = {};
    for (int j = 0; j < n; j++) {
        float weight = expf(score(query, k + j * D, scale) - top);
        total += weight;
        for (int i = 0; i < D; i++) {
            out[i] += weight * __half2float(v[j * D + i]);
        }
    }
    for (int i = 0; i < D; i++) {
        o[row * D + i] = out[i] / total;
    }
}
