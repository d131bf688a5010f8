// c = a b for row-major matrices a (m x k) and b (k x n), as a language model writes them when asked for faster ones: the naive
// product that they are checked against, then shared memory, vector loads and tensor cores. One CTA of 512 threads makes a tile
// of 32 x 32 elements of c, at row 32 blockIdx.y and column 32 blockIdx.x. m, n and k are multiples of 32.
#include <cuda_fp16.h>
#include <mma.h>

#define TILE 32
#define THREADS 512
#define ROWS (THREADS / TILE)  // rows of a tile that the CTA covers at once: 16

#define KERNEL extern "C" __global__ void
#define SHAPE int m, int n, int k

// Two elements a thread, 16 rows apart. T is float or __half; sums are f32.
template <typename T> __device__ void naive(const T *a, const T *b, float *c, SHAPE)
{
    int col = blockIdx.x * TILE + threadIdx.x % TILE;
    for (int i = threadIdx.x / TILE; i < TILE; i += ROWS) {
        int row = blockIdx.y * TILE + i;
        float sum = 0.0f;
        for (int p = 0; p < k; p++) {
            sum += float(a[row * k + p]) * float(b[p * n + col]);
        }
        c[row * n + col] = sum;
    }
}

KERNEL gemm_naive(const float *a, const float *b, float *c, SHAPE) { naive(a, b, c, m, n, k); }
KERNEL gemm_naive_half(const __half *a, const __half *b, float *c, SHAPE) { naive(a, b, c, m, n, k); }

template <bool wrong> __device__ void shared_memory(const float *a, const float *b, float *c, SHAPE)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE + 1];  // a column more, against bank conflicts
    int tx = threadIdx.x % TILE;
    int ty = threadIdx.x / TILE;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float upper = 0.0f;
    float lower = 0.0f;
    for (int k0 = 0; k0 < k; k0 += TILE) {
        a_tile[ty][tx] = a[row * k + k0 + tx];
        a_tile[ty + ROWS][tx] = a[(row + ROWS) * k + k0 + tx];
        b_tile[ty][tx] = b[(k0 + ty) * n + col];
        b_tile[ty + ROWS][tx] = b[(k0 + ty + (wrong ? 0 : ROWS)) * n + col];
        __syncthreads();
#pragma unroll
        for (int p = 0; p < TILE; p++) {
            upper += a_tile[ty][p] * b_tile[p][tx];
            lower += a_tile[ty + ROWS][p] * b_tile[p][tx];
        }
        __syncthreads();
    }
    c[row * n + col] = upper;
    c[(row + ROWS) * n + col] = lower;
}

KERNEL gemm_shared(const float *a, const float *b, float *c, SHAPE) { shared_memory<false>(a, b, c, m, n, k); }
KERNEL gemm_shared_wrong(const float *a, const float *b, float *c, SHAPE) { shared_memory<true>(a, b, c, m, n, k); }

// Both tiles are of 32 x 32, 256 vectors of four: the first half of the threads brings a's, the other half b's. A thread makes
// two neighbouring elements of a row.
template <bool wrong> __device__ void vector_loads(const float *a, const float *b, float *c, SHAPE)
{
    __shared__ __align__(16) float a_tile[TILE][TILE];
    __shared__ __align__(16) float b_tile[TILE][TILE];
    int vector = threadIdx.x % (THREADS / 2);
    int load_row = vector / (TILE / 4);
    int load_col = vector % (TILE / 4) * 4;
    bool loads_a = threadIdx.x < THREADS / 2;
    int ty = threadIdx.x / (TILE / 2);
    int tx = threadIdx.x % (TILE / 2) * 2;
    int row = blockIdx.y * TILE;
    int col = blockIdx.x * TILE;

    float2 sum = make_float2(0.0f, 0.0f);
    for (int k0 = 0; k0 < k; k0 += TILE) {
        if (loads_a) {
            float4 four = *reinterpret_cast<const float4 *>(&a[(row + load_row) * k + k0 + load_col]);
            *reinterpret_cast<float4 *>(&a_tile[load_row][load_col]) = four;
        } else {
            float4 four = *reinterpret_cast<const float4 *>(&b[(k0 + load_row) * n + col + load_col]);
            *reinterpret_cast<float4 *>(&b_tile[load_row][load_col]) = four;
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < TILE; p++) {
            float left = a_tile[ty][p];
            float2 right = *reinterpret_cast<const float2 *>(&b_tile[p][tx]);
            sum.x += left * right.x;
            sum.y += left * (wrong && p == TILE - 1 ? right.x : right.y);
        }
        __syncthreads();
    }
    *reinterpret_cast<float2 *>(&c[(row + ty) * n + col + tx]) = sum;
}

KERNEL gemm_vectors(const float *a, const float *b, float *c, SHAPE) { vector_loads<false>(a, b, c, m, n, k); }
KERNEL gemm_vectors_wrong(const float *a, const float *b, float *c, SHAPE) { vector_loads<true>(a, b, c, m, n, k); }

// All threads bring tiles of halves; then the first four warps multiply, each a fragment of 16 x 16 of the tile of c.
template <bool wrong> __device__ void tensor_cores(const __half *a, const __half *b, float *c, SHAPE)
{
    using namespace nvcuda;
    constexpr int SIDE = 16;
    __shared__ __align__(32) __half a_tile[TILE][TILE];
    __shared__ __align__(32) __half b_tile[TILE][TILE];
    int tx = threadIdx.x % TILE;
    int ty = threadIdx.x / TILE;
    int row = blockIdx.y * TILE;
    int col = blockIdx.x * TILE;
    int warp = threadIdx.x / warpSize;
    int warp_row = warp / 2 * SIDE;
    int warp_col = warp % 2 * SIDE;

    wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k0 = 0; k0 < k; k0 += TILE) {
        for (int i = ty; i < TILE; i += ROWS) {
            a_tile[i][tx] = a[(row + i) * k + k0 + tx];
            b_tile[i][tx] = b[(k0 + i) * n + col + tx];
        }
        __syncthreads();
        if (warp < 4) {
            for (int p = 0; p < TILE; p += SIDE) {
                wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, __half, wmma::row_major> left;
                wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, __half, wmma::row_major> right;
                wmma::load_matrix_sync(left, &a_tile[warp_row][p], TILE);
                wmma::load_matrix_sync(right, &b_tile[wrong ? 0 : p][warp_col], TILE);
                wmma::mma_sync(sum, left, right, sum);
            }
        }
        __syncthreads();
    }
    if (warp < 4) {
        wmma::store_matrix_sync(&c[(row + warp_row) * n + col + warp_col], sum, n, wmma::mem_row_major);
    }
}

KERNEL gemm_wmma(const __half *a, const __half *b, float *c, SHAPE) { tensor_cores<false>(a, b, c, m, n, k); }
KERNEL gemm_wmma_wrong(const __half *a, const __half *b, float *c, SHAPE) { tensor_cores<true>(a, b, c, m, n, k); }
