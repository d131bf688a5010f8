// Sums and histograms by atomics, and siblings that are broken.

// A block sums its elements in shared memory; the blocks meet in one cell.
extern "C" __global__ void sum(const float *x, float *y, int n)
{
    __shared__ float part;
    if (threadIdx.x == 0) {
        part = 0.0f;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&part, x[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(y, part);
    }
}

// The same without the barrier behind the atomics.
extern "C" __global__ void sum_missing_barrier(const float *x, float *y, int n)
{
    __shared__ float part;
    if (threadIdx.x == 0) {
        part = 0.0f;
    }
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd(&part, x[i]);
    }
    if (threadIdx.x == 0) {
        atomicAdd(y, part);
    }
}

// The same with a plain update of the cell in which the blocks meet.
extern "C" __global__ void sum_plain_store(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (threadIdx.x == 0) {
            *y += x[i];
        } else {
            atomicAdd(y, x[i]);
        }
    }
}

// The same with atomics that only the threads of a block see.
extern "C" __global__ void sum_block_scope(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        atomicAdd_block(y, x[i]);
    }
}

// One element is left out.
extern "C" __global__ void sum_short(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) {
        atomicAdd(y, x[i]);
    }
}

// Counts of known keys.
extern "C" __global__ void histogram(const int *keys, unsigned *counts, int n, int bins)
{
    extern __shared__ unsigned local[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        local[b] = 0;
    }
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        atomicAdd(&local[keys[i]], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x) {
        atomicAdd(&counts[b], local[b]);
    }
}

// The last block to come takes the partial sums: which one that is depends on the order.
extern "C" __global__ void last_block(const float *x, float *part, unsigned *ticket, float *y)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = x[blockIdx.x];
        __threadfence();
        last = atomicAdd(ticket, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0.0f;
        for (int i = 0; i < gridDim.x; ++i) {
            total += part[i];
        }
        *y = total;
    }
}

// Minimum and maximum of known numbers in two cells.
extern "C" __global__ void extremes(const int *keys, int *low, unsigned *bits, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        atomicMin(&low[0], keys[i]);
        atomicMax(&low[1], keys[i]);
        atomicOr(&bits[0], 1u << keys[i]);
        atomicXor(&bits[1], (unsigned)keys[i]);
    }
}

// Minimum and maximum mixed in one cell: what is left depends on the order.
extern "C" __global__ void mixed(const int *keys, int *low, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        atomicMin(&low[0], keys[i]);
        atomicMax(&low[0], keys[i]);
    }
}
