// c = a @ b for row-major matrices by wmma, tiles staged in shared memory. A CTA of 64 threads makes 32 rows and 16 columns of c,
// each warp 16 x 16. BUG: 0 none, else what the entry's name says.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

template <int BUG, typename T, typename BLAYOUT>
static __device__ __forceinline__ void gemm(const T *a, const T *b, float *c, int m, int n, int k)
{
    __shared__ __align__(32) T as[32 * 16];
    __shared__ __align__(32) T bs[16 * 16];
    int tid = threadIdx.x, warp = tid / 32;
    int row0 = blockIdx.y * 32, col0 = blockIdx.x * 16;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, T, BLAYOUT> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;
    wmma::fill_fragment(acc, 0.0f);
    for (int k0 = 0; k0 < k; k0 += 16) {
        *(uint4 *)&as[tid / 2 * 16 + tid % 2 * 8] = *(const uint4 *)&a[(row0 + tid / 2) * k + k0 + tid % 2 * 8];
        if (tid < 32)
            *(uint4 *)&bs[tid / 2 * 16 + tid % 2 * 8] = *(const uint4 *)&b[(k0 + tid / 2) * n + col0 + tid % 2 * 8];
        if (BUG != 2)
            __syncthreads();
        wmma::load_matrix_sync(fa, &as[(BUG == 3 ? 0 : warp) * 256], 16);
        wmma::load_matrix_sync(fb, bs, 16);
        wmma::mma_sync(acc, fa, fb, acc);
        __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < acc.num_elements; i++)
        acc.x[i] = acc.x[i] * 0.5f;
    wmma::store_matrix_sync(&c[(row0 + warp * 16) * n + col0], acc, n, wmma::mem_row_major);
}

#define ENTRY(name, bug, type, layout)                                                                                       \
    extern "C" __global__ void name(const type *a, const type *b, float *c, int m, int n, int k)                             \
    {                                                                                                                        \
        gemm<bug, type, wmma::layout>(a, b, c, m, n, k);                                                                     \
    }
ENTRY(gemm_wmma, 0, __half, row_major)
ENTRY(gemm_wmma_bf16, 0, __nv_bfloat16, row_major)
ENTRY(gemm_wmma_wrong_layout, 0, __half, col_major)
ENTRY(gemm_wmma_missing_barrier, 2, __half, row_major)
ENTRY(gemm_wmma_wrong_tile, 3, __half, row_major)

// c = a @ b in double precision: one warp an 8 x 8 tile, straight from global memory.
extern "C" __global__ void gemm_wmma_f64(const double *a, const double *b, double *c, int m, int n, int k)
{
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> acc;
    int row0 = blockIdx.y * 8, col0 = blockIdx.x * 8;
    wmma::fill_fragment(acc, 0.0);
    for (int k0 = 0; k0 < k; k0 += 4) {
        wmma::load_matrix_sync(fa, &a[row0 * k + k0], k);
        wmma::load_matrix_sync(fb, &b[k0 * n + col0], n);
        wmma::mma_sync(acc, fa, fb, acc);
    }
    wmma::store_matrix_sync(&c[row0 * n + col0], acc, n, wmma::mem_row_major);
}
