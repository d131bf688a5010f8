// y[i, j] interleaves the bits of 37 x[i] (even places) and 101 x[j] (odd places).
__device__ unsigned spread(unsigned v) {
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
}

extern "C" __global__ void morton_known(const unsigned *x, unsigned *y, int n) {
    int i = blockIdx.x, j = threadIdx.x;
    if (j < n) y[i * n + j] = spread(37u * x[i]) | spread(101u * x[j]) << 1;
}
