// Online softmax over blocks of KEYS keys with the precise expf: o = softmax(scale * q @ k^T) @ v. One CTA of 128
// threads has ROWS query rows; eight threads, neighbours in a warp, share a row. With NORMALISES (FlashAttention-1) the
// output is the attention over all keys so far after each block, else (FlashAttention-2) it is divided once, at the end.
// With CAUSAL the scores of keys beyond row + offset get -inf added. Key 0 has to be visible: then the largest score is
// finite from the first block on, and a block that is wholly hidden adds weights of exp(-inf) = 0.
#define ROWS 16
#define DIM 64
#define KEYS 32
#define THREADS 128
#define LANES (THREADS / ROWS)

template <bool NORMALISES, bool CAUSAL, bool OLD_SUM_AS_IT_IS, bool MASK_STARTS_LATE>
__device__ __forceinline__ void flash_tile(const float *__restrict__ q, const float *__restrict__ k,
                                           const float *__restrict__ v, float *__restrict__ o, int n, float scale,
                                           int offset)
{
    __shared__ float q_tile[ROWS][DIM + 1];
    __shared__ float k_tile[KEYS][DIM + 1];
    __shared__ float v_tile[KEYS][DIM + 1];
    __shared__ float weight[ROWS][KEYS + 1];

    int row = threadIdx.x / LANES;
    int lane = threadIdx.x % LANES;

    for (int i = threadIdx.x; i < ROWS * DIM; i += THREADS) {
        q_tile[i / DIM][i % DIM] = q[i];
    }

    float largest = -INFINITY;
    float sum = 0.0f;
    float acc[DIM / LANES] = {};

    for (int key0 = 0; key0 < n; key0 += KEYS) {
        __syncthreads();
        for (int i = threadIdx.x; i < KEYS * DIM; i += THREADS) {
            k_tile[i / DIM][i % DIM] = k[key0 * DIM + i];
            v_tile[i / DIM][i % DIM] = v[key0 * DIM + i];
        }
        __syncthreads();

        float score[KEYS / LANES];
        float grown = largest;
#pragma unroll
        for (int c = 0; c < KEYS / LANES; c++) {
            int key = lane + LANES * c;
            float dot = 0.0f;
#pragma unroll 8
            for (int i = 0; i < DIM; i++) {
                dot += q_tile[row][i] * k_tile[key][i];
            }
            float mask = CAUSAL && key0 + key > row + offset + (MASK_STARTS_LATE ? 1 : 0) ? -INFINITY : 0.0f;
            score[c] = scale * dot + mask;
            grown = fmaxf(grown, score[c]);
        }
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            grown = fmaxf(grown, __shfl_xor_sync(0xffffffff, grown, mask));
        }

        float block_sum = 0.0f;
#pragma unroll
        for (int c = 0; c < KEYS / LANES; c++) {
            float power = expf(score[c] - grown);
            weight[row][lane + LANES * c] = power;
            block_sum += power;
        }
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            block_sum += __shfl_xor_sync(0xffffffff, block_sum, mask);
        }
        __syncthreads();

        float rescale = expf(largest - grown);
        float grown_sum = (OLD_SUM_AS_IT_IS ? sum : rescale * sum) + block_sum;
        float old_weight = NORMALISES ? sum * rescale : rescale;
#pragma unroll
        for (int c = 0; c < DIM / LANES; c++) {
            float block_acc = 0.0f;
#pragma unroll 8
            for (int j = 0; j < KEYS; j++) {
                block_acc += weight[row][j] * v_tile[j][lane + LANES * c];
            }
            acc[c] = old_weight * acc[c] + block_acc;
            if (NORMALISES) {
                acc[c] /= grown_sum;
            }
        }
        largest = grown;
        sum = grown_sum;
    }

    for (int c = 0; c < DIM / LANES; c++) {
        o[row * DIM + lane + LANES * c] = NORMALISES ? acc[c] : acc[c] / sum;
    }
}

#define ENTRY(name, ...)                                                                                            \
    extern "C" __global__ void name(const float *q, const float *k, const float *v, float *o, int n, float scale,   \
                                    int offset)                                                                     \
    {                                                                                                               \
        flash_tile<__VA_ARGS__>(q, k, v, o, n, scale, offset);                                                      \
    }

ENTRY(flash1, true, false, false, false)
ENTRY(flash2, false, false, false, false)
ENTRY(flash2_causal, false, true, false, false)
ENTRY(flash1_old_sum_as_it_is, true, false, true, false)
ENTRY(flash2_old_sum_as_it_is, false, false, true, false)
ENTRY(flash2_causal_mask_starts_late, false, true, false, true)
