// Broken siblings of examples/matmul and examples/matmul-tiled; all for row-major n x n matrices, n a multiple of 16.
#define TILE 16

// No barrier at the end of a step: a fast warp overwrites the tiles that a slow one still reads.
extern "C" __global__ void matmul_missing_barrier(const float *a, const float *b, float *c, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        a_tile[ty][tx] = a[row * n + k0 + tx];
        b_tile[ty][tx] = b[(k0 + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum += a_tile[ty][i] * b_tile[i][tx];
        }
    }
    c[row * n + col] = sum;
}

// The tile of b is read transposed.
extern "C" __global__ void matmul_wrong_index(const float *a, const float *b, float *c, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        a_tile[ty][tx] = a[row * n + k0 + tx];
        b_tile[ty][tx] = b[(k0 + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < TILE; i++) {
            sum += a_tile[ty][i] * b_tile[tx][i];
        }
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// The product loop stops one short of the tile.
extern "C" __global__ void matmul_short_loop(const float *a, const float *b, float *c, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    for (int k0 = 0; k0 < n; k0 += TILE) {
        a_tile[ty][tx] = a[row * n + k0 + tx];
        b_tile[ty][tx] = b[(k0 + ty) * n + col];
        __syncthreads();
        for (int i = 0; i < TILE - 1; i++) {
            sum += a_tile[ty][i] * b_tile[i][tx];
        }
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// The sum runs over n + 1 products: beyond the row of a, and beyond the matrices at the end.
extern "C" __global__ void matmul_long_loop(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k <= n; k++) {
        sum += a[row * n + k] * b[k * n + col];
    }
    c[row * n + col] = sum;
}

// Only the threads on and below the diagonal of each tile write.
extern "C" __global__ void matmul_missing_write(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {
        sum += a[row * n + k] * b[k * n + col];
    }
    if (threadIdx.x <= threadIdx.y) {
        c[row * n + col] = sum;
    }
}
