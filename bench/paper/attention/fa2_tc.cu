// FlashAttention-2 on tensor cores: as fa1_tc.cu, but the weights are taken relative to the largest score so far, the
// output stays unnormalised in the accumulators, and is divided by the sum once, at the end. Who holds which element
// of an accumulator is not specified, so that the output is rescaled where it lies in shared memory, in out_tile, from
// where each warp takes its 16 columns.
#include <mma.h>

using namespace nvcuda;

#define ROWS 16
#define DIM 64
#define KEYS 64
#define THREADS 128
#define LANES (THREADS / ROWS)
#define HALF_PITCH (DIM + 8) // of rows of halves: wmma wants a multiple of 8, and a power of two would hit one bank
#define FLOAT_PITCH (DIM + 4)

// With CAUSAL query row i sees the keys up to i + offset, key 0 in any case.
template <bool CAUSAL, bool RESCALES_SUM_ONLY, bool MASKS_BY_WARP_TILE>
__device__ __forceinline__ void fa2_tile(const half *__restrict__ q, const half *__restrict__ k,
                                         const half *__restrict__ v, float *__restrict__ o, int n, float scale,
                                         int offset)
{
    __shared__ __align__(32) half q_tile[ROWS][HALF_PITCH];
    __shared__ __align__(32) half k_tile[KEYS][HALF_PITCH];
    __shared__ __align__(32) half v_tile[KEYS][HALF_PITCH];
    __shared__ __align__(32) half weight[ROWS][HALF_PITCH];
    __shared__ __align__(32) float score[ROWS][FLOAT_PITCH];
    __shared__ __align__(32) float out_tile[ROWS][FLOAT_PITCH];

    int warp = threadIdx.x / 32;
    int row = threadIdx.x / LANES;
    int lane = threadIdx.x % LANES;

    for (int i = threadIdx.x; i < ROWS * DIM; i += THREADS) {
        q_tile[i / DIM][i % DIM] = q[i];
        out_tile[i / DIM][i % DIM] = 0.0f;
    }

    float largest = -INFINITY;
    float sum = 0.0f;

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
        float grown = largest;
#pragma unroll
        for (int j = 0; j < KEYS / LANES; j++) {
            int key = lane + LANES * j;
            bool visible = !CAUSAL || key0 + (MASKS_BY_WARP_TILE ? key / 16 * 16 : key) <= row + offset;
            mine[j] = visible ? scale * score[row][key] : -INFINITY;
            grown = fmaxf(grown, mine[j]);
        }
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            grown = fmaxf(grown, __shfl_xor_sync(0xffffffff, grown, mask));
        }
        float rescale = __expf(largest - grown);
        float block_sum = 0.0f;
#pragma unroll
        for (int j = 0; j < KEYS / LANES; j++) {
            float power = __expf(mine[j] - grown);
            weight[row][lane + LANES * j] = __float2half(power);
            block_sum += power;
        }
#pragma unroll
        for (int mask = LANES / 2; mask > 0; mask /= 2) {
            block_sum += __shfl_xor_sync(0xffffffff, block_sum, mask);
        }
        sum = rescale * sum + block_sum;
        largest = grown;
        if (!RESCALES_SUM_ONLY) {
#pragma unroll
            for (int j = 0; j < DIM / LANES; j++) {
                out_tile[row][lane + LANES * j] *= rescale;
            }
        }
        __syncthreads();

        wmma::load_matrix_sync(c, &out_tile[0][16 * warp], FLOAT_PITCH, wmma::mem_row_major);
        for (int j = 0; j < KEYS; j += 16) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
            wmma::load_matrix_sync(a, &weight[0][j], HALF_PITCH);
            wmma::load_matrix_sync(b, &v_tile[j][16 * warp], HALF_PITCH);
            wmma::mma_sync(c, a, b, c);
        }
        wmma::store_matrix_sync(&out_tile[0][16 * warp], c, FLOAT_PITCH, wmma::mem_row_major);
    }
    __syncthreads();

#pragma unroll
    for (int j = 0; j < DIM / LANES; j++) {
        o[row * DIM + lane + LANES * j] = out_tile[row][lane + LANES * j] / sum;
    }
}

#define ENTRY(name, ...)                                                                                            \
    extern "C" __global__ void name(const half *q, const half *k, const half *v, float *o, int n, float scale,      \
                                    int offset)                                                                     \
    {                                                                                                               \
        fa2_tile<__VA_ARGS__>(q, k, v, o, n, scale, offset);                                                        \
    }

ENTRY(fa2_tc, false, false, false)
ENTRY(fa2_tc_rescales_sum_only, false, true, false)
ENTRY(fa2_tc_causal, true, false, false)
ENTRY(fa2_tc_causal_masks_by_warp_tile, true, false, true)
