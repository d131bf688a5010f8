// o = softmax(scale * q @ k^T) @ v as it is written down: one thread does all query rows, one after the other, and
// takes the weights as they are, without subtracting the largest score. q and o are ROWS x DIM, k and v are n x DIM.
#include <cuda_fp16.h>

#define ROWS 16
#define DIM 64
#ifndef MAX_KEYS  // bench/scaling takes more
#define MAX_KEYS 512
#endif

template <typename T, bool DROPS_LAST_KEY>
__device__ __forceinline__ void one_thread(const T *q, const T *k, const T *v, float *o, int n, float scale)
{
    float weight[MAX_KEYS];
    for (int row = 0; row < ROWS; row++) {
        float sum = 0.0f;
        for (int key = 0; key < n; key++) {
            float dot = 0.0f;
#pragma unroll
            for (int i = 0; i < DIM; i++) {
                dot += static_cast<float>(q[row * DIM + i]) * static_cast<float>(k[key * DIM + i]);
            }
            weight[key] = __expf(scale * dot);
            sum += DROPS_LAST_KEY && key == n - 1 ? 0.0f : weight[key];
        }
        for (int col = 0; col < DIM; col++) {
            float acc = 0.0f;
#pragma unroll 8
            for (int key = 0; key < n; key++) {
                acc += weight[key] * static_cast<float>(v[key * DIM + col]);
            }
            o[row * DIM + col] = acc / sum;
        }
    }
}

extern "C" __global__ void attention(const float *q, const float *k, const float *v, float *o, int n, float scale)
{
    one_thread<float, false>(q, k, v, o, n, scale);
}

extern "C" __global__ void attention_half(const half *q, const half *k, const half *v, float *o, int n, float scale)
{
    one_thread<half, false>(q, k, v, o, n, scale);
}

extern "C" __global__ void attention_drops_last_key(const float *q, const float *k, const float *v, float *o, int n,
                                                    float scale)
{
    one_thread<float, true>(q, k, v, o, n, scale);
}
