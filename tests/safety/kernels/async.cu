// Asynchronous copies: they read and write some time between their issue and the wait that covers their group.

#define KERNEL extern "C" __global__ void
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define COPY4(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(AT(to)), "l"(from) : "memory")
#define COPY16(to, from) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(AT(to)), "l"(from) : "memory")
#define COMMIT asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
#define WAIT_ALL asm volatile("cp.async.wait_all;" ::: "memory")

// Two buffers: the next tile comes while this one is used.
// expect: safe
// launch: block 32; n=4; x 128; y 32
KERNEL double_buffer(const float *x, float *y, int n)
{
    __shared__ float s[2][32];
    int t = threadIdx.x;
    float sum = 0.0f;
    COPY4(&s[0][t], x + t);
    COMMIT;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) {
            COPY4(&s[(i + 1) & 1][t], x + 32 * (i + 1) + t);
        }
        COMMIT;
        WAIT(1);
        __syncthreads();
        sum += s[i & 1][31 - t];
        __syncthreads();
    }
    y[t] = sum;
}

// The wait leaves one group too many under way.
// expect: unsafe race shared s
// launch: block 32; n=4; x 128; y 32
KERNEL double_buffer_wrong_count(const float *x, float *y, int n)
{
    __shared__ float s[2][32];
    int t = threadIdx.x;
    float sum = 0.0f;
    COPY4(&s[0][t], x + t); // race here
    COMMIT;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) {
            COPY4(&s[(i + 1) & 1][t], x + 32 * (i + 1) + t); // race here
        }
        COMMIT;
        WAIT(2);
        __syncthreads();
        sum += s[i & 1][31 - t]; // race here
        __syncthreads();
    }
    y[t] = sum;
}

// The commit is skipped with the last copy, so that the last wait leaves the last tile under way.
// expect: unsafe race shared s
// launch: block 32; n=4; x 128; y 32
KERNEL double_buffer_short_commit(const float *x, float *y, int n)
{
    __shared__ float s[2][32];
    int t = threadIdx.x;
    float sum = 0.0f;
    COPY4(&s[0][t], x + t);
    COMMIT;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) {
            COPY4(&s[(i + 1) & 1][t], x + 32 * (i + 1) + t); // race here
            COMMIT;
        }
        WAIT(1);
        __syncthreads();
        sum += s[i & 1][31 - t]; // race here
        __syncthreads();
    }
    y[t] = sum;
}

// The barrier at the end is missing: the copy for the tile after next may land before a slow lane has read.
// expect: unsafe race shared s
// launch: block 32; n=4; x 128; y 32
KERNEL double_buffer_no_last_barrier(const float *x, float *y, int n)
{
    __shared__ float s[2][32];
    int t = threadIdx.x;
    float sum = 0.0f;
    COPY4(&s[0][t], x + t);
    COMMIT;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) {
            COPY4(&s[(i + 1) & 1][t], x + 32 * (i + 1) + t); // race here
        }
        COMMIT;
        WAIT(1);
        __syncthreads();
        sum += s[i & 1][31 - t]; // race here
    }
    y[t] = sum;
}

// Three buffers need only one barrier a tile.
// expect: safe
// launch: block 32; n=5; x 160; y 32
KERNEL triple_buffer(const float *x, float *y, int n)
{
    __shared__ float s[3][32];
    int t = threadIdx.x;
    float sum = 0.0f;
    COPY4(&s[0][t], x + t);
    COMMIT;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) {
            COPY4(&s[(i + 1) % 3][t], x + 32 * (i + 1) + t);
        }
        COMMIT;
        WAIT(1);
        __syncthreads();
        sum += s[i % 3][31 - t];
    }
    y[t] = sum;
}

// No wait: the barrier alone does not finish a copy.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL no_wait(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], x + t); // race here
    COMMIT;
    __syncthreads();
    y[t] = s[31 - t]; // race here
}

// Without a commit there is no group that a wait for groups could wait for; wait_all waits for all.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL no_commit(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], x + t); // race here
    WAIT(0);
    __syncthreads();
    y[t] = s[31 - t]; // race here
}

// expect: safe
// launch: block 32; x 32; y 32
KERNEL no_commit_wait_all(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], x + t);
    WAIT_ALL;
    __syncthreads();
    y[t] = s[31 - t];
}

// The wait is the issuing thread's alone: others need the barrier after it.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL no_barrier(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], x + t);
    COMMIT;
    WAIT(0); // race here
    y[t] = s[31 - t]; // race here
}

// A barrier before the wait is as good as none.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL barrier_before_wait(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], x + t);
    COMMIT;
    __syncthreads();
    WAIT(0); // race here
    y[t] = s[31 - t]; // race here
}

// The thread that copied may read after its wait without a barrier.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL own_element(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], x + t);
    COMMIT;
    WAIT(0);
    y[t] = s[t];
}

// It may not read before.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL own_element_early(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], x + t); // race here
    COMMIT;
    float v = s[t]; // race here
    WAIT(0);
    y[t] = v + s[t];
}

// The source changes while the copy is under way.
// expect: unsafe race global z
// launch: block 32; z 32 inout; y 32
KERNEL source_changes(float *z, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], z + t); // race here
    COMMIT;
    z[t] = 0.0f; // race here
    WAIT(0);
    y[t] = s[t];
}

// expect: safe
// launch: block 32; z 32 inout; y 32
KERNEL source_changes_later(float *z, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], z + t);
    COMMIT;
    WAIT(0);
    z[t] = 0.0f;
    y[t] = s[t];
}

// Two copies of one thread to the same place are not ordered.
// expect: unsafe race shared s
// launch: block 32; x 64; y 32
KERNEL two_to_one(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], x + t); // race here
    COMMIT;
    COPY4(&s[t], x + 32 + t); // race here
    COMMIT;
    WAIT(0);
    y[t] = s[t];
}

// With a wait between them they are.
// expect: safe
// launch: block 32; x 64; y 32
KERNEL two_to_one_waited(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    COPY4(&s[t], x + t);
    COMMIT;
    WAIT(0);
    COPY4(&s[t], x + 32 + t);
    COMMIT;
    WAIT(0);
    y[t] = s[t];
}

// A copy writes what other threads still read from the round before.
// expect: unsafe race shared s
// launch: block 32; x 64; y 64
KERNEL copy_over_readers(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[31 - t]; // race here
    COPY4(&s[t], x + 32 + t); // race here
    WAIT_ALL;
    __syncthreads();
    y[32 + t] = s[31 - t];
}

// A thread stores, and its own copy to the same place is issued later: ordered.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL store_then_copy(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = 0.0f;
    COPY4(&s[t], x + t);
    WAIT_ALL;
    y[t] = s[t];
}

// Copies of 16 bytes whose target or source is aligned to 4 only.
// expect: unsafe misaligned shared s
// launch: block 8; at=1; from=0; x 40; y 32
// expect: unsafe misaligned global x
// launch: block 8; at=0; from=2; x 40; y 32
// expect: safe
// launch: block 8; at=4; from=4; x 40; y 32
KERNEL aligned_copy(const float *x, float *y, int at, int from)
{
    __shared__ __align__(16) float s[36];
    int t = threadIdx.x;
    COPY16(&s[at + 4 * t], x + from + 4 * t);
    WAIT_ALL;
    for (int k = 0; k < 4; k++) {
        y[4 * t + k] = s[at + 4 * t + k];
    }
}

// The last copy reads, or writes, beyond its end.
// expect: unsafe out-of-bounds global x
// launch: block 8; at=0; x 30; y 32
// expect: unsafe out-of-bounds shared s
// launch: block 8; at=4; x 32; y 32
KERNEL copy_beyond(const float *x, float *y, int at)
{
    __shared__ __align__(16) float s[32];
    int t = threadIdx.x;
    COPY16(&s[at + 4 * t], x + 4 * t);
    WAIT_ALL;
    for (int k = 0; k < 4; k++) {
        y[4 * t + k] = s[4 * t + k];
    }
}

// The copy that would read beyond the end is told to read less and to fill up with zeros.
// expect: safe
// launch: block 8; x 30; y 32
KERNEL copy_filled(const float *x, float *y)
{
    __shared__ __align__(16) float s[32];
    int t = threadIdx.x, bytes = 4 * t + 4 <= 30 ? 16 : 8;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(AT(&s[4 * t])), "l"(x + 4 * t), "r"(bytes) : "memory");
    WAIT_ALL;
    for (int k = 0; k < 4; k++) {
        y[4 * t + k] = s[4 * t + k];
    }
}

// Half of the tile is copied and all of it read.
// expect: unsafe uninitialized-read
// launch: block 32; x 64; y 64
KERNEL half_copied(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    COPY4(&s[t], x + t);
    WAIT_ALL;
    __syncthreads();
    y[t] = s[t];
    y[32 + t] = s[32 + t];
}
