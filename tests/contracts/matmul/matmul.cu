// Matrix products.
#include "../wrong.cuh"
#include <cuda_fp16.h>

#define TILE 8

// c = a b^T over tiles of 8 by 8 in shared memory; a is m by k, b is n by k. The transposed sibling reads b as k by n.
template <Wrong wrong> __device__ void gemm_nt(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float rows[TILE][TILE + 1], columns[TILE][TILE + 1];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0.0f;
#pragma unroll 1
    for (int start = 0; start < (wrong == MISSING_TAIL ? k / TILE * TILE : k); start += TILE) {
        int other = blockIdx.x * TILE + ty;
        rows[ty][tx] = row < m && start + tx < k ? a[row * k + start + tx] : 0.0f;
        bool inside = other < n && start + tx < k;
        columns[ty][tx] = inside ? b[wrong == TRANSPOSED ? (start + tx) * n + other : other * k + start + tx] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += rows[ty][i] * columns[tx][i];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}
#define GEMM_NT(name, wrong) \
    ENTRY name(const float *a, const float *b, float *c, int m, int n, int k) { gemm_nt<wrong>(a, b, c, m, n, k); }
GEMM_NT(gemm_nt_right, RIGHT)
GEMM_NT(gemm_nt_transposed, TRANSPOSED)
GEMM_NT(gemm_nt_missing_tail, MISSING_TAIL)

// c = gelu(scale a b + bias) in its tanh form, a batch of products, a thread an element, a bias a column.
template <Wrong wrong>
__device__ void batched_bias_gelu(const float *a, const float *b, const float *bias, float *c, float scale, int m, int n, int k)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y, batch = blockIdx.z;
    if (column >= n) return;
    float sum = 0.0f;
    LOOP(i, k) sum += a[(batch * m + row) * k + i] * b[((wrong == WRONG_MASK ? 0 : batch) * k + i) * n + column];
    float v = (wrong == MISSING_SCALE ? sum : scale * sum) + bias[wrong == WRONG_AXIS ? row : column];
    c[(batch * m + row) * n + column] = 0.5f * v * (1.0f + tanh_fast(0.7978845608f * (v + 0.044715f * v * v * v)));
}
#define BATCHED(name, wrong) \
    ENTRY name(const float *a, const float *b, const float *bias, float *c, float scale, int m, int n, int k) \
    { \
        batched_bias_gelu<wrong>(a, b, bias, c, scale, m, n, k); \
    }
BATCHED(batched_bias_gelu_right, RIGHT)
BATCHED(batched_bias_gelu_wrong_axis, WRONG_AXIS)
BATCHED(batched_bias_gelu_missing_scale, MISSING_SCALE)
BATCHED(batched_bias_gelu_first_batch, WRONG_MASK)

// c = alpha a b + beta c, all column by column, as BLAS has them, with leading dimensions. The transposed sibling takes a as
// if it lay row by row, the other one takes the leading dimension of a for its height.
template <Wrong wrong>
__device__ void gemm_blas(const float *a, const float *b, float *c, float alpha, float beta, int m, int n, int k, int lda,
                          int ldb, int ldc)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y;
    if (row >= m) return;
    if (wrong == IGNORED_PADDING) lda = m;
    float sum = 0.0f;
    LOOP(i, k) sum += a[wrong == TRANSPOSED ? row * k + i : i * lda + row] * b[column * ldb + i];
    float *target = c + column * ldc + row;
    *target = wrong == MISSING_SCALE ? alpha * sum + *target : alpha * sum + beta * *target;
}
#define GEMM_BLAS(name, wrong) \
    ENTRY name(const float *a, const float *b, float *c, float alpha, float beta, int m, int n, int k, int lda, int ldb, int ldc) \
    { \
        gemm_blas<wrong>(a, b, c, alpha, beta, m, n, k, lda, ldb, ldc); \
    }
GEMM_BLAS(gemm_blas_right, RIGHT)
GEMM_BLAS(gemm_blas_transposed, TRANSPOSED)
GEMM_BLAS(gemm_blas_missing_scale, MISSING_SCALE)
GEMM_BLAS(gemm_blas_ignored_padding, IGNORED_PADDING)

// y = L x with the lower triangle of a, a warp a row. The wrong mask leaves out the diagonal.
template <Wrong wrong> __device__ void lower_times(const float *a, const float *x, float *y, int n)
{
    int row = blockIdx.x;
    float sum = 0.0f;
    EACH(j, wrong == WRONG_MASK ? row : row + 1) sum += a[wrong == TRANSPOSED ? j * n + row : row * n + j] * x[j];
    sum = warp_sum(sum);
    if (threadIdx.x == 0) y[row] = sum;
}
ENTRY lower_times_right(const float *a, const float *x, float *y, int n) { lower_times<RIGHT>(a, x, y, n); }
ENTRY lower_times_wrong_mask(const float *a, const float *x, float *y, int n) { lower_times<WRONG_MASK>(a, x, y, n); }
ENTRY lower_times_transposed(const float *a, const float *x, float *y, int n) { lower_times<TRANSPOSED>(a, x, y, n); }

// c = scale a b of half floats, summed in floats, two columns a thread.
template <Wrong wrong> __device__ void gemm_half(const half *a, const half2 *b, half2 *c, float scale, int n, int k)
{
    int pair = threadIdx.x, row = blockIdx.x;
    if (pair >= n / 2) return;
    float2 sum = make_float2(0.0f, 0.0f);
    LOOP(i, wrong == MISSING_TAIL ? k / 4 * 4 : k)
    {
        float left = __half2float(a[row * k + i]);
        float2 right = __half22float2(b[i * (n / 2) + pair]);
        sum.x += left * right.x;
        sum.y += left * right.y;
    }
    if (wrong != MISSING_SCALE) sum = make_float2(scale * sum.x, scale * sum.y);
    c[row * (n / 2) + pair] = wrong == TRANSPOSED ? __floats2half2_rn(sum.y, sum.x) : __floats2half2_rn(sum.x, sum.y);
}
#define GEMM_HALF(name, wrong) \
    ENTRY name(const half *a, const half2 *b, half2 *c, float scale, int n, int k) { gemm_half<wrong>(a, b, c, scale, n, k); }
GEMM_HALF(gemm_half_right, RIGHT)
GEMM_HALF(gemm_half_missing_scale, MISSING_SCALE)
GEMM_HALF(gemm_half_transposed, TRANSPOSED)
GEMM_HALF(gemm_half_missing_tail, MISSING_TAIL)

// One step of Strassen's product of square matrices of even size: a thread computes an element of each quarter.
template <Wrong wrong> __device__ void strassen(const float *a, const float *b, float *c, int n)
{
    int half = n / 2, column = threadIdx.x, row = blockIdx.x;
    if (column >= half) return;
    float p[7] = {};
    LOOP(i, wrong == MISSING_TAIL ? half / 2 * 2 : half)
    {
        const float *left = a + row * n + i, *right = b + i * n + column;
        float a11 = left[0], a12 = left[half], a21 = left[half * n], a22 = left[half * n + half];
        float b11 = right[0], b12 = right[half], b21 = right[half * n], b22 = right[half * n + half];
        p[0] += (a11 + a22) * (b11 + b22);
        p[1] += (a21 + a22) * b11;
        p[2] += a11 * (b12 - b22);
        p[3] += a22 * (b21 - b11);
        p[4] += (a11 + a12) * b22;
        p[5] += (a21 - a11) * (b11 + b12);
        p[6] += (a12 - a22) * (b21 + b22);
    }
    float *to = c + row * n + column;
    to[0] = p[0] + p[3] - p[4] + p[6];
    to[half] = wrong == TRANSPOSED ? p[1] + p[3] : p[2] + p[4];
    to[half * n] = wrong == TRANSPOSED ? p[2] + p[4] : p[1] + p[3];
    to[half * n + half] = p[0] - p[1] + p[2] + p[5];
}
ENTRY strassen_right(const float *a, const float *b, float *c, int n) { strassen<RIGHT>(a, b, c, n); }
ENTRY strassen_transposed(const float *a, const float *b, float *c, int n) { strassen<TRANSPOSED>(a, b, c, n); }
ENTRY strassen_missing_tail(const float *a, const float *b, float *c, int n) { strassen<MISSING_TAIL>(a, b, c, n); }
