// y[i] = x[0] + ... + x[i]; every step reads one buffer and writes the other.
extern "C" __global__ void hillis_steele(const float *x, float *y, int n) {
    __shared__ float buffer[2][64];
    int i = threadIdx.x, from = 0;
    buffer[0][i] = i < n ? x[i] : 0.0f;
    for (int offset = 1; offset < 64; offset *= 2) {
        __syncthreads();
        buffer[1 - from][i] = i >= offset ? buffer[from][i] + buffer[from][i - offset] : buffer[from][i];
        from = 1 - from;
    }
    if (i < n) y[i] = buffer[from][i];
}
