// y += sum of x, one atomic a CTA after a tree.
extern "C" __global__ void sum_atomic(const float *x, float *y, int n) {
    __shared__ float part[64];
    float sum = 0.0f;
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) sum += x[i];
    part[threadIdx.x] = sum;
    for (int stride = 32; stride > 0; stride >>= 1) {
        __syncthreads();
        if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
    }
    if (threadIdx.x == 0) atomicAdd(y, part[0]);
}
