// o = softmax(scale * q @ k^T) @ v where query row i sees the keys up to i + offset only. One CTA of 128 threads: all
// weights are computed first, without subtracting the largest score, then the sum of each row, then the output.
// Every score is computed, and the weight of a hidden key is 0. q and o are ROWS x DIM, k and v are n x DIM.
#include <cuda_fp16.h>

#define ROWS 16
#define DIM 64
#define MAX_KEYS 512
#define THREADS 128

template <typename T>
__device__ __forceinline__ void causal(const T *q, const T *k, const T *v, float *o, int n, float scale, int offset)
{
    __shared__ float weight[ROWS][MAX_KEYS];
    __shared__ float sum[ROWS];

    for (int i = threadIdx.x; i < ROWS * n; i += THREADS) {
        int row = i / n;
        int key = i % n;
        float dot = 0.0f;
#pragma unroll 8
        for (int c = 0; c < DIM; c++) {
            dot += static_cast<float>(q[row * DIM + c]) * static_cast<float>(k[key * DIM + c]);
        }
        weight[row][key] = key <= row + offset ? __expf(scale * dot) : 0.0f;
    }
    __syncthreads();

    if (threadIdx.x < ROWS) {
        float total = 0.0f;
        for (int key = 0; key < n; key++) {
            total += weight[threadIdx.x][key];
        }
        sum[threadIdx.x] = total;
    }
    __syncthreads();

    for (int i = threadIdx.x; i < ROWS * DIM; i += THREADS) {
        int row = i / DIM;
        int col = i % DIM;
        float acc = 0.0f;
        for (int key = 0; key < n; key++) {
            acc += weight[row][key] * static_cast<float>(v[key * DIM + col]);
        }
        o[i] = acc / sum[row];
    }
}

extern "C" __global__ void attention_causal(const float *q, const float *k, const float *v, float *o, int n,
                                            float scale, int offset)
{
    causal(q, k, v, o, n, scale, offset);
}

extern "C" __global__ void attention_causal_half(const half *q, const half *k, const half *v, float *o, int n,
                                                 float scale, int offset)
{
    causal(q, k, v, o, n, scale, offset);
}
