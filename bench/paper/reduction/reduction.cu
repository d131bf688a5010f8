// Sums of the integers of a CTA in shared memory, in the steps in which parallel reduction is taught. The number of threads is
// a power of two. `wrong`: the mutant that the entry's name says.
enum Wrong { RIGHT, HALF, NO_BARRIER };

// 1: neighbours first; the threads that add are the multiples of 2 stride.
template <Wrong wrong> __device__ __forceinline__ void interleaved(const int *x, int *y, int n)
{
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    part[tid] = i < n ? x[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < (wrong == HALF ? blockDim.x / 2 : blockDim.x); stride *= 2) {
        if (tid % (2 * stride) == 0) part[tid] += part[tid + stride];
        __syncthreads();
    }
    if (tid == 0) y[blockIdx.x] = part[0];
}
extern "C" __global__ void red_1(const int *x, int *y, int n) { interleaved<RIGHT>(x, y, n); }
extern "C" __global__ void red_1_half(const int *x, int *y, int n) { interleaved<HALF>(x, y, n); }

// 2: the same sums by the first threads, so that whole warps stop.
template <Wrong wrong> __device__ __forceinline__ void strided(const int *x, int *y, int n)
{
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    part[tid] = i < n ? x[i] : 0;
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        int first = 2 * stride * tid;
        if (first + (wrong == HALF ? 2 * stride : stride) < blockDim.x) part[first] += part[first + stride];
        __syncthreads();
    }
    if (tid == 0) y[blockIdx.x] = part[0];
}
extern "C" __global__ void red_2(const int *x, int *y, int n) { strided<RIGHT>(x, y, n); }
extern "C" __global__ void red_2_half(const int *x, int *y, int n) { strided<HALF>(x, y, n); }

// 3: the upper half onto the lower one, without conflicts of banks.
template <Wrong wrong> __device__ __forceinline__ void sequential(const int *x, int *y, int n)
{
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    part[tid] = i < n ? x[i] : 0;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) part[tid] += part[tid + stride];
        if (wrong != NO_BARRIER) __syncthreads();
    }
    if (tid == 0) y[blockIdx.x] = part[0];
}
extern "C" __global__ void red_3(const int *x, int *y, int n) { sequential<RIGHT>(x, y, n); }
extern "C" __global__ void red_3_no_barrier(const int *x, int *y, int n) { sequential<NO_BARRIER>(x, y, n); }

// 4: two elements a thread, added on load.
template <Wrong wrong> __device__ __forceinline__ void first_add(const int *x, int *y, int n)
{
    extern __shared__ int part[];
    int tid = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + tid;
    int other = i + (wrong == HALF ? blockDim.x / 2 : blockDim.x);
    part[tid] = (i < n ? x[i] : 0) + (other < n ? x[other] : 0);
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (tid < stride) part[tid] += part[tid + stride];
        __syncthreads();
    }
    if (tid == 0) y[blockIdx.x] = part[0];
}
extern "C" __global__ void red_4(const int *x, int *y, int n) { first_add<RIGHT>(x, y, n); }
extern "C" __global__ void red_4_half(const int *x, int *y, int n) { first_add<HALF>(x, y, n); }
