// y[r] = sum of row r, one CTA of 64 threads a row.
extern "C" __global__ void sum_tree(const float *x, float *y, int n) {
    __shared__ float part[64];
    int tid = threadIdx.x;
    float sum = 0.0f;
    for (int c = tid; c < n; c += 64) sum += x[blockIdx.x * n + c];
    part[tid] = sum;
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2) {
        if (tid < stride) part[tid] += part[tid + stride];
        __syncthreads();
    }
    if (tid == 0) y[blockIdx.x] = part[0];
}
