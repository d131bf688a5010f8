// c = a bᵀ for row-major matrices of halves a (m x k) and b (n x k), summed in f32: one thread an element at a time; or c = a b for
// b (k x n).
//
// A block of 128 threads computes a tile of ROWS x COLUMNS elements of c, as the kernels of TileLang that it is compared with do.
// Thread t takes the tile's elements t, t + 128, ... in row-major order, so that a warp's stores are next to each other.
#include <cuda_fp16.h>

#define THREADS 128

template <int ROWS, int COLUMNS, bool TRANSPOSED>
__device__ void product(const half *a, const half *b, float *c, int n, int k)
{
    for (int e = threadIdx.x; e < ROWS * COLUMNS; e += THREADS) {
        int row = blockIdx.y * ROWS + e / COLUMNS;
        int column = blockIdx.x * COLUMNS + e % COLUMNS;
        float sum = 0.0f;
        for (int i = 0; i < k; i++) {
            sum += __half2float(a[row * k + i]) * __half2float(b[TRANSPOSED ? column * k + i : i * n + column]);
        }
        c[row * n + column] = sum;
    }
}

extern "C" __global__ void product_32x32(const half *a, const half *b, float *c, int n, int k)
{
    product<32, 32, true>(a, b, c, n, k);
}

extern "C" __global__ void product_64x32(const half *a, const half *b, float *c, int n, int k)
{
    product<64, 32, true>(a, b, c, n, k);
}

extern "C" __global__ void product_64x64(const half *a, const half *b, float *c, int n, int k)
{
    product<64, 64, true>(a, b, c, n, k);
}

extern "C" __global__ void product_64x64_ab(const half *a, const half *b, float *c, int n, int k)
{
    product<64, 64, false>(a, b, c, n, k);
}
