// y = x * table[id % 5].
__constant__ float table[5] = {0.5f, 2.0f, -1.0f, 4.0f, 0.25f};

extern "C" __global__ void lookup_index(const int *id, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] * table[id[i] % 5];
}
