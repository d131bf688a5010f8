// Three kernels of 64 threads of the kind that a molecular dynamics code sorts and sums with, each before and after a missing
// barrier was put in. `version` is what an entry's name ends in.
enum Version { BEFORE, AFTER, WRONG };

// Where each bucket ends: running sums of the buckets' counts, 64 at a time. Before: nothing keeps a thread from storing the
// next 64 counts while another has not read the total of these yet.
template <Version version> __device__ __forceinline__ void positions(const int *count, int *end, int buckets)
{
    __shared__ int sums[64];
    int tid = threadIdx.x, offset = 0;
    for (int first = 0; first < buckets; first += blockDim.x) {
        int bucket = first + tid;
        sums[tid] = bucket < buckets ? count[bucket] : 0;
        __syncthreads();
        for (int step = 1; step < blockDim.x; step *= 2) {
            int add = tid >= step ? sums[tid - step] : 0;
            __syncthreads();
            sums[tid] += add;
            __syncthreads();
        }
        if (bucket < buckets) end[bucket] = offset + sums[tid];
        offset += sums[version == WRONG ? blockDim.x - 2 : blockDim.x - 1];
        if (version != BEFORE) __syncthreads();
    }
}
extern "C" __global__ void positions_before(const int *count, int *end, int buckets) { positions<BEFORE>(count, end, buckets); }
extern "C" __global__ void positions_after(const int *count, int *end, int buckets) { positions<AFTER>(count, end, buckets); }
extern "C" __global__ void positions_wrong(const int *count, int *end, int buckets) { positions<WRONG>(count, end, buckets); }

// The range of the keys, and equally many equally wide buckets in it: edge[0] is the smallest key, edge[buckets] the largest.
// Before: the buffer of the minima is used for the maxima, too, and nothing keeps thread 0 from storing its maximum where
// others read the minimum.
template <Version version> __device__ __forceinline__ void key_range(const float *key, float *edge, int n, int buckets)
{
    __shared__ float buffer[64];
    int tid = threadIdx.x;
    float low = INFINITY, high = -INFINITY;
    for (int i = tid; i < n; i += blockDim.x) {
        low = fminf(low, key[i]);
        high = fmaxf(high, key[i]);
    }
    buffer[tid] = low;
    __syncthreads();
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        if (tid < step) buffer[tid] = fminf(buffer[tid], buffer[tid + step]);
        __syncthreads();
    }
    low = buffer[0];
    if (version != BEFORE) __syncthreads();
    buffer[tid] = high;
    __syncthreads();
    for (int step = blockDim.x / 2; step > (version == WRONG ? 1 : 0); step /= 2) {
        if (tid < step) buffer[tid] = fmaxf(buffer[tid], buffer[tid + step]);
        __syncthreads();
    }
    float width = (buffer[0] - low) / buckets;
    for (int i = tid; i <= buckets; i += blockDim.x) edge[i] = low + i * width;
}
#define KEY_RANGE(name, version)                                                                                             \
    extern "C" __global__ void name(const float *key, float *edge, int n, int buckets)                           \
    {                                                                                                                        \
        key_range<version>(key, edge, n, buckets);                                                                           \
    }
KEY_RANGE(key_range_before, BEFORE)
KEY_RANGE(key_range_after, AFTER)
KEY_RANGE(key_range_wrong, WRONG)

// The sum of a value over all atoms. Before: within a warp the threads were believed to run in lockstep, so that only the step
// across the two warps had a barrier.
template <Version version> __device__ __forceinline__ void reduce_value(const float *value, float *sum, int atoms)
{
    __shared__ volatile float partial[64];
    int tid = threadIdx.x;
    float mine = 0.0f;
    for (int i = tid; i < (version == WRONG ? atoms - 1 : atoms); i += blockDim.x) mine += value[i];
    partial[tid] = mine;
    if (version != BEFORE) __syncthreads();
    for (int step = 1; step < blockDim.x; step *= 2) {
        if (version == BEFORE && step == 32) __syncthreads();
        if (tid % (2 * step) == 0) partial[tid] += partial[tid + step];
        if (version != BEFORE) __syncthreads();
    }
    if (tid == 0) *sum = partial[0];
}
extern "C" __global__ void reduce_value_before(const float *value, float *sum, int atoms)
{
    reduce_value<BEFORE>(value, sum, atoms);
}
extern "C" __global__ void reduce_value_after(const float *value, float *sum, int atoms)
{
    reduce_value<AFTER>(value, sum, atoms);
}
extern "C" __global__ void reduce_value_wrong(const float *value, float *sum, int atoms)
{
    reduce_value<WRONG>(value, sum, atoms);
}
