// FlashAttention-1, forward: o = softmax(scale * q @ k^T) @ v without storing the scores. One CTA of 128 threads has
// ROWS query rows and walks over blocks of KEYS keys. Eight threads, neighbours in a warp, share a query row: each
// computes KEYS / 8 scores of the block and DIM / 8 columns of the output. After each block the output is the
// attention over all keys so far: the old one has the weight of its sum, the block's that of its own (algorithm 1).
#define ROWS 16
#define DIM 64
#define KEYS 32
#define THREADS 128
#define LANES (THREADS / ROWS)

// With CAUSAL query row i sees the keys up to i + offset.
template <bool CAUSAL, bool FORGETS_OLD_SUM, bool MASKS_WITHIN_BLOCK>
__device__ __forceinline__ void fa1_tile(const float *__restrict__ q, const float *__restrict__ k,
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
        bool visible[KEYS / LANES];
        float block_largest = -INFINITY;
#pragma unroll
        for (int c = 0; c < KEYS / LANES; c++) {
            int key = lane + LANES * c;
            float dot = 0.0f;
#pragma unroll 8
            for (int i = 0; i < DIM; i++) {
                dot += q_tile[row][i] * k_tile[key][i];
            }
            visible[c] = !CAUSAL || (MASKS_WITHIN_BLOCK ? key : key0 + key) <= row + offset;
            score[c] = visible[c] ? scale * dot : -INFINITY;
            block_largest = fmaxf(block_largest, score[c]);
        }
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            block_largest = fmaxf(block_largest, __shfl_xor_sync(0xffffffff, block_largest, mask));
        }

        // A row that sees no key of the block has the largest score -inf, and -inf - -inf must not be computed.
        float block_sum = 0.0f;
#pragma unroll
        for (int c = 0; c < KEYS / LANES; c++) {
            float power = visible[c] ? __expf(score[c] - block_largest) : 0.0f;
            weight[row][lane + LANES * c] = power;
            block_sum += power;
        }
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            block_sum += __shfl_xor_sync(0xffffffff, block_sum, mask);
        }
        __syncthreads();

        float grown = fmaxf(largest, block_largest);
        float old_part = __expf(largest - grown);
        float new_part = __expf(block_largest - grown);
        float grown_sum = old_part * sum + new_part * block_sum;
        float old_weight = FORGETS_OLD_SUM ? old_part : sum * old_part;
#pragma unroll
        for (int c = 0; c < DIM / LANES; c++) {
            float block_acc = 0.0f;
#pragma unroll 8
            for (int j = 0; j < KEYS; j++) {
                block_acc += weight[row][j] * v_tile[j][lane + LANES * c];
            }
            acc[c] = (old_weight * acc[c] + new_part * block_acc) / grown_sum;
        }
        largest = grown;
        sum = grown_sum;
    }

    for (int c = 0; c < DIM / LANES; c++) {
        o[row * DIM + lane + LANES * c] = acc[c];
    }
}

#define ENTRY(name, ...)                                                                                            \
    extern "C" __global__ void name(const float *q, const float *k, const float *v, float *o, int n, float scale,   \
                                    int offset)                                                                     \
    {                                                                                                               \
        fa1_tile<__VA_ARGS__>(q, k, v, o, n, scale, offset);                                                        \
    }

ENTRY(fa1, false, false, false)
ENTRY(fa1_forgets_old_sum, false, true, false)
ENTRY(fa1_causal, true, false, false)
ENTRY(fa1_causal_masks_within_block, true, false, true)
