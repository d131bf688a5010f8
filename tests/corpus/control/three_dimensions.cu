// y = x plus its coordinates, blocks of 3 by 2 threads on a 3-D grid.
extern "C" __global__ void three_dimensions(const float *x, float *y, int b, int c) {
    int k = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y, i = blockIdx.z;
    if (j >= b || k >= c) return;
    int e = (i * b + j) * c + k;
    y[e] = x[e] + (100 * i + 10 * j + k) + static_cast<float>(gridDim.z - gridDim.z);
}
