// Broken siblings of examples/reduce-tree.

// The last warp goes on without any synchronisation, as code for old GPUs did.
extern "C" __global__ void reduce_warp_synchronous(const float *x, float *y)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    part[tid] = x[blockIdx.x * 64 + tid];
    __syncthreads();
    if (tid < 32) {
        part[tid] += part[tid + 32];
        part[tid] += part[tid + 16];
        part[tid] += part[tid + 8];
        part[tid] += part[tid + 4];
        part[tid] += part[tid + 2];
        part[tid] += part[tid + 1];
    }
    if (tid == 0) {
        y[blockIdx.x] = part[0];
    }
}

// No barrier between the warps that write the partial sums and the warp that reads them.
extern "C" __global__ void reduce_no_block_barrier(const float *x, float *y)
{
    __shared__ float part[8];
    int tid = threadIdx.x;
    int lane = tid % 32;
    float sum = x[blockIdx.x * 256 + tid];
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) {
        part[tid / 32] = sum;
    }
    if (tid == 0) {
        float total = 0.0f;
        for (int i = 0; i < 8; i++) {
            total += part[i];
        }
        y[blockIdx.x] = total;
    }
}

// The shuffles start at 8 instead of 16: half of each warp is forgotten.
extern "C" __global__ void reduce_short_shuffle(const float *x, float *y)
{
    __shared__ float part[8];
    int tid = threadIdx.x;
    int lane = tid % 32;
    float sum = x[blockIdx.x * 256 + tid];
    for (int offset = 8; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) {
        part[tid / 32] = sum;
    }
    __syncthreads();
    if (tid == 0) {
        float total = 0.0f;
        for (int i = 0; i < 8; i++) {
            total += part[i];
        }
        y[blockIdx.x] = total;
    }
}

// 8 warps write partial sums, but 16 are added.
extern "C" __global__ void reduce_uninitialized(const float *x, float *y)
{
    __shared__ float part[16];
    int tid = threadIdx.x;
    int lane = tid % 32;
    float sum = x[blockIdx.x * 256 + tid];
    for (int offset = 16; offset > 0; offset /= 2) {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (lane == 0) {
        part[tid / 32] = sum;
    }
    __syncthreads();
    if (tid < 16) {
        float total = part[tid];
        for (int offset = 8; offset > 0; offset /= 2) {
            total += __shfl_down_sync(0xffff, total, offset, 16);
        }
        if (tid == 0) {
            y[blockIdx.x] = total;
        }
    }
}

// The elements beyond the first 256 of each CTA are forgotten.
extern "C" __global__ void reduce_one_step(const float *x, float *y, int k)
{
    __shared__ float part[256];
    int tid = threadIdx.x;
    part[tid] = x[blockIdx.x * 256 * k + tid];
    __syncthreads();
    for (int stride = 128; stride > 0; stride /= 2) {
        if (tid < stride) {
            part[tid] += part[tid + stride];
        }
        __syncthreads();
    }
    if (tid == 0) {
        y[blockIdx.x] = part[0];
    }
}
