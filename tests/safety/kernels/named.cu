// Named barriers: bar.sync with a number and a count, bar.arrive, and what goes wrong with them.

#define KERNEL extern "C" __global__ void
#define SYNC(id, count) asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory")
#define ARRIVE(id, count) asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory")

// Warp 0 produces, warp 1 consumes; one barrier says full, one says empty.
// expect: safe
// launch: block 64; n=3; x 96; y 96
KERNEL producer_consumer(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            if (i > 0) {
                SYNC(2, 64);
            }
            s[t] = x[32 * i + t];
            ARRIVE(1, 64);
        }
    } else {
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            SYNC(1, 64);
            y[32 * i + t] = s[31 - t];
            if (i < n - 1) {
                ARRIVE(2, 64);
            }
        }
    }
}

// The consumer waits before it says that the buffer is empty, the producer for being told so.
// expect: unsafe deadlock
// launch: block 64; n=3; x 96; y 96
KERNEL producer_consumer_stuck(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            SYNC(2, 64);
            s[t] = x[32 * i + t];
            ARRIVE(1, 64);
        }
    } else {
#pragma unroll 1
        for (int i = 0; i < n; i++) {
            SYNC(1, 64);
            y[32 * i + t] = s[31 - t];
            ARRIVE(2, 64);
        }
    }
}

// The producer does not wait for an empty buffer.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL producer_runs_ahead(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        s[t] = x[t];
        ARRIVE(1, 64);
        s[t] = x[32 + t]; // race here
        ARRIVE(2, 64);
    } else {
        SYNC(1, 64);
        y[t] = s[31 - t]; // race here
        SYNC(2, 64);
        y[32 + t] = s[31 - t];
    }
}

// The consumer does not wait for a full one.
// expect: unsafe race shared s
// launch: block 64; x 32; y 32
KERNEL consumer_runs_ahead(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        s[t] = x[t]; // race here
        ARRIVE(1, 64);
    } else {
        y[t] = s[31 - t]; // race here
        SYNC(1, 64);
    }
}

// Arriving does not wait: who arrived may not read what the other side writes before its sync.
// expect: unsafe race shared s
// launch: block 64; x 64; y 32
KERNEL arrive_is_no_wait(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    if (t < 32) {
        ARRIVE(1, 64);
        y[t] = s[63 - t]; // race here
    } else {
        SYNC(1, 64);
    }
}

// Two warps meet at two barriers in opposite orders.
// expect: unsafe deadlock
// launch: block 64; x 64; y 64
KERNEL crossed(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 32) {
        SYNC(1, 64);
        SYNC(2, 64);
    } else {
        SYNC(2, 64);
        SYNC(1, 64);
    }
    y[t] = s[63 - t];
}

// expect: safe
// launch: block 64; x 64; y 64
KERNEL uncrossed(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 32) {
        SYNC(1, 64);
        SYNC(2, 64);
    } else {
        SYNC(1, 64);
        SYNC(2, 64);
    }
    y[t] = s[63 - t];
}

// Three warps wait for each other in a ring.
// expect: unsafe deadlock
// launch: block 96; x 96; y 96
KERNEL ring(const float *x, float *y)
{
    __shared__ float s[96];
    int t = threadIdx.x, w = t / 32;
    s[t] = x[t];
    SYNC(1 + w, 64);
    SYNC(1 + (w + 2) % 3, 64);
    y[t] = s[95 - t];
}

// Two warps wait at barriers of different numbers.
// expect: unsafe deadlock
// launch: block 64; x 64; y 64
KERNEL numbers_differ(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    SYNC(1 + t / 32, 64);
    y[t] = s[63 - t];
}

// More threads are expected than there are.
// expect: unsafe deadlock
// launch: block 64; x 64; y 64
KERNEL count_too_large(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    SYNC(1, 96);
    y[t] = s[63 - t];
}

// Each warp is enough for a barrier of its own, which orders it with itself alone.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL count_too_small(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    SYNC(1 + t / 32, 32);
    y[t] = s[63 - t]; // race here
}

// A count that is no multiple of the warp's size.
// expect: unsupported unsupported-instruction
// launch: block 64; x 64; y 64
KERNEL count_uneven(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    SYNC(1, 48);
    y[t] = s[63 - t];
}

// There are sixteen barriers.
// expect: unsupported unsupported-instruction
// launch: block 64; x 64; y 64
KERNEL number_too_large(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    SYNC(16, 64);
    y[t] = s[63 - t];
}

// Two pairs of warps, each with a barrier of its own.
// expect: safe
// launch: block 128; x 128; y 128
KERNEL pairs(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x, pair = t / 64;
    s[t] = x[t];
    SYNC(1 + pair, 64);
    y[t] = s[64 * pair + 63 - t % 64];
}

// A pair reads what the other pair wrote.
// expect: unsafe race shared s
// launch: block 128; x 128; y 128
KERNEL pairs_crossed(const float *x, float *y)
{
    __shared__ float s[128];
    int t = threadIdx.x, pair = t / 64;
    s[t] = x[t]; // race here
    SYNC(1 + pair, 64);
    y[t] = s[127 - t]; // race here
}

// Order is transitive: warp 0 with 1, then 1 with 2.
// expect: safe
// launch: block 96; x 32; y 32
KERNEL relay(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x % 32, w = threadIdx.x / 32;
    if (w == 0) {
        s[t] = x[t];
        SYNC(1, 64);
    } else if (w == 1) {
        SYNC(1, 64);
        SYNC(2, 64);
    } else {
        SYNC(2, 64);
        y[t] = s[31 - t];
    }
}

// The one in the middle comes to its barriers in the other order: 2 does not follow 1.
// expect: unsafe race shared s
// launch: block 96; x 32; y 32
KERNEL relay_reversed(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x % 32, w = threadIdx.x / 32;
    if (w == 0) {
        s[t] = x[t]; // race here
        SYNC(1, 64);
    } else if (w == 1) {
        SYNC(2, 64);
        SYNC(1, 64);
    } else {
        SYNC(2, 64);
        y[t] = s[31 - t]; // race here
    }
}

// Arrive early, work, wait late: what is done in between belongs to neither side.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL split(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    float mine = 2.0f * x[t];
    if (t < 32) {
        ARRIVE(1, 64);
        mine *= 3.0f;
        SYNC(2, 64);
    } else {
        ARRIVE(2, 64);
        mine *= 5.0f;
        SYNC(1, 64);
    }
    y[t] = mine + s[63 - t];
}

// In between it changes what the other side may read after its wait.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL split_writes_between(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 32) {
        ARRIVE(1, 64);
        s[t] = 3.0f; // race here
        SYNC(2, 64);
        y[t] = s[t];
    } else {
        ARRIVE(2, 64);
        SYNC(1, 64);
        y[t] = s[63 - t]; // race here
    }
}

// Nobody arrives at the second barrier.
// expect: unsafe deadlock
// launch: block 64; x 64; y 64
KERNEL split_without_arrival(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 32) {
        ARRIVE(1, 64);
        SYNC(2, 64);
    } else {
        SYNC(1, 64);
    }
    y[t] = s[63 - t];
}

// A warp that has returned does not count where a count is given.
// expect: unsafe deadlock
// launch: block 96; x 64; y 64
KERNEL returned_warp(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t >= 64) {
        return;
    }
    s[t] = x[t];
    SYNC(1, 96);
    y[t] = s[63 - t];
}

// Lanes that have returned do: the arrival of a warp counts whole.
// expect: safe
// launch: block 64; x 48; y 48
KERNEL returned_lanes(const float *x, float *y)
{
    __shared__ float s[48];
    int t = threadIdx.x;
    if (t >= 48) {
        return;
    }
    s[t] = x[t];
    SYNC(1, 64);
    y[t] = s[47 - t];
}

// Half of a warp goes to one barrier, half to another.
// expect: unsafe barrier-divergence|deadlock
// launch: block 64; x 64; y 64
KERNEL torn_warp(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    SYNC(1 + t % 2, 64);
    y[t] = s[63 - t];
}

// The lanes of a warp expect different numbers of threads.
// expect: unsafe barrier-divergence|deadlock
// launch: block 64; x 64; y 64
KERNEL torn_counts(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    SYNC(1, 32 + 32 * (t % 2));
    y[t] = s[63 - t];
}

// Two warps give different counts for one barrier: undefined.
// expect: unsafe barrier-divergence|deadlock
// launch: block 64; x 64; y 64
KERNEL counts_differ(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    SYNC(1, t < 32 ? 64 : 96);
    y[t] = s[63 - t];
}

// barrier.sync without .aligned may be executed by the lanes of a warp in different places.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL unaligned_arms(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t % 2 == 0) {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        y[t] = s[63 - t];
    } else {
        asm volatile("barrier.sync 1, 64;" ::: "memory");
        y[t] = 2.0f * s[63 - t];
    }
}

// One lane waits at such a barrier; it does not open before the others of its warp are there, and they wait for that lane.
// expect: unsafe deadlock
// launch: block 32; x 32; y 32
KERNEL unaligned_torn(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t == 0) {
        asm volatile("barrier.sync 1, 32;" ::: "memory");
    }
    __syncwarp();
    y[t] = s[31 - t];
}

// The lanes of a warp wait at two such barriers.
// expect: unsafe deadlock
// launch: block 64; x 64; y 64
KERNEL unaligned_numbers(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    asm volatile("barrier.sync %0, 64;" ::"r"(1 + t % 2) : "memory");
    y[t] = s[63 - t];
}

// Warps 0 and 1 meet at barrier 1, and so do warps 2 and 3 after a barrier of their own. Nothing says that these come later:
// warp 0 may as well meet warp 2, and warp 1 warp 3.
// expect: unsafe race shared s
// launch: block 128; x 32; y 32
KERNEL met_by_chance(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x % 32, w = threadIdx.x / 32;
    if (w == 0) {
        s[t] = x[t]; // race here
    }
    if (w >= 2) {
        SYNC(2, 64);
    }
    SYNC(1, 64);
    if (w == 1) {
        y[t] = s[31 - t]; // race here
    }
}

// All have met before the barrier is used again.
// expect: safe
// launch: block 128; x 32; y 32
KERNEL met_in_turn(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x % 32, w = threadIdx.x / 32;
    if (w == 0) {
        s[t] = x[t];
    }
    if (w < 2) {
        SYNC(1, 64);
    }
    __syncthreads();
    if (w >= 2) {
        SYNC(1, 64);
    }
    if (w == 1) {
        y[t] = s[31 - t];
    }
}

// Two warps arrive, and nobody waits: that fills barrier 1, which begins anew. Its next round is behind that for both.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL filled_by_arrivals(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    ARRIVE(1, 64);
    __syncthreads();
    s[t] = x[t];
    SYNC(1, 64);
    y[t] = s[63 - t];
}

// It orders nothing.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL filled_by_arrivals_no_wait(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    ARRIVE(1, 64);
    y[t] = s[63 - t]; // race here
}

// Two arrivals are counted together, so a third warp waits in vain for one of them to meet it.
// expect: unsafe deadlock
// launch: block 96; x 64; y 32
KERNEL filled_before_the_wait(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 64) {
        s[t] = x[t];
        ARRIVE(1, 64);
    }
    __syncthreads();
    if (t >= 64) {
        SYNC(1, 64);
        y[t - 64] = s[t - 64];
    }
}

// Nothing says that the two that arrive are counted together: one of them may meet one of those that wait.
// expect: unsupported unsupported-instruction
// launch: block 128; x 128; y 64
KERNEL filled_by_chance(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t < 64) {
        ARRIVE(1, 64);
    } else {
        s[t - 64] = x[t];
        SYNC(1, 64);
        y[t - 64] = s[127 - t];
    }
}
