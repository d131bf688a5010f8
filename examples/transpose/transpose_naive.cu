// y = x^T for a row-major rows x cols matrix; one thread moves one element.
extern "C" __global__ void transpose_naive(const float *x, float *y, int rows, int cols)
{
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    if (row < rows && col < cols) {
        y[col * rows + row] = x[row * cols + col];
    }
}
