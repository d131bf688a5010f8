// c = alpha a b^T.
#include <cuda_bf16.h>
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void wmma_bf16(const __nv_bfloat16 *a, const __nv_bfloat16 *b, float *c, float alpha, int m, int n,
                                     int k) {
    wmma::fragment<wmma::matrix_a, 8, 32, 16, __nv_bfloat16, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 32, 16, __nv_bfloat16, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 8, 32, 16, float> fc;
    wmma::fill_fragment(fc, 0.0f);
    for (int i = 0; i < k; i += 16) {
        wmma::load_matrix_sync(fa, a + blockIdx.y * 8 * k + i, k);
        wmma::load_matrix_sync(fb, b + blockIdx.x * 32 * k + i, k);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    for (int e = 0; e < fc.num_elements; e++) fc.x[e] *= alpha;
    wmma::store_matrix_sync(c + blockIdx.y * 8 * n + blockIdx.x * 32, fc, n, wmma::mem_row_major);
}
