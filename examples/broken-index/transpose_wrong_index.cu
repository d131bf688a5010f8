// The tiled transpose of ../transpose, with the tile read the same way as it was written:
// every tile goes to its place, but its elements are not transposed.
extern "C" __global__ void transpose_wrong_index(const float *__restrict__ x, float *__restrict__ y,
                                                 int rows, int cols)
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
            y[col * rows + row] = tile[j][tx];  // tile[tx][j] is right
        }
    }
}
