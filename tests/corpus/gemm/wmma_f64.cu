// c = a b in tiles of 8x8x4.
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void wmma_f64(const double *a, const double *b, double *c, int m, int n, int k) {
    wmma::fragment<wmma::matrix_a, 8, 8, 4, double, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 8, 8, 4, double, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 8, 8, 4, double> fc;
    wmma::fill_fragment(fc, 0.0);
    for (int i = 0; i < k; i += 4) {
        wmma::load_matrix_sync(fa, a + blockIdx.y * 8 * k + i, k);
        wmma::load_matrix_sync(fb, b + i * n + blockIdx.x * 8, n);
        wmma::mma_sync(fc, fa, fb, fc);
    }
    wmma::store_matrix_sync(c + blockIdx.y * 8 * n + blockIdx.x * 8, fc, n, wmma::mem_row_major);
}
