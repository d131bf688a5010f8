// c = a b for row-major a (ROWS x k) and b (k x n) by one CTA with a thread for each of the n columns: what there is to do grows
// with the CTA's threads. k is a multiple of DEPTH.
#define ROWS 16
#define DEPTH 32

#define KERNEL extern "C" __global__ void
#define MATRICES const float *a, const float *b, float *c, int k

// Each element by itself.
KERNEL columns_naive(MATRICES)
{
    int n = blockDim.x, col = threadIdx.x;
    for (int row = 0; row < ROWS; row++) {
        float sum = 0.0f;
        for (int p = 0; p < k; p++) {
            sum += a[row * k + p] * b[p * n + col];
        }
        c[row * n + col] = sum;
    }
}

// A whole column in registers; all threads load a's next DEPTH columns into shared memory.
KERNEL columns_tiled(MATRICES)
{
    __shared__ float tile[ROWS][DEPTH];
    int n = blockDim.x, col = threadIdx.x;

    float sum[ROWS] = {};
    for (int p0 = 0; p0 < k; p0 += DEPTH) {
        for (int i = threadIdx.x; i < ROWS * DEPTH; i += blockDim.x) {
            tile[i / DEPTH][i % DEPTH] = a[i / DEPTH * k + p0 + i % DEPTH];
        }
        __syncthreads();
        for (int p = 0; p < DEPTH; p++) {
            float right = b[(p0 + p) * n + col];
            for (int row = 0; row < ROWS; row++) {
                sum[row] += tile[row][p] * right;
            }
        }
        __syncthreads();  // the tile is written again
    }
    for (int row = 0; row < ROWS; row++) {
        c[row * n + col] = sum[row];
    }
}
