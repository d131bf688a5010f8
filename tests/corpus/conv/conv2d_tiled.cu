// y[r, c] = 3x3 correlation at (2 r, 2 c) with zero padding; tiles of 4x4 outputs read 9x9 inputs.
extern "C" __global__ void conv2d_tiled(const float *x, const float *k, float *y, int h, int w) {
    __shared__ float tile[9][9];
    int r0 = blockIdx.y * 8 - 1, c0 = blockIdx.x * 8 - 1;
    for (int e = threadIdx.y * 4 + threadIdx.x; e < 81; e += 16) {
        int r = r0 + e / 9, c = c0 + e % 9;
        tile[e / 9][e % 9] = r >= 0 && r < h && c >= 0 && c < w ? x[r * w + c] : 0.0f;
    }
    __syncthreads();
    int row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 4 + threadIdx.x, wide = (w + 1) / 2;
    if (row >= (h + 1) / 2 || col >= wide) return;
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < 9; i++) sum += k[i] * tile[threadIdx.y * 2 + i / 3][threadIdx.x * 2 + i % 3];
    y[row * wide + col] = sum;
}
