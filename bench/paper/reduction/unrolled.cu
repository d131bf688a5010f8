// Sums of the integers of a CTA whose last warp works without barriers of the CTA. As long as warps ran in lockstep, volatile
// shared memory was enough for that; since Volta it is a race, and each step needs a __syncwarp between its reads and its
// writes. STEP_MISSING: the step by 8 is left out.
enum Warp { LOCKSTEP, SYNCED, STEP_MISSING };

template <Warp how> __device__ __forceinline__ void last_warp(int *part, int tid)
{
    if (how == LOCKSTEP) {
        volatile int *now = part;
        now[tid] += now[tid + 32];
        now[tid] += now[tid + 16];
        now[tid] += now[tid + 8];
        now[tid] += now[tid + 4];
        now[tid] += now[tid + 2];
        now[tid] += now[tid + 1];
    } else {
        int sum = part[tid];
#pragma unroll
        for (int stride = 32; stride > 0; stride /= 2) {
            if (how == STEP_MISSING && stride == 8) continue;
            sum += part[tid + stride];
            __syncwarp();
            part[tid] = sum;
            __syncwarp();
        }
    }
}

// 5: the last warp unrolled.
template <Warp how> __device__ __forceinline__ void unrolled_warp(const int *x, int *y, int n)
{
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
    part[tid] = (i < n ? x[i] : 0) + (i + blockDim.x < n ? x[i + blockDim.x] : 0);
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (tid < stride) part[tid] += part[tid + stride];
        __syncthreads();
    }
    if (tid < 32) last_warp<how>(part, tid);
    if (tid == 0) y[blockIdx.x] = part[0];
}
extern "C" __global__ void red_5(const int *x, int *y, int n) { unrolled_warp<LOCKSTEP>(x, y, n); }
extern "C" __global__ void red_5_synced(const int *x, int *y, int n) { unrolled_warp<SYNCED>(x, y, n); }
extern "C" __global__ void red_5_step_missing(const int *x, int *y, int n) { unrolled_warp<STEP_MISSING>(x, y, n); }

template <int THREADS, Warp how> __device__ __forceinline__ void add_all(int *part, int tid)
{
    __syncthreads();
    if (THREADS >= 512) {
        if (tid < 256) part[tid] += part[tid + 256];
        __syncthreads();
    }
    if (THREADS >= 256) {
        if (tid < 128) part[tid] += part[tid + 128];
        __syncthreads();
    }
    if (THREADS >= 128) {
        if (tid < 64) part[tid] += part[tid + 64];
        __syncthreads();
    }
    if (tid < 32) last_warp<how>(part, tid);
}

// 6: everything unrolled, for a number of threads that the compiler knows.
template <int THREADS, Warp how> __device__ __forceinline__ void unrolled(const int *x, int *y, int n)
{
    __shared__ int part[THREADS];
    int tid = threadIdx.x, i = blockIdx.x * THREADS * 2 + tid;
    part[tid] = (i < n ? x[i] : 0) + (i + THREADS < n ? x[i + THREADS] : 0);
    add_all<THREADS, how>(part, tid);
    if (tid == 0) y[blockIdx.x] = part[0];
}
extern "C" __global__ void red_6(const int *x, int *y, int n) { unrolled<128, LOCKSTEP>(x, y, n); }
extern "C" __global__ void red_6_synced(const int *x, int *y, int n) { unrolled<128, SYNCED>(x, y, n); }
extern "C" __global__ void red_6_step_missing(const int *x, int *y, int n) { unrolled<128, STEP_MISSING>(x, y, n); }

// 7: several elements a thread, any number of CTAs.
template <int THREADS, Warp how> __device__ __forceinline__ void several(const int *x, int *y, int n)
{
    __shared__ int part[THREADS];
    int tid = threadIdx.x, sum = 0;
    for (int i = blockIdx.x * THREADS * 2 + tid; i < n; i += gridDim.x * THREADS * 2) {
        sum += x[i];
        if (i + THREADS < n) sum += x[i + THREADS];
    }
    part[tid] = sum;
    add_all<THREADS, how>(part, tid);
    if (tid == 0) y[blockIdx.x] = part[0];
}
extern "C" __global__ void red_7(const int *x, int *y, int n) { several<128, LOCKSTEP>(x, y, n); }
extern "C" __global__ void red_7_synced(const int *x, int *y, int n) { several<128, SYNCED>(x, y, n); }
extern "C" __global__ void red_7_step_missing(const int *x, int *y, int n) { several<128, STEP_MISSING>(x, y, n); }
