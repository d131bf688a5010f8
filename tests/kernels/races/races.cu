// Races on global memory between CTAs, and within a warp.

// Every CTA writes its own value to the same element.
extern "C" __global__ void last_writer_wins(const float *x, float *y)
{
    if (threadIdx.x == 0) {
        y[0] = x[blockIdx.x];
    }
}

// Every CTA writes the same value to the same element: unordered, but harmless.
extern "C" __global__ void same_value(const float *x, float *y)
{
    if (threadIdx.x == 0) {
        y[0] = 2.0f * x[0];
    }
}

// A CTA reads what its neighbour writes.
extern "C" __global__ void shift_in_place(float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float value = 0.0f;
    if (i + 1 < n) {
        value = y[i + 1];
    }
    __syncthreads();
    if (i < n) {
        y[i] = value;
    }
}

// Lanes exchange through shared memory without __syncwarp().
extern "C" __global__ void warp_exchange(const float *x, float *y)
{
    __shared__ float part[32];
    int lane = threadIdx.x;
    part[lane] = x[lane];
    y[lane] = part[lane ^ 1];
}
