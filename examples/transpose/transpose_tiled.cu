// y = x^T for a row-major rows x cols matrix, through a 32 x 32 tile in shared memory whose rows are padded to 33
// floats. A CTA of 32 x 8 threads moves one tile; reads and writes of global memory are both along rows.
extern "C" __global__ void transpose_tiled(const float *__restrict__ x, float *__restrict__ y, int rows, int cols)
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
    for (int j = ty; j < 32; j += 8) {
        int col = blockIdx.x * 32 + j;
        if (row < rows && col < cols) {
            y[col * rows + row] = tile[tx][j];
        }
    }
}
