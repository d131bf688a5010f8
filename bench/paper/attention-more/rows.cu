// o = softmax(scale * q @ k^T) @ v, a thread a query row, in two passes: the largest score first, then weights, their
// sum and the output. q and o are ROWS x DIM, k and v are n x DIM. With CAUSAL query row i sees the keys up to
// i + offset: the others' scores get -inf added, as a framework does it with a mask.
#define ROWS 16
#define DIM 64
#define MAX_KEYS 512

template <bool CAUSAL>
__device__ __forceinline__ float score_of(const float *q, const float *k, int row, int key, float scale, int offset)
{
    float dot = 0.0f;
#pragma unroll 8
    for (int i = 0; i < DIM; i++) {
        dot += q[row * DIM + i] * k[key * DIM + i];
    }
    float mask = CAUSAL && key > row + offset ? -INFINITY : 0.0f;
    return scale * dot + mask;
}

template <bool CAUSAL>
__device__ __forceinline__ void one_row(const float *q, const float *k, const float *v, float *o, int n, float scale,
                                        int offset)
{
    float weight[MAX_KEYS];
    int row = threadIdx.x;

    float largest = -INFINITY;
    for (int key = 0; key < n; key++) {
        weight[key] = score_of<CAUSAL>(q, k, row, key, scale, offset);
        largest = fmaxf(largest, weight[key]);
    }
    float sum = 0.0f;
    for (int key = 0; key < n; key++) {
        weight[key] = expf(weight[key] - largest);
        sum += weight[key];
    }
    for (int col = 0; col < DIM; col++) {
        float acc = 0.0f;
#pragma unroll 8
        for (int key = 0; key < n; key++) {
            acc += weight[key] * v[key * DIM + col];
        }
        o[row * DIM + col] = acc / sum;
    }
}

extern "C" __global__ void attention_rows(const float *q, const float *k, const float *v, float *o, int n, float scale)
{
    one_row<false>(q, k, v, o, n, scale, 0);
}

extern "C" __global__ void attention_rows_causal(const float *q, const float *k, const float *v, float *o, int n,
                                                 float scale, int offset)
{
    one_row<true>(q, k, v, o, n, scale, offset);
}
