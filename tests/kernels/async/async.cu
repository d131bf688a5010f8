// Tiles that come by asynchronous copies, and siblings that are broken.

__device__ __forceinline__ void copy4(float *target, const float *source)
{
    unsigned to = (unsigned)__cvta_generic_to_shared(target);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(source) : "memory");
}

__device__ __forceinline__ void copy16(float *target, const float *source, int bytes)
{
    unsigned to = (unsigned)__cvta_generic_to_shared(target);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(source), "r"(bytes) : "memory");
}

__device__ __forceinline__ void commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int N> __device__ __forceinline__ void wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

// Each block reverses its stretch of 64 elements, which comes in quads; behind the end there are zeros.
extern "C" __global__ void reverse(const float *x, float *y, int n)
{
    __shared__ __align__(16) float tile[64];
    int first = blockIdx.x * 64;
    if (threadIdx.x < 16) {
        int at = first + 4 * threadIdx.x;
        int left = n - at;
        copy16(&tile[4 * threadIdx.x], x + (left > 0 ? at : 0), left >= 4 ? 16 : left > 0 ? 4 * left : 0);
    }
    commit();
    wait<0>();
    __syncthreads();
    y[first + threadIdx.x] = tile[63 - threadIdx.x];
}

// PENDING: groups that the wait leaves under way; BARRIER: whether a barrier follows the wait, and one the use.
template <int PENDING, bool WAITS, bool BEHIND, bool LAST> __device__ __forceinline__ void pipeline(const float *x, float *y, int n)
{
    __shared__ float tiles[2][64];
    int t = threadIdx.x;
    float total = 0.0f;
    copy4(&tiles[0][t], x + t);
    commit();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n) {
            copy4(&tiles[(k + 1) & 1][t], x + 64 * (k + 1) + t);
        }
        commit();
        if (WAITS) {
            wait<PENDING>();
        }
        if (BEHIND) {
            __syncthreads();
        }
        total += tiles[k & 1][t ^ 1];
        if (LAST) {
            __syncthreads();
        }
    }
    y[t] = total;
}

// Two stages: the next tile comes while this one is used.
extern "C" __global__ void two_stages(const float *x, float *y, int n)
{
    pipeline<1, true, true, true>(x, y, n);
}

extern "C" __global__ void missing_wait(const float *x, float *y, int n)
{
    pipeline<1, false, true, true>(x, y, n);
}

extern "C" __global__ void wrong_count(const float *x, float *y, int n)
{
    pipeline<2, true, true, true>(x, y, n);
}

extern "C" __global__ void missing_barrier(const float *x, float *y, int n)
{
    pipeline<1, true, false, true>(x, y, n);
}

extern "C" __global__ void overwritten(const float *x, float *y, int n)
{
    pipeline<1, true, true, false>(x, y, n);
}

// The sum of a column of tiles with plain loads.
extern "C" __global__ void plain(const float *x, float *y, int n)
{
    float total = 0.0f;
    for (int k = 0; k < n; ++k) {
        total += x[64 * k + (threadIdx.x ^ 1)];
    }
    y[threadIdx.x] = total;
}

extern "C" __global__ void plain_reverse(const float *x, float *y, int n)
{
    int first = blockIdx.x * 64;
    int i = first + 63 - threadIdx.x;
    y[first + threadIdx.x] = i < n ? x[i] : 0.0f;
}

// The source changes while the copy may be under way.
extern "C" __global__ void source_changes(float *x, float *y)
{
    __shared__ float tile[64];
    int t = threadIdx.x;
    copy4(&tile[t], x + t);
    commit();
    x[t] = 1.0f;
    wait<0>();
    y[t] = tile[t];
}
