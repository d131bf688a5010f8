// FlashAttention-1 on tensor cores: q, k and v in half, sums in float, and the weights rounded to half for the second
// product. One CTA of four warps has ROWS = 16 query rows and walks over blocks of KEYS = 64 keys. Of the scores each
// warp computes a tile of 16 keys, of the second product a tile of 16 columns. In between eight threads, neighbours in
// a warp, share a query row, and keep its columns lane, lane + 8, ... of the output (see fa1.cu).
#include <mma.h>

using namespace nvcuda;

#define ROWS 16
#define DIM 64
#define KEYS 64
#define THREADS 128
#define LANES (THREADS / ROWS)
#define HALF_PITCH (DIM + 8) // of rows of halves: wmma wants a multiple of 8, and a power of two would hit one bank
#define FLOAT_PITCH (DIM + 4)

// With CAUSAL query row i sees the keys up to i + offset.
template <bool CAUSAL, bool SUMS_WITHOUT_RESCALING, bool MASK_IS_STRICT>
__device__ __forceinline__ void fa1_tile(const half *__restrict__ q, const half *__restrict__ k,
                                         const half *__restrict__ v, float *__restrict__ o, int n, float scale,
                                         int offset)
{
    __shared__ __align__(32) half q_tile[ROWS][HALF_PITCH];
    __shared__ __align__(32) half k_tile[KEYS][HALF_PITCH];
    __shared__ __align__(32) half v_tile[KEYS][HALF_PITCH];
    __shared__ __align__(32) half weight[ROWS][HALF_PITCH];
    __shared__ __align__(32) float score[ROWS][FLOAT_PITCH];
    __shared__ __align__(32) float product[ROWS][FLOAT_PITCH];

    int warp = threadIdx.x / 32;
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

        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
        wmma::fill_fragment(c, 0.0f);
        for (int i = 0; i < DIM; i += 16) {
            // k's rows are the columns of k^T
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
            wmma::load_matrix_sync(a, &q_tile[0][i], HALF_PITCH);
            wmma::load_matrix_sync(b, &k_tile[16 * warp][i], HALF_PITCH);
            wmma::mma_sync(c, a, b, c);
        }
        wmma::store_matrix_sync(&score[0][16 * warp], c, FLOAT_PITCH, wmma::mem_row_major);
        __syncthreads();

        float mine[KEYS / LANES];
        bool visible[KEYS / LANES];
        float block_largest = -INFINITY;
#pragma unroll
        for (int j = 0; j < KEYS / LANES; j++) {
            int key = key0 + lane + LANES * j;
            visible[j] = !CAUSAL || key < row + offset + (MASK_IS_STRICT && row > 0 ? 0 : 1);
            mine[j] = visible[j] ? scale * score[row][lane + LANES * j] : -INFINITY;
            block_largest = fmaxf(block_largest, mine[j]);
        }
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            block_largest = fmaxf(block_largest, __shfl_xor_sync(0xffffffff, block_largest, mask));
        }
        float block_sum = 0.0f;
#pragma unroll
        for (int j = 0; j < KEYS / LANES; j++) {
            float power = visible[j] ? __expf(mine[j] - block_largest) : 0.0f;
            weight[row][lane + LANES * j] = __float2half(power);
            block_sum += power;
        }
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            block_sum += __shfl_xor_sync(0xffffffff, block_sum, mask);
        }
        __syncthreads();

        wmma::fill_fragment(c, 0.0f);
        for (int j = 0; j < KEYS; j += 16) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
            wmma::load_matrix_sync(a, &weight[0][j], HALF_PITCH);
            wmma::load_matrix_sync(b, &v_tile[j][16 * warp], HALF_PITCH);
            wmma::mma_sync(c, a, b, c);
        }
        wmma::store_matrix_sync(&product[0][16 * warp], c, FLOAT_PITCH, wmma::mem_row_major);
        __syncthreads();

        float grown = fmaxf(largest, block_largest);
        float old_part = __expf(largest - grown);
        float new_part = __expf(block_largest - grown);
        float grown_sum = old_part * sum + (SUMS_WITHOUT_RESCALING ? block_sum : new_part * block_sum);
#pragma unroll
        for (int j = 0; j < DIM / LANES; j++) {
            acc[j] = (old_part * sum * acc[j] + new_part * product[row][lane + LANES * j]) / grown_sum;
        }
        largest = grown;
        sum = grown_sum;
    }

    for (int j = 0; j < DIM / LANES; j++) {
        o[row * DIM + lane + LANES * j] = acc[j];
    }
}

#define ENTRY(name, ...)                                                                                            \
    extern "C" __global__ void name(const half *q, const half *k, const half *v, float *o, int n, float scale,      \
                                    int offset)                                                                     \
    {                                                                                                               \
        fa1_tile<__VA_ARGS__>(q, k, v, o, n, scale, offset);                                                        \
    }

ENTRY(fa1_tc, false, false, false)
ENTRY(fa1_tc_sums_without_rescaling, false, true, false)
ENTRY(fa1_tc_causal, true, false, false)
ENTRY(fa1_tc_causal_mask_is_strict, true, false, true)
