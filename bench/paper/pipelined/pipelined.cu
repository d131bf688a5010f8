// c = a b for row-major matrices a (m x k) and b (k x n), with two buffers in shared memory: while the CTA multiplies the tiles
// of one, cp.async fills the other. A tile of c is 64 x 64 elements; m and n are multiples of 64, k of the depth of the tiles.
#include <cuda_fp16.h>

#define TILE 64
#define KERNEL extern "C" __global__ void
#define SHAPE int m, int n, int k

__device__ unsigned shared_address(const void *at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

// 16 bytes from global to shared memory, without registers in between; both addresses are multiples of 16.
__device__ void copy16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

__device__ void commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }

// Until all but the last N groups of this thread's copies are there.
template <int N> __device__ void wait_for_all_but() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }

template <typename T> __device__ void naive(const T *a, const T *b, float *c, SHAPE)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int p = 0; p < k; p++) {
        sum += float(a[row * k + p]) * float(b[p * n + col]);
    }
    c[row * n + col] = sum;
}

KERNEL naive_single(const float *a, const float *b, float *c, SHAPE) { naive(a, b, c, m, n, k); }
KERNEL naive_half(const __half *a, const __half *b, float *c, SHAPE) { naive(a, b, c, m, n, k); }

// 256 threads, 4 x 4 elements each.
template <bool wrong> __device__ void single(const float *a, const float *b, float *c, SHAPE)
{
    constexpr int DEPTH = 16, SIDE = 4, ACROSS = TILE / SIDE;
    __shared__ __align__(16) float a_tile[2][TILE][DEPTH];
    __shared__ __align__(16) float b_tile[2][DEPTH][TILE];
    int row = threadIdx.x / ACROSS * SIDE;
    int col = threadIdx.x % ACROSS * SIDE;
    int a_row = threadIdx.x / (DEPTH / 4), a_col = threadIdx.x % (DEPTH / 4) * 4;
    int b_row = threadIdx.x / (TILE / 4), b_col = threadIdx.x % (TILE / 4) * 4;
    a += blockIdx.y * TILE * k;
    b += blockIdx.x * TILE;
    c += blockIdx.y * TILE * n + blockIdx.x * TILE;

    auto fetch = [&](int k0, int buffer) {
        copy16(&a_tile[buffer][a_row][a_col], &a[a_row * k + k0 + a_col]);
        copy16(&b_tile[buffer][b_row][b_col], &b[(k0 + b_row) * n + b_col]);
        commit();
    };

    float sum[SIDE][SIDE] = {};
    fetch(0, 0);
    for (int k0 = 0, now = 0; k0 < k; k0 += DEPTH, now ^= 1) {
        if (k0 + DEPTH < k) {
            fetch(k0 + DEPTH, now ^ 1);
            wait_for_all_but<1>();  // what was fetched in the step before
        } else {
            wait_for_all_but<wrong>();  // the wrong kernel leaves the last tile on its way
        }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < DEPTH; p++) {
            for (int i = 0; i < SIDE; i++) {
                for (int j = 0; j < SIDE; j++) {
                    sum[i][j] += a_tile[now][row + i][p] * b_tile[now][p][col + j];
                }
            }
        }
        __syncthreads();  // the next step fetches into this buffer
    }
    for (int i = 0; i < SIDE; i++) {
        for (int j = 0; j < SIDE; j++) {
            c[(row + i) * n + col + j] = sum[i][j];
        }
    }
}

KERNEL pipelined_single(const float *a, const float *b, float *c, SHAPE) { single<false>(a, b, c, m, n, k); }
KERNEL pipelined_single_wrong(const float *a, const float *b, float *c, SHAPE) { single<true>(a, b, c, m, n, k); }

__device__ void load_matrices(unsigned *to, const void *from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(shared_address(from)) : "memory");
}

__device__ void load_transposed(unsigned *to, const void *from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(shared_address(from)) : "memory");
}

__device__ void multiply(float *sum, const unsigned *left, const unsigned *right)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]));
}

// 4 warps, 32 x 32 elements each: two by four products of m16n8k16 a step of 16. Rows of shared memory are 8 halves longer than
// the tile, so that the eight rows of a matrix of ldmatrix are in different banks.
template <bool wrong> __device__ void half_precision(const __half *a, const __half *b, float *c, SHAPE)
{
    constexpr int DEPTH = 32, STEP = 16, PAD = 8, PART = TILE / 2, THREADS = 128;
    __shared__ __align__(16) __half a_tile[2][TILE][DEPTH + PAD];
    __shared__ __align__(16) __half b_tile[2][DEPTH][TILE + PAD];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int row = warp / 2 * PART, col = warp % 2 * PART;
    a += blockIdx.y * TILE * k;
    b += blockIdx.x * TILE;
    c += blockIdx.y * TILE * n + blockIdx.x * TILE;

    auto fetch = [&](int k0, int buffer) {
        for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += THREADS) {
            int a_row = i / (DEPTH / 8), a_col = i % (DEPTH / 8) * 8;
            int b_row = i / (TILE / 8), b_col = i % (TILE / 8) * 8;
            copy16(&a_tile[buffer][a_row][a_col], &a[a_row * k + k0 + a_col]);
            copy16(&b_tile[buffer][b_row][b_col], &b[(k0 + b_row) * n + b_col]);
        }
        commit();
    };

    float sum[2][4][4] = {};
    fetch(0, 0);
    for (int k0 = 0, now = 0; k0 < k; k0 += DEPTH, now ^= 1) {
        if (k0 + DEPTH < k) {
            fetch(k0 + DEPTH, now ^ 1);
            wait_for_all_but<1>();
        } else {
            wait_for_all_but<0>();
        }
        __syncthreads();
        for (int p = 0; p < DEPTH; p += STEP) {
            // Lane l names row l % 16 and half l / 16 of a 16 x 16 block, so that its four matrices come in the order of mma's
            // operands.
            unsigned left[2][4], right[2][4];
            for (int i = 0; i < 2; i++) {
                load_matrices(left[i], &a_tile[now][row + i * 16 + lane % 16][p + lane / 16 * 8]);
                load_transposed(right[i], &b_tile[now][p + lane % 16][col + i * 16 + lane / 16 * 8]);
            }
            for (int i = 0; i < 2; i++) {
                for (int j = 0; j < 4; j++) {
                    multiply(sum[i][j], left[i], &right[j / 2][j % 2 * 2]);
                }
            }
        }
        __syncthreads();
    }
    // Registers 0 and 1 are neighbours in row lane / 4, 2 and 3 the same eight rows below.
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 4; j++) {
            float *out = &c[(row + i * 16 + lane / 4) * n + col + j * 8 + lane % 4 * 2];
            *reinterpret_cast<float2 *>(out) = make_float2(sum[i][j][0], sum[i][j][1]);
            *reinterpret_cast<float2 *>(out + 8 * n) = make_float2(sum[i][j][wrong ? 3 : 2], sum[i][j][wrong ? 2 : 3]);
        }
    }
}

KERNEL pipelined_half(const __half *a, const __half *b, float *c, SHAPE) { half_precision<false>(a, b, c, m, n, k); }
KERNEL pipelined_half_wrong(const __half *a, const __half *b, float *c, SHAPE) { half_precision<true>(a, b, c, m, n, k); }
