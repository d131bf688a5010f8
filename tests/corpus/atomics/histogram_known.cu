// h[k] += how many x have 3 x mod 8 = k: counters in shared memory, then one atomic a counter and CTA.
extern "C" __global__ void histogram_known(const int *x, int *h, int n) {
    __shared__ int count[8];
    if (threadIdx.x < 8) count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 40 + threadIdx.x; i < n; i += 80) atomicAdd(&count[3 * x[i] & 7], 1);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&h[threadIdx.x], count[threadIdx.x]);
}
