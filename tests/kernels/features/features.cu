// Good kernels, each for one feature of the machine.

// Dynamic shared memory: reverses each CTA's n elements.
extern "C" __global__ void reverse_dynamic(const float *x, float *y, int n)
{
    extern __shared__ float buffer[];
    int tid = threadIdx.x;
    buffer[tid] = x[blockIdx.x * n + tid];
    __syncthreads();
    y[blockIdx.x * n + tid] = buffer[n - 1 - tid];
}

extern "C" __global__ void reverse_plain(const float *x, float *y, int n)
{
    int tid = threadIdx.x;
    y[blockIdx.x * n + tid] = x[blockIdx.x * n + n - 1 - tid];
}

// Constant memory: a filter of five taps, whose ends read zeros.
__constant__ float taps[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

extern "C" __global__ void filter_constant(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.0f;
#pragma unroll 1
        for (int t = 0; t < 5; t++) {
            int from = i + t - 2;
            if (from >= 0 && from < n) {
                sum += taps[t] * x[from];
            }
        }
        y[i] = sum;
    }
}

extern "C" __global__ void filter_literals(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sum = 0.375f * x[i];
        if (i >= 1) {
            sum += 0.25f * x[i - 1];
        }
        if (i >= 2) {
            sum += 0.0625f * x[i - 2];
        }
        if (i + 1 < n) {
            sum += 0.25f * x[i + 1];
        }
        if (i + 2 < n) {
            sum += 0.0625f * x[i + 2];
        }
        y[i] = sum;
    }
}

// Local memory: an array of each thread with an index that only the launch knows.
extern "C" __global__ void rotate_local(const float *x, float *y, int shift)
{
    float ring[8];
    const float *in = x + threadIdx.x * 8;
    float *out = y + threadIdx.x * 8;
#pragma unroll 1
    for (int i = 0; i < 8; i++) {
        ring[(i + shift) % 8] = in[i];
    }
#pragma unroll 1
    for (int i = 0; i < 8; i++) {
        out[i] = ring[i];
    }
}

extern "C" __global__ void rotate_plain(const float *x, float *y, int shift)
{
    int tid = threadIdx.x;
    int row = tid / 8;
    int col = tid % 8;
    y[row * 8 + (col + shift) % 8] = x[tid];
}

// Lanes exchange through shared memory, ordered by __syncwarp().
extern "C" __global__ void swap_syncwarp(const float *x, float *y)
{
    __shared__ float part[64];
    int tid = threadIdx.x;
    part[tid] = x[tid];
    __syncwarp();
    float other = part[tid ^ 1];
    __syncwarp();
    part[tid] = other * 2.0f;
    __syncwarp();
    y[tid] = part[tid ^ 2];
}

extern "C" __global__ void swap_plain(const float *x, float *y)
{
    int tid = threadIdx.x;
    y[tid] = 2.0f * x[tid ^ 3];
}

// Votes on integers: every fourth element moves to the front; the place is a count of bits in a ballot.
extern "C" __global__ void compact_ballot(const float *x, float *y)
{
    int lane = threadIdx.x;
    unsigned all = __activemask();
    bool keep = lane % 4 == 0;
    unsigned kept = __ballot_sync(all, keep);
    int place = __popc(kept & ((1u << lane) - 1));
    if (keep) {
        y[place] = x[lane];
    }
    if (__any_sync(all, lane == 31) && __all_sync(all, lane < 32)) {
        if (!keep) {
            y[8 + lane - place] = x[lane];
        }
    }
}

extern "C" __global__ void compact_plain(const float *x, float *y)
{
    int lane = threadIdx.x;
    if (lane < 8) {
        y[lane] = x[lane * 4];
    } else {
        int rest = lane - 8;
        y[lane] = x[rest / 3 * 4 + rest % 3 + 1];
    }
}

// Threads that have nothing to do leave at once; the others take different ways out.
extern "C" __global__ void early_return(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) {
        return;
    }
    if (i % 3 == 0) {
        y[i] = x[i] * 3.0f;
        return;
    }
    if (i % 3 == 1) {
        y[i] = x[i] - 1.0f;
        return;
    }
    y[i] = x[i] * x[i];
}

extern "C" __global__ void early_return_plain(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float value = x[i];
        float result = value * value;
        if (i % 3 == 0) {
            result = value + value + value;
        }
        if (i % 3 == 1) {
            result = value - 1.0f;
        }
        y[i] = result;
    }
}

// All four shuffles, each within the two halves of the warp; row r of y is 32 elements.
extern "C" __global__ void shuffle_halves(const float *x, float *y)
{
    int lane = threadIdx.x;
    float value = x[lane];
    y[lane] = __shfl_up_sync(0xffffffff, value, 3, 16);
    y[32 + lane] = __shfl_down_sync(0xffffffff, value, 5, 16);
    y[64 + lane] = __shfl_xor_sync(0xffffffff, value, 6, 16);
    y[96 + lane] = __shfl_sync(0xffffffff, value, lane * 7 + 2, 16);
}

extern "C" __global__ void shuffle_halves_plain(const float *x, float *y)
{
    int lane = threadIdx.x;
    int half = lane / 16 * 16;
    int place = lane % 16;
    int up = place - 3;
    if (up < 0) {
        up = place;
    }
    int down = place + 5;
    if (down > 15) {
        down = place;
    }
    y[lane] = x[half + up];
    y[32 + lane] = x[half + down];
    y[64 + lane] = x[half + (place ^ 6)];
    y[96 + lane] = x[half + (lane * 7 + 2) % 16];
}

// The sum of 32 elements by one thread: one lane, a long chain.
extern "C" __global__ void sum_serial(const float *x, float *y)
{
    float sum = 0.0f;
    for (int i = 0; i < 32; i++) {
        sum += x[i];
    }
    y[0] = sum;
}

// The same by a warp that keeps its partial sums in every lane.
extern "C" __global__ void sum_warp(const float *x, float *y)
{
    float sum = x[threadIdx.x];
    for (int mask = 1; mask < 32; mask *= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, mask);
    }
    if (threadIdx.x == 7) {
        y[0] = sum;
    }
}
