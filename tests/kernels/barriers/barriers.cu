// Barriers where they do not belong, and two named barriers in opposite orders.

// Half of a warp goes through a barrier of its own.
extern "C" __global__ void half_warp_barrier(const float *x, float *y)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    part[tid] = x[tid];
    if (tid < 16) {
        __syncthreads();
    }
    __syncthreads();
    y[tid] = part[63 - tid];
}

// The number of barriers that a thread meets depends on its index.
extern "C" __global__ void barrier_in_loop(const float *x, float *y)
{
    __shared__ float part[32];
    int tid = threadIdx.x;
    part[tid] = x[tid];
    for (int i = 0; i < tid; i++) {
        part[tid] += 1.0f;
        __syncthreads();
    }
    y[tid] = part[tid];
}

__device__ __forceinline__ void named_barrier(int which, int threads)
{
    asm volatile("bar.sync %0, %1;" : : "r"(which), "r"(threads) : "memory");
}

// Two warps wait at two barriers in opposite orders: neither gets through its first.
extern "C" __global__ void crossed_barriers(const float *x, float *y)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    part[tid] = x[tid];
    if (tid < 32) {
        named_barrier(1, 64);
        named_barrier(2, 64);
    } else {
        named_barrier(2, 64);
        named_barrier(1, 64);
    }
    y[tid] = part[63 - tid];
}

// Right: the same two barriers in the same order.
extern "C" __global__ void named_barriers(const float *x, float *y)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    part[tid] = x[tid];
    if (tid < 32) {
        named_barrier(1, 64);
        part[tid] += part[tid + 32];
        named_barrier(2, 64);
    } else {
        named_barrier(1, 64);
        named_barrier(2, 64);
    }
    y[tid] = part[tid % 32];
}

// What named_barriers computes, without shared memory.
extern "C" __global__ void named_barriers_plain(const float *x, float *y)
{
    int i = threadIdx.x % 32;
    y[threadIdx.x] = x[i] + x[i + 32];
}
