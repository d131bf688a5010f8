// y[c] = sum over rows, a CTA of 16 by 4 threads for 16 columns.
extern "C" __global__ void column_sums(const float *x, float *y, int rows, int n) {
    __shared__ float part[4][16];
    int c = blockIdx.x * 16 + threadIdx.x;
    float sum = 0.0f;
    if (c < n)
        for (int r = threadIdx.y; r < rows; r += 4) sum += x[r * n + c];
    part[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && c < n) {
        y[c] = part[0][threadIdx.x] + part[1][threadIdx.x] + part[2][threadIdx.x] + part[3][threadIdx.x];
    }
}
