// Scans, stencils and pipelines: what a block builds of many small exchanges.

#define KERNEL extern "C" __global__ void
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define SYNC(id, count) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory")
#define ARRIVE(id, count) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory")
#define COPY4(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(AT(to)), "l"(from) : "memory")
#define WAIT_ALL asm volatile("cp.async.wait_all;" ::: "memory")

// Prefix sums by doubling steps, from one buffer to the other.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL scan_two_buffers(const float *x, float *y)
{
    __shared__ float s[2][64];
    int t = threadIdx.x, from = 0;
    s[0][t] = x[t];
    __syncthreads();
#pragma unroll 1
    for (int k = 1; k < 64; k *= 2, from ^= 1) {
        s[from ^ 1][t] = t >= k ? s[from][t] + s[from][t - k] : s[from][t];
        __syncthreads();
    }
    y[t] = s[from][t];
}

// In one buffer, with only one barrier a step: a thread adds what its neighbour has added to already.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL scan_in_place_one_barrier(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
#pragma unroll 1
    for (int k = 1; k < 64; k *= 2) {
        if (t >= k) {
            s[t] += s[t - k]; // race here
        }
        __syncthreads();
    }
    y[t] = s[t];
}

// expect: safe
// launch: block 64; x 64; y 64
KERNEL scan_in_place(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
#pragma unroll 1
    for (int k = 1; k < 64; k *= 2) {
        float v = t >= k ? s[t - k] : 0.0f;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    y[t] = s[t];
}

// Up and down a tree; the barrier between the two is there, and it is missing.
#define UP_AND_DOWN(BETWEEN)                                   \
    for (int k = 1; k < 64; k *= 2) {                          \
        int i = 2 * k * (t + 1) - 1;                           \
        if (i < 64) {                                          \
            s[i] += s[i - k];                                  \
        }                                                      \
        __syncthreads();                                       \
    }                                                          \
    for (int k = 16; k > 0; k /= 2) {                          \
        int i = 2 * k * (t + 1) - 1;                           \
        if (i + k < 64) {                                      \
            s[i + k] += s[i];                                  \
        }                                                      \
        BETWEEN;                                               \
    }

// expect: safe
// launch: block 32; x 64; y 64
KERNEL scan_tree(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[32 + t] = x[32 + t];
    __syncthreads();
    UP_AND_DOWN(__syncthreads())
    y[t] = s[t];
    y[32 + t] = s[32 + t];
}

// expect: unsafe race shared s
// launch: block 32; x 64; y 64
KERNEL scan_tree_bare(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    s[32 + t] = x[32 + t];
    __syncthreads();
    UP_AND_DOWN() // race here
    __syncthreads();
    y[t] = s[t];
    y[32 + t] = s[32 + t];
}

// A stencil with a halo that the first threads bring.
// expect: safe
// launch: grid 2; block 32; n=64; x 64; y 64
KERNEL stencil(const float *x, float *y, int n)
{
    __shared__ float s[34];
    int t = threadIdx.x, i = 32 * blockIdx.x + t;
    s[t + 1] = x[i];
    if (t == 0) {
        s[0] = i > 0 ? x[i - 1] : 0.0f;
        s[33] = i + 32 < n ? x[i + 32] : 0.0f;
    }
    __syncthreads();
    y[i] = s[t] + s[t + 1] + s[t + 2];
}

// Thread 0 brings the halo after the barrier.
// expect: unsafe race shared s
// launch: grid 1; block 64; x 65; y 64
KERNEL stencil_late_halo(const float *x, float *y)
{
    __shared__ volatile float s[65];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t == 0) {
        s[64] = x[64]; // race here
    }
    y[t] = s[t] + s[t + 1]; // race here
}

// The right end's halo is forgotten.
// expect: unsafe uninitialized-read
// launch: grid 1; block 64; x 64; y 64
KERNEL stencil_no_halo(const float *x, float *y)
{
    __shared__ float s[65];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[t] + s[t + 1];
}

// A loop with a barrier that a warp may leave a round earlier than another; n is or is not a multiple of the block.
// expect: unsafe barrier-divergence|deadlock
// launch: block 64; n=96; x 128; y 64
// expect: unsafe barrier-divergence|deadlock
// launch: block 64; n=80; x 128; y 64
// expect: safe
// launch: block 64; n=128; x 128; y 64
KERNEL uneven_loop(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = 0.0f;
#pragma unroll 1
    for (int i = t; i < n; i += 64) {
        s[t] += x[i];
        __syncthreads();
    }
    s[t] *= 2.0f;
    __syncthreads();
    y[t] = s[63 - t];
}

// Lanes leave a loop of shuffles early while others still name them.
// expect: unsafe deadlock|barrier-divergence
// launch: block 32; x 32; y 32
KERNEL uneven_shuffles(const float *x, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
#pragma unroll 1
    for (int i = 0; i <= t / 16; i++) {
        v += __shfl_xor_sync(0xffffffffu, v, 1);
    }
    __syncthreads();
    y[t] = v;
}

// Known numbers sorted by a bitonic network.
// expect: safe
// launch: block 32; keys 32 values=index; y 32
KERNEL bitonic(const int *keys, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = keys[31 - t] * 7 % 32;
    __syncthreads();
#pragma unroll 1
    for (int k = 2; k <= 32; k *= 2) {
#pragma unroll 1
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            if (other > t && (s[t] > s[other]) == ((t & k) == 0)) {
                int v = s[t];
                s[t] = s[other];
                s[other] = v;
            }
            __syncthreads();
        }
    }
    y[t] = s[t];
}

// The barrier only after each of the outer steps.
// expect: unsafe race shared s
// launch: block 32; keys 32 values=index; y 32
KERNEL bitonic_outer_barrier(const int *keys, int *y)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = keys[31 - t] * 7 % 32;
    __syncthreads();
#pragma unroll 1
    for (int k = 2; k <= 32; k *= 2) {
#pragma unroll 1
        for (int j = k / 2; j > 0; j /= 2) {
            int other = t ^ j;
            int lower = t & ~j, upper = t | j;
            int a = s[lower], b = s[upper]; // race here
            bool swap = (a > b) == ((t & k) == 0);
            s[t] = (t < other) == swap ? b : a; // race here
        }
        __syncthreads();
    }
    y[t] = s[t];
}

// Warp 0 copies tiles into two buffers, warp 1 adds them up: barriers 1 and 2 say full, 3 and 4 empty.
// expect: safe
// launch: block 64; n=4; x 128; y 32
KERNEL pipeline(const float *x, float *y, int n)
{
    __shared__ float s[2][32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            if (i >= 2) {
                SYNC(3 + i % 2, 64);
            }
            COPY4(&s[i % 2][t], x + 32 * i + t);
            WAIT_ALL;
            ARRIVE(1 + i % 2, 64);
        }
    } else {
        float sum = 0.0f;
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            SYNC(1 + i % 2, 64);
            sum += s[i % 2][31 - t];
            if (i + 2 < n) {
                ARRIVE(3 + i % 2, 64);
            }
        }
        y[t] = sum;
    }
}

// The producer waits for the buffer that it filled last, not for the one that it fills next.
// expect: unsafe race|deadlock
// launch: block 64; n=4; x 128; y 32
KERNEL pipeline_wrong_buffer(const float *x, float *y, int n)
{
    __shared__ float s[2][32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            if (i >= 2) {
                SYNC(3 + i % 2, 64);
            }
            COPY4(&s[(i + 1) % 2][t], x + 32 * i + t);
            WAIT_ALL;
            ARRIVE(1 + i % 2, 64);
        }
    } else {
        float sum = 0.0f;
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            SYNC(1 + i % 2, 64);
            sum += s[(i + 1) % 2][31 - t];
            ARRIVE(3 + i % 2, 64);
            if (i == 0) {
                sum += s[0][t];
            }
        }
        y[t] = sum;
    }
}

// The wait for the copies comes after the arrival that promises them.
// expect: unsafe race shared s
// launch: block 64; n=1; x 32; y 32
KERNEL pipeline_early_arrival(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        COPY4(&s[t], x + t);
        ARRIVE(1, 64);
        WAIT_ALL; // race here
    } else {
        SYNC(1, 64);
        y[t] = s[31 - t]; // race here
    }
}

// The producer waits for empty buffers from the first round on, and the consumer announces none at the start.
// expect: unsafe deadlock
// launch: block 64; n=4; x 128; y 32
KERNEL pipeline_stuck(const float *x, float *y, int n)
{
    __shared__ float s[2][32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            SYNC(3 + i % 2, 64);
            COPY4(&s[i % 2][t], x + 32 * i + t);
            WAIT_ALL;
            ARRIVE(1 + i % 2, 64);
        }
    } else {
        float sum = 0.0f;
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            SYNC(1 + i % 2, 64);
            sum += s[i % 2][31 - t];
            ARRIVE(3 + i % 2, 64);
        }
        y[t] = sum;
    }
}

// Threads exchange through global memory, in a tensor of the block's own.
// expect: safe
// launch: grid 2; block 64; x 128; z 128 scratch; y 128
KERNEL global_exchange(const float *x, float *z, float *y)
{
    int t = threadIdx.x, base = 64 * blockIdx.x;
    z[base + t] = x[base + t];
    __syncthreads();
    y[base + t] = z[base + 63 - t];
}

// expect: unsafe race global z
// launch: grid 2; block 64; x 128; z 128 scratch; y 128
KERNEL global_exchange_bare(const float *x, float *z, float *y)
{
    int t = threadIdx.x, base = 64 * blockIdx.x;
    z[base + t] = x[base + t]; // race here
    __threadfence();
    y[base + t] = z[base + 63 - t]; // race here
}

// Through the other block's half: barriers do not reach it.
// expect: unsafe race global z
// launch: grid 2; block 64; x 128; z 128 scratch; y 128
KERNEL global_exchange_across(const float *x, float *z, float *y)
{
    int t = threadIdx.x, base = 64 * blockIdx.x;
    z[base + t] = x[base + t]; // race here
    __syncthreads();
    y[base + t] = z[127 - base - t]; // race here
}
