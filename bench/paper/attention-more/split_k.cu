// o = softmax(scale * q @ k^T) @ v with the keys split among the four warps of a CTA, one CTA a query row, as for
// decoding, where there are few queries and many keys. A warp walks over its n / WARPS keys in blocks of 32, a lane a
// key for the scores, a lane two columns for the output, with a maximum, a sum and an output of its own. Then the
// parts are merged: with maxima and sums, or, with LOG_SUM_EXP, each part is normalised and comes with the logarithm
// of its sum of exponentials.
#define DIM 64
#define WARPS 4

template <bool LOG_SUM_EXP, bool MERGES_WITHOUT_MAXIMA>
__device__ __forceinline__ void split_row(const float *__restrict__ q, const float *__restrict__ k,
                                          const float *__restrict__ v, float *__restrict__ o, int n, float scale)
{
    __shared__ float part[WARPS][DIM];
    __shared__ float part_largest[WARPS]; // with LOG_SUM_EXP: of exp(score), the logarithm of the sum
    __shared__ float part_sum[WARPS];

    int warp = threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    int row = blockIdx.x;
    int keys = n / WARPS;

    float largest = -INFINITY;
    float sum = 0.0f;
    float acc0 = 0.0f;
    float acc1 = 0.0f;
    for (int key0 = warp * keys; key0 < (warp + 1) * keys; key0 += 32) {
        float dot = 0.0f;
#pragma unroll 8
        for (int i = 0; i < DIM; i++) {
            dot += q[row * DIM + i] * k[(key0 + lane) * DIM + i];
        }
        float score = scale * dot;
        float grown = fmaxf(largest, score);
#pragma unroll
        for (int mask = 16; mask > 0; mask /= 2) {
            grown = fmaxf(grown, __shfl_xor_sync(0xffffffff, grown, mask));
        }
        float rescale = __expf(largest - grown);
        float power = __expf(score - grown);
        float block_sum = power;
#pragma unroll
        for (int mask = 16; mask > 0; mask /= 2) {
            block_sum += __shfl_xor_sync(0xffffffff, block_sum, mask);
        }
        sum = sum * rescale + block_sum;
        acc0 *= rescale;
        acc1 *= rescale;
#pragma unroll 8
        for (int j = 0; j < 32; j++) {
            float weight = __shfl_sync(0xffffffff, power, j);
            acc0 += weight * v[(key0 + j) * DIM + lane];
            acc1 += weight * v[(key0 + j) * DIM + lane + 32];
        }
        largest = grown;
    }
    part[warp][lane] = LOG_SUM_EXP ? acc0 / sum : acc0;
    part[warp][lane + 32] = LOG_SUM_EXP ? acc1 / sum : acc1;
    if (lane == 0) {
        part_largest[warp] = LOG_SUM_EXP ? largest + __logf(sum) : largest;
        part_sum[warp] = LOG_SUM_EXP ? 1.0f : sum;
    }
    __syncthreads();

    float overall = part_largest[0];
#pragma unroll
    for (int w = 1; w < WARPS; w++) {
        overall = fmaxf(overall, part_largest[w]);
    }
    for (int col = threadIdx.x; col < DIM; col += 32 * WARPS) {
        float total = 0.0f;
        float acc = 0.0f;
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            float weight = MERGES_WITHOUT_MAXIMA ? 1.0f : __expf(part_largest[w] - overall);
            total += weight * part_sum[w];
            acc += weight * part[w][col];
        }
        o[row * DIM + col] = acc / total;
    }
}

#define ENTRY(name, ...)                                                                                            \
    extern "C" __global__ void name(const float *q, const float *k, const float *v, float *o, int n, float scale)   \
    {                                                                                                               \
        split_row<__VA_ARGS__>(q, k, v, o, n, scale);                                                               \
    }

ENTRY(split_k, false, false)
ENTRY(split_k_lse, true, false)
ENTRY(split_k_merges_without_maxima, false, true)
ENTRY(split_k_lse_merges_evenly, true, true)
