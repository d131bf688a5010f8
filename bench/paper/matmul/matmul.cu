// C = alpha A B + beta C for row-major f32 matrices A (m x k), B (k x n) and C (m x n): the products 1 to 4 of a series of
// seven, each made faster than the one before (blocked.cu has 5 to 7). One CTA of 512 threads makes a tile of 64 x 64 elements,
// at row 64 blockIdx.y and column 64 blockIdx.x, 8 a thread. m and n are multiples of 64, k of the depth of the tiles.
#define TILE 64
#define THREADS 512
#define EACH 8    // elements of a thread
#define STRIPE 8  // rows or columns from one element of a thread to its next one, in 1 and 3: 512 threads are 64 by 8

#define KERNEL extern "C" __global__ void
#define MATRICES const float *a, const float *b, float *c, float alpha, float beta, int m, int n, int k
#define PASSED a, b, c, alpha, beta, m, n, k

// Each kernel is written once, and once more with a mistake, for the mutant that the verifier must refute.
template <bool wrong> __device__ void naive(MATRICES)
{
    // Neighbouring threads are on neighbouring rows: what a warp reads of A is k elements apart.
    int row = blockIdx.y * TILE + threadIdx.x % TILE;
    int col = blockIdx.x * TILE + threadIdx.x / TILE;

    float sum[EACH] = {};
    for (int p = 0; p < k; p++) {
        float left = a[row * k + p];
        for (int i = 0; i < EACH; i++) {
            sum[i] += left * b[p * n + col + i * STRIPE];
        }
    }
    for (int i = 0; i < EACH; i++) {
        float *out = &c[row * n + col + i * STRIPE];
        *out = wrong && i == EACH - 1 ? alpha * (sum[i] + beta * *out) : alpha * sum[i] + beta * *out;
    }
}

KERNEL matmul_1(MATRICES) { naive<false>(PASSED); }
KERNEL matmul_1_wrong(MATRICES) { naive<true>(PASSED); }

template <bool wrong> __device__ void coalesced(MATRICES)
{
    // A warp is on 32 neighbouring columns of one row: it reads one element of A and 32 of B, and writes 32 of C, in a row. The
    // CTA is on 16 rows at once, and a thread makes the elements of 4 rows and 2 columns.
    constexpr int WIDTH = 32, ROWS = THREADS / WIDTH;
    constexpr int DOWN = TILE / ROWS, ACROSS = TILE / WIDTH;
    int row = blockIdx.y * TILE + threadIdx.x / WIDTH;
    int col = blockIdx.x * TILE + threadIdx.x % WIDTH;

    float sum[DOWN][ACROSS] = {};
#pragma unroll 4
    for (int p = 0; p < k - wrong; p++) {
        for (int i = 0; i < DOWN; i++) {
            for (int j = 0; j < ACROSS; j++) {
                sum[i][j] += a[(row + i * ROWS) * k + p] * b[p * n + col + j * WIDTH];
            }
        }
    }
    for (int i = 0; i < DOWN; i++) {
        for (int j = 0; j < ACROSS; j++) {
            float *out = &c[(row + i * ROWS) * n + col + j * WIDTH];
            *out = alpha * sum[i][j] + beta * *out;
        }
    }
}

KERNEL matmul_2(MATRICES) { coalesced<false>(PASSED); }
KERNEL matmul_2_wrong(MATRICES) { coalesced<true>(PASSED); }

template <bool wrong> __device__ void shared_tiles(MATRICES)
{
    constexpr int DEPTH = 32;
    __shared__ float a_tile[TILE][DEPTH];
    __shared__ float b_tile[DEPTH][TILE];
    int ty = threadIdx.x / TILE;
    int tx = threadIdx.x % TILE;
    int a_row = threadIdx.x / DEPTH, a_col = threadIdx.x % DEPTH;
    a += blockIdx.y * TILE * k;
    b += blockIdx.x * TILE;
    c += blockIdx.y * TILE * n + blockIdx.x * TILE;

    float sum[EACH] = {};
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        // Every element of A and B is read once a CTA instead of once a thread.
        for (int i = 0; i < TILE; i += THREADS / DEPTH) {
            a_tile[a_row + i][a_col] = a[(a_row + i) * k + k0 + a_col];
        }
        for (int i = 0; i < DEPTH; i += THREADS / TILE) {
            b_tile[ty + i][tx] = b[(k0 + ty + i) * n + tx];
        }
        __syncthreads();
        for (int p = 0; p < DEPTH; p++) {
            float right = b_tile[p][tx];
            for (int i = 0; i < EACH; i++) {
                sum[i] += a_tile[ty + i * STRIPE][p] * right;
            }
        }
        if (!wrong) {
            __syncthreads();  // the tiles are written again
        }
    }
    for (int i = 0; i < EACH; i++) {
        float *out = &c[(ty + i * STRIPE) * n + tx];
        *out = alpha * sum[i] + beta * *out;
    }
}

KERNEL matmul_3(MATRICES) { shared_tiles<false>(PASSED); }
KERNEL matmul_3_wrong(MATRICES) { shared_tiles<true>(PASSED); }

template <bool wrong> __device__ void register_column(MATRICES)
{
    constexpr int DEPTH = 8;
    __shared__ float a_tile[TILE * DEPTH];
    __shared__ float b_tile[DEPTH * TILE];
    // A thread makes EACH elements of one column, one below the other; tiles have as many elements as the CTA has threads.
    int row = threadIdx.x / TILE * EACH;
    int col = threadIdx.x % TILE;
    int a_row = threadIdx.x / DEPTH, a_col = threadIdx.x % DEPTH;
    int b_row = threadIdx.x / TILE, b_col = threadIdx.x % TILE;
    a += blockIdx.y * TILE * k;
    b += blockIdx.x * TILE;
    c += blockIdx.y * TILE * n + blockIdx.x * TILE;

    float sum[EACH] = {};
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        a_tile[a_row * DEPTH + a_col] = a[a_row * k + a_col];
        b_tile[b_row * TILE + b_col] = b[b_row * n + b_col];
        __syncthreads();
        a += DEPTH;
        b += DEPTH * n;
        for (int p = 0; p < DEPTH; p++) {
            float right = b_tile[p * TILE + col];
            for (int i = 0; i < EACH; i++) {
                sum[i] += a_tile[(row + i) * DEPTH + (wrong && i == EACH - 1 && p == DEPTH - 1 ? 0 : p)] * right;
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < EACH; i++) {
        float *out = &c[(row + i) * n + col];
        *out = alpha * sum[i] + beta * *out;
    }
}

KERNEL matmul_4(MATRICES) { register_column<false>(PASSED); }
KERNEL matmul_4_wrong(MATRICES) { register_column<true>(PASSED); }
