// y = x^T through a 16x17 tile, four rows a thread.
extern "C" __global__ void transpose_tile(const float *x, float *y, int r, int c) {
    __shared__ float tile[16][17];
    int j = blockIdx.x * 16 + threadIdx.x, i0 = blockIdx.y * 16;
    for (int k = threadIdx.y; k < 16; k += 4)
        if (i0 + k < r && j < c) tile[k][threadIdx.x] = x[(i0 + k) * c + j];
    __syncthreads();
    int i = i0 + threadIdx.x;
    for (int k = threadIdx.y; k < 16; k += 4)
        if (blockIdx.x * 16 + k < c && i < r) y[(blockIdx.x * 16 + k) * r + i] = tile[threadIdx.x][k];
}
