// Broken siblings of examples/transpose: tiles of 32 x 32, CTAs of 32 x 8 threads.

// No barrier between writing the tile and reading it.
extern "C" __global__ void transpose_missing_barrier(const float *x, float *y, int rows, int cols)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    for (int j = ty; j < 32; j += 8) {
        int row = blockIdx.y * 32 + j;
        if (row < rows && col < cols) {
            tile[j][tx] = x[row * cols + col];
        }
    }
    int row = blockIdx.y * 32 + tx;
    for (int j = ty; j < 32; j += 8) {
        int col = blockIdx.x * 32 + j;
        if (row < rows && col < cols) {
            y[col * rows + row] = tile[tx][j];
        }
    }
}

// Only 24 of the 32 rows of each tile are moved.
extern "C" __global__ void transpose_missing_rows(const float *x, float *y, int rows, int cols)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    for (int j = ty; j < 32; j += 8) {
        int row = blockIdx.y * 32 + j;
        if (row < rows && col < cols) {
            tile[j][tx] = x[row * cols + col];
        }
    }
    __syncthreads();
    int row = blockIdx.y * 32 + tx;
    for (int j = ty; j < 24; j += 8) {
        int col = blockIdx.x * 32 + j;
        if (row < rows && col < cols) {
            y[col * rows + row] = tile[tx][j];
        }
    }
}

// The tail test when reading lets one row too many through.
extern "C" __global__ void transpose_off_by_one(const float *x, float *y, int rows, int cols)
{
    __shared__ float tile[32][33];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    for (int j = ty; j < 32; j += 8) {
        int row = blockIdx.y * 32 + j;
        if (row <= rows && col < cols) {
            tile[j][tx] = x[row * cols + col];
        }
    }
    __syncthreads();
    int row = blockIdx.y * 32 + tx;
    for (int j = ty; j < 32; j += 8) {
        int col = blockIdx.x * 32 + j;
        if (row < rows && col < cols) {
            y[col * rows + row] = tile[tx][j];
        }
    }
}
