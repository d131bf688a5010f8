// Accesses that go wrong: alignment, bounds of shared memory, memory never written.

// Copies float4s; the contract hands it an address that is 4 bytes off.
extern "C" __global__ void copy_float4(const float4 *x, float4 *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
    }
}

// Reverses 64 elements, with an index that is one too high.
extern "C" __global__ void reverse_off_by_one(const float *x, float *y)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    part[tid] = x[tid];
    __syncthreads();
    y[tid] = part[64 - tid];
}

// Adds its scratch memory to the result, without having written it.
extern "C" __global__ void add_scratch(const float *x, float *work, float *y)
{
    int tid = threadIdx.x;
    y[tid] = x[tid] + work[tid];
}

// Half of the lanes read memory that nobody wrote, but nothing depends on what they read.
extern "C" __global__ void unused_garbage(const float *x, float *y)
{
    __shared__ float part[32];
    int lane = threadIdx.x;
    if (lane < 16) {
        part[lane] = x[lane];
    }
    __syncwarp();
    float value = part[lane];
    y[lane] = __shfl_sync(0xffffffff, value, lane % 16);
}

// Reads one element before the tensor.
extern "C" __global__ void neighbour_sum(const float *x, float *y, int n)
{
    int i = threadIdx.x;
    if (i < n) {
        y[i] = x[i] + x[i - 1];
    }
}
