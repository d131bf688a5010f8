// y = x^T.
extern "C" __global__ void transpose_naive(const float *x, float *y, int r, int c) {
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 4 + threadIdx.y;
    if (i < r && j < c) y[j * r + i] = x[i * c + j];
}
