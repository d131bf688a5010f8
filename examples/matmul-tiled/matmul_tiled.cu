// c = a @ b for row-major matrices a (m x k) and b (k x n) of any size; 16 x 16 tiles in shared memory.
#define TILE 16

extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;

    float sum = 0.0f;
    for (int k0 = 0; k0 < k; k0 += TILE) {
        float from_a = 0.0f;
        if (row < m && k0 + tx < k) {
            from_a = a[row * k + k0 + tx];
        }
        float from_b = 0.0f;
        if (k0 + ty < k && col < n) {
            from_b = b[(k0 + ty) * n + col];
        }
        a_tile[ty][tx] = from_a;
        b_tile[ty][tx] = from_b;
        __syncthreads();

        for (int i = 0; i < TILE; i++) {
            sum += a_tile[ty][i] * b_tile[i][tx];
        }
        __syncthreads();
    }

    if (row < m && col < n) {
        c[row * n + col] = sum;
    }
}
