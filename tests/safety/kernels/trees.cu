// Tree reductions of the seven classical kinds: 1 to 4 are right with their barriers, 5 to 7 leave the last warp to itself.

#define KERNEL extern "C" __global__ void
#define SYNC __syncthreads()
#define LOOSE

// Interleaved addresses, threads chosen by a remainder.
#define REMAINDER(BARRIER)                                     \
    for (int k = 1; k < 128; k *= 2) {                         \
        if (t % (2 * k) == 0) {                                \
            s[t] += s[t + k];                                  \
        }                                                      \
        BARRIER;                                               \
    }

// expect: safe
// launch: block 128; x 128; y 1
KERNEL tree1(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
#pragma unroll 1
    REMAINDER(SYNC)
    if (t == 0) {
        y[0] = s[0];
    }
}

// expect: unsafe race shared s
// launch: block 128; x 128; y 1
KERNEL tree1_bare(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
#pragma unroll 1
    REMAINDER(LOOSE) // race here
    if (t == 0) {
        y[0] = s[0];
    }
}

// Interleaved addresses, the first threads work.
// expect: safe
// launch: block 128; x 128; y 1
KERNEL tree2(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
#pragma unroll 1
    for (int k = 1; k < 128; k *= 2) {
        int i = 2 * k * t;
        if (i < 128) {
            s[i] += s[i + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// expect: unsafe race shared s
// launch: block 128; x 128; y 1
KERNEL tree2_bare(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
#pragma unroll 1
    for (int k = 1; k < 128; k *= 2) {
        int i = 2 * k * t;
        if (i < 128) {
            s[i] += s[i + k]; // race here
        }
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// Sequential addresses.
// expect: safe
// launch: block 128; x 128; y 1
KERNEL tree3(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
#pragma unroll 1
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) {
            s[t] += s[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// The barrier stands in the branch. Threads without more work leave, and a barrier does not wait for them; if it did, ...
// expect: safe
// launch: block 128; x 128; y 1
// expect: unsafe deadlock
// launch: block 128; x 128; y 1; assume exited_threads_block_barriers
KERNEL tree3_barrier_inside(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
#pragma unroll 1
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) {
            s[t] += s[t + k];
            __syncthreads();
        }
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// The same where all have to come to a last barrier, so that nobody can leave: warps wait in different places.
// expect: unsafe barrier-divergence|deadlock
// launch: block 128; x 128; y 128
KERNEL tree3_barrier_inside_last(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
#pragma unroll 1
    for (int k = 64; k > 0; k /= 2) {
        if (t < k) {
            s[t] += s[t + k];
            __syncthreads();
        }
    }
    __syncthreads();
    y[t] = s[0];
}

// The first addition happens on the way in.
// expect: safe
// launch: block 64; x 128; y 1
KERNEL tree4(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t] + x[t + 64];
    __syncthreads();
#pragma unroll 1
    for (int k = 32; k > 0; k /= 2) {
        if (t < k) {
            s[t] += s[t + k];
        }
        __syncthreads();
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// No barrier between the way in and the tree.
// expect: unsafe race shared s
// launch: block 64; x 128; y 1
KERNEL tree4_bare(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t] + x[t + 64]; // race here
#pragma unroll 1
    for (int k = 32; k > 0; k /= 2) {
        if (t < k) {
            s[t] += s[t + k]; // race here
        }
        __syncthreads();
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// The last warp, unrolled: as people wrote it before warps could diverge, and with __syncwarp.
#define LEGACY_TAIL                                            \
    s[t] += s[t + 32];                                         \
    s[t] += s[t + 16];                                         \
    s[t] += s[t + 8];                                          \
    s[t] += s[t + 4];                                          \
    s[t] += s[t + 2];                                          \
    s[t] += s[t + 1];
#define STEP(k)                                                \
    v += s[t + k];                                             \
    __syncwarp();                                              \
    s[t] = v;                                                  \
    __syncwarp();
#define SYNCED_TAIL                                            \
    float v = s[t];                                            \
    STEP(32) STEP(16) STEP(8) STEP(4) STEP(2) STEP(1)
#define DOWN_TO_WARP(first)                                    \
    for (int k = first; k > 32; k /= 2) {                      \
        if (t < k) {                                           \
            s[t] += s[t + k];                                  \
        }                                                      \
        __syncthreads();                                       \
    }

// Kind 5: the last warp unrolled. Its lanes are not in step.
// expect: unsafe race shared s
// launch: block 128; x 256; y 1
KERNEL tree5(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t] + x[t + 128];
    __syncthreads();
    DOWN_TO_WARP(64)
    if (t < 32) {
        LEGACY_TAIL // race here
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// Volatile makes the compiler keep each access, and orders no lanes.
// expect: unsafe race shared s
// launch: block 128; x 256; y 1
KERNEL tree5_volatile(const float *x, float *y)
{
    __shared__ volatile float s[128];
    int t = threadIdx.x;
    s[t] = x[t] + x[t + 128];
    __syncthreads();
    DOWN_TO_WARP(64)
    if (t < 32) {
        LEGACY_TAIL // race here
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// expect: safe
// launch: block 128; x 256; y 1
KERNEL tree5_synced(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t] + x[t + 128];
    __syncthreads();
    DOWN_TO_WARP(64)
    if (t < 32) {
        SYNCED_TAIL
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// Kind 6: unrolled completely.
// expect: unsafe race shared s
// launch: block 128; x 256; y 1
KERNEL tree6(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t] + x[t + 128];
    __syncthreads();
    if (t < 64) {
        s[t] += s[t + 64];
    }
    __syncthreads();
    if (t < 32) {
        LEGACY_TAIL // race here
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// expect: unsafe race shared s
// launch: block 128; x 256; y 1
KERNEL tree6_volatile(const float *x, float *y)
{
    __shared__ volatile float s[128];
    int t = threadIdx.x;
    s[t] = x[t] + x[t + 128];
    __syncthreads();
    if (t < 64) {
        s[t] += s[t + 64];
    }
    __syncthreads();
    if (t < 32) {
        LEGACY_TAIL // race here
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// expect: safe
// launch: block 128; x 256; y 1
KERNEL tree6_synced(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t] + x[t + 128];
    __syncthreads();
    if (t < 64) {
        s[t] += s[t + 64];
    }
    __syncthreads();
    if (t < 32) {
        SYNCED_TAIL
    }
    if (t == 0) {
        y[0] = s[0];
    }
}

// Kind 7: each thread adds several elements first.
// expect: unsafe race shared s
// launch: grid 2; block 64; n=512; x 512; y 2
KERNEL tree7(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 128 * blockIdx.x + t; i < n; i += 128 * gridDim.x) {
        sum += x[i] + x[i + 64];
    }
    s[t] = sum;
    __syncthreads();
    if (t < 32) {
        LEGACY_TAIL // race here
    }
    if (t == 0) {
        y[blockIdx.x] = s[0];
    }
}

// expect: unsafe race shared s
// launch: grid 2; block 64; n=512; x 512; y 2
KERNEL tree7_volatile(const float *x, float *y, int n)
{
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 128 * blockIdx.x + t; i < n; i += 128 * gridDim.x) {
        sum += x[i] + x[i + 64];
    }
    s[t] = sum;
    __syncthreads();
    if (t < 32) {
        LEGACY_TAIL // race here
    }
    if (t == 0) {
        y[blockIdx.x] = s[0];
    }
}

// expect: safe
// launch: grid 2; block 64; n=512; x 512; y 2
KERNEL tree7_synced(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 128 * blockIdx.x + t; i < n; i += 128 * gridDim.x) {
        sum += x[i] + x[i + 64];
    }
    s[t] = sum;
    __syncthreads();
    if (t < 32) {
        SYNCED_TAIL
    }
    if (t == 0) {
        y[blockIdx.x] = s[0];
    }
}

// The last warp by shuffles: no memory, no race.
// expect: safe
// launch: block 64; x 64; y 1
KERNEL tree_shuffle(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
        float v = s[t] + s[t + 32];
        for (int k = 16; k > 0; k /= 2) {
            v += __shfl_down_sync(0xffffffffu, v, k);
        }
        if (t == 0) {
            y[0] = v;
        }
    }
}
