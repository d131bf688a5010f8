// c += a^T b^T; tiles of 32x8x16 pass through shared memory.
#include <mma.h>
using namespace nvcuda;

extern "C" __global__ void wmma_f16_shared(const __half *a, const __half *b, __half *c, int m, int n, int k) {
    __shared__ __align__(32) __half ta[16][32];
    __shared__ __align__(32) __half tb[8][16];
    wmma::fragment<wmma::matrix_a, 32, 8, 16, __half, wmma::col_major> fa;
    wmma::fragment<wmma::matrix_b, 32, 8, 16, __half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 32, 8, 16, __half> fc;
    __half *tile = c + blockIdx.y * 32 * n + blockIdx.x * 8;
    wmma::load_matrix_sync(fc, tile, n, wmma::mem_row_major);
    for (int i = 0; i < k; i += 16) {
        for (int r = 0; r < 16; r++) ta[r][threadIdx.x] = a[(i + r) * m + blockIdx.y * 32 + threadIdx.x];
        for (int e = threadIdx.x; e < 128; e += 32) tb[e / 16][e % 16] = b[(blockIdx.x * 8 + e / 16) * k + i + e % 16];
        __syncwarp();
        wmma::load_matrix_sync(fa, &ta[0][0], 32);
        wmma::load_matrix_sync(fb, &tb[0][0], 16);
        wmma::mma_sync(fc, fa, fb, fc);
        __syncwarp();
    }
    wmma::store_matrix_sync(tile, fc, n, wmma::mem_row_major);
}
