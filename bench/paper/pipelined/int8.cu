// c = a b of 8-bit integers with 32-bit sums: a (m x k) is row by row, b (k x n) column by column, so that four neighbours
// along k are one word in both. Once with dp4a, a thread an element, and once on tensor cores. m, n and k are multiples of 64.
#include <cstdint>

#define KERNEL extern "C" __global__ void
#define MATRICES const int8_t *a, const int8_t *b, int *c, int m, int n, int k

KERNEL product_dp4a(MATRICES)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    const int *left = reinterpret_cast<const int *>(a + row * k);
    const int *right = reinterpret_cast<const int *>(b + col * k);
    int sum = 0;
    for (int p = 0; p < k / 4; p++) {
        sum = __dp4a(left[p], right[p], sum);
    }
    c[row * n + col] = sum;
}

__device__ void multiply(int *sum, const int *left, const int *right)
{
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
}

// A tile of 64 x 64 elements of c by 4 warps, 32 x 32 each: two by four products of m16n8k32 a step of 32 along k.
template <bool wrong> __device__ void tensor_cores(MATRICES)
{
    constexpr int TILE = 64, DEPTH = 64, STEP = 32, PAD = 16, PART = TILE / 2, THREADS = 128;
    __shared__ __align__(16) int8_t a_tile[TILE][DEPTH + PAD];
    __shared__ __align__(16) int8_t b_tile[TILE][DEPTH + PAD];  // a row is a column of b
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = warp / 2 * PART, col = warp % 2 * PART;
    int group = lane / 4, place = lane % 4;
    a += blockIdx.y * TILE * k;
    b += blockIdx.x * TILE * k;
    c += blockIdx.y * TILE * n + blockIdx.x * TILE;

    int sum[2][4][4] = {};
    for (int k0 = 0; k0 < k; k0 += DEPTH) {
        for (int i = threadIdx.x; i < TILE * DEPTH / 16; i += THREADS) {
            int from_row = i / (DEPTH / 16), at = i % (DEPTH / 16) * 16;
            *reinterpret_cast<int4 *>(&a_tile[from_row][at]) = *reinterpret_cast<const int4 *>(&a[from_row * k + k0 + at]);
            *reinterpret_cast<int4 *>(&b_tile[from_row][at]) = *reinterpret_cast<const int4 *>(&b[from_row * k + k0 + at]);
        }
        __syncthreads();
        for (int p = 0; p < DEPTH; p += STEP) {
            // A lane has the word `place` of the lower and of the upper 16 elements along k, of rows `group` and `group + 8` of
            // a and of column `group` of b.
            int left[2][4], right[4][2];
            for (int i = 0; i < 2; i++) {
                for (int word = 0; word < 4; word++) {
                    const int8_t *from = &a_tile[row + i * 16 + group + word % 2 * 8][p + word / 2 * 16 + place * 4];
                    left[i][word] = *reinterpret_cast<const int *>(from);
                }
            }
            for (int j = 0; j < 4; j++) {
                for (int word = 0; word < 2; word++) {
                    const int8_t *from = &b_tile[col + j * 8 + group][p + (wrong ? 0 : word * 16) + place * 4];
                    right[j][word] = *reinterpret_cast<const int *>(from);
                }
            }
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 4; j++) {
                    multiply(sum[i][j], left[i], right[j]);
                }
            }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 4; j++) {
            int *out = &c[(row + i * 16 + group) * n + col + j * 8 + place * 2];
            *reinterpret_cast<int2 *>(out) = make_int2(sum[i][j][0], sum[i][j][1]);
            *reinterpret_cast<int2 *>(out + 8 * n) = make_int2(sum[i][j][2], sum[i][j][3]);
        }
    }
}

KERNEL product_mma(MATRICES) { tensor_cores<false>(a, b, c, m, n, k); }
KERNEL product_mma_wrong(MATRICES) { tensor_cores<true>(a, b, c, m, n, k); }
