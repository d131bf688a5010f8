// arch: sm_90a
// Barriers in shared memory: phases, counts of arrivals, and bytes that copies promise.

#define KERNEL extern "C" __global__ void
typedef unsigned long long barrier;
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define INIT(b, n) asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(AT(&b)), "r"(n) : "memory")
#define ARRIVE(b) asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(&b)) : "memory")
#define EXPECT(b, n) asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(&b)), "r"(n) : "memory")
#define WAIT(b, parity)                                                                                \
    asm volatile("{ .reg .pred done; AGAIN: mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1; " \
                 "@!done bra AGAIN; }" ::"r"(AT(&b)), "r"(parity) : "memory")
#define BULK(to, from, n, b)                                                                                          \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(AT(to)), \
                 "l"(from), "r"(n), "r"(AT(&b)) : "memory")

// All arrive, all wait.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL all_arrive(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 64);
    }
    __syncthreads();
    s[t] = x[t];
    ARRIVE(b);
    WAIT(b, 0);
    y[t] = s[63 - t];
}

// Arriving alone orders nothing for who does not wait.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL no_wait(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 64);
    }
    __syncthreads();
    s[t] = x[t]; // race here
    ARRIVE(b);
    y[t] = s[63 - t]; // race here
}

// The barrier is used before others can know that it was made.
// expect: unsafe race shared b
// launch: block 64; x 64; y 64
KERNEL init_unseen(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 64); // race here
    }
    s[t] = x[t];
    ARRIVE(b); // race here
    WAIT(b, 0); // race here
    y[t] = s[63 - t];
}

// It expects one thread more than there are.
// expect: unsafe deadlock
// launch: block 64; x 64; y 64
KERNEL one_too_many(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 65);
    }
    __syncthreads();
    s[t] = x[t];
    ARRIVE(b);
    WAIT(b, 0);
    y[t] = s[63 - t];
}

// Nobody arrives.
// expect: unsafe deadlock
// launch: block 64; x 64; y 64
KERNEL nobody_arrives(const float *x, float *y)
{
    __shared__ barrier b;
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 64);
    }
    __syncthreads();
    WAIT(b, 0);
    y[t] = x[t];
}

// Producers fill, consumers drain; two barriers, two phases each.
// expect: safe
// launch: block 64; n=4; x 128; y 128
KERNEL producer_consumer(const float *x, float *y, int n)
{
    __shared__ barrier full, empty;
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        INIT(full, 32);
        INIT(empty, 32);
    }
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (threadIdx.x < 32) {
            WAIT(empty, (i & 1) ^ 1);
            s[t] = x[32 * i + t];
            ARRIVE(full);
        } else {
            WAIT(full, i & 1);
            y[32 * i + t] = s[31 - t];
            ARRIVE(empty);
        }
    }
}

// The producer waits for the phase that is still to come: it never does.
// expect: unsafe deadlock
// launch: block 64; n=4; x 128; y 128
KERNEL producer_consumer_stuck(const float *x, float *y, int n)
{
    __shared__ barrier full, empty;
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        INIT(full, 32);
        INIT(empty, 32);
    }
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (threadIdx.x < 32) {
            WAIT(empty, i & 1);
            s[t] = x[32 * i + t];
            ARRIVE(full);
        } else {
            WAIT(full, i & 1);
            y[32 * i + t] = s[31 - t];
            ARRIVE(empty);
        }
    }
}

// The consumer waits for the phase before: it does not wait at all, or, once all have arrived, for a phase that never ends.
// expect: unsafe deadlock
// launch: block 64; x 32; y 32
KERNEL wrong_parity(const float *x, float *y)
{
    __shared__ barrier full;
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        INIT(full, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        s[t] = x[t];
        ARRIVE(full);
    } else {
        WAIT(full, 1);
        y[t] = s[31 - t];
    }
}

// 32 lanes store, one arrives for them: the others' stores are not ordered before its arrival.
// expect: unsafe race shared s
// launch: block 64; x 32; y 32
KERNEL one_arrives(const float *x, float *y)
{
    __shared__ barrier full;
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        INIT(full, 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        s[t] = x[t]; // race here
        if (t == 0) {
            ARRIVE(full);
        }
    } else {
        WAIT(full, 0);
        y[t] = s[31 - t]; // race here
    }
}

// With __syncwarp before it they are.
// expect: safe
// launch: block 64; x 32; y 32
KERNEL one_arrives_synced(const float *x, float *y)
{
    __shared__ barrier full;
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        INIT(full, 1);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        s[t] = x[t];
        __syncwarp();
        if (t == 0) {
            ARRIVE(full);
        }
    } else {
        WAIT(full, 0);
        y[t] = s[31 - t];
    }
}

// A bulk copy of 128 bytes, which its barrier expects.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL bulk(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ __align__(128) float s[32];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        EXPECT(b, 128);
        BULK(s, x, 128, b);
    }
    WAIT(b, 0);
    y[t] = s[31 - t];
}

// It expects more bytes than come.
// expect: unsafe deadlock
// launch: block 32; x 32; y 32
KERNEL bulk_short(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ __align__(128) float s[32];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        EXPECT(b, 160);
        BULK(s, x, 128, b);
    }
    WAIT(b, 0);
    y[t] = s[31 - t];
}

// Nobody waits for the copy.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL bulk_no_wait(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ __align__(128) float s[32];
    int t = threadIdx.x;
    s[t] = 0.0f;
    if (t == 0) {
        INIT(b, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if (t == 0) {
        EXPECT(b, 128);
        BULK(s, x, 128, b); // race here
    }
    __syncthreads();
    y[t] = s[31 - t]; // race here
}

// The next bulk copy is issued while others still read: no barrier says that the buffer is empty.
// expect: unsafe race shared s
// launch: block 32; x 64; y 64
KERNEL bulk_over_readers(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ __align__(128) float s[32];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < 2; i++) {
        if (t == 0) {
            EXPECT(b, 128);
            BULK(s, x + 32 * i, 128, b); // race here
        }
        WAIT(b, i);
        y[32 * i + t] = s[31 - t]; // race here
    }
}

// cp.async whose arrival the barrier counts.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL copies_arrive(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 32);
    }
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(AT(&s[t])), "l"(x + t) : "memory");
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(AT(&b)) : "memory");
    WAIT(b, 0);
    y[t] = s[31 - t];
}

// The threads arrive, their copies do not.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL copies_do_not_arrive(const float *x, float *y)
{
    __shared__ barrier b;
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t == 0) {
        INIT(b, 32);
    }
    __syncthreads();
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(AT(&s[t])), "l"(x + t) : "memory"); // race here
    ARRIVE(b);
    WAIT(b, 0);
    y[t] = s[31 - t]; // race here
}

// A barrier of the block with a number and one in memory: warp 0 waits at the one for warp 1, which waits for warp 0 at the other.
// expect: unsafe deadlock
// launch: block 64; x 32; y 32
KERNEL crossed_with_named(const float *x, float *y)
{
    __shared__ barrier full;
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        INIT(full, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        s[t] = x[t];
        ARRIVE(full);
    } else {
        WAIT(full, 0);
        y[t] = s[31 - t];
        asm volatile("bar.arrive 1, 64;" ::: "memory");
    }
}

// Warp 1 arrives at the first before it waits at the second.
// expect: safe
// launch: block 64; x 32; y 32
KERNEL relayed_with_named(const float *x, float *y)
{
    __shared__ barrier full;
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        INIT(full, 32);
    }
    __syncthreads();
    if (threadIdx.x < 32) {
        asm volatile("bar.sync 1, 64;" ::: "memory");
        s[t] = x[t];
        ARRIVE(full);
    } else {
        asm volatile("bar.arrive 1, 64;" ::: "memory");
        WAIT(full, 0);
        y[t] = s[31 - t];
    }
}

// Two phases, and the consumer asks for the parity of the first both times: the second time it does
// not wait, or waits for a phase that never ends.
// expect: unsafe deadlock
// launch: block 64; x 64; y 64
KERNEL parity_forgotten(const float *x, float *y)
{
    __shared__ barrier full, empty;
    __shared__ float s[32];
    int t = threadIdx.x % 32;
    if (threadIdx.x == 0) {
        INIT(full, 32);
        INIT(empty, 32);
    }
    __syncthreads();
#pragma unroll 1
    for (int i = 0; i < 2; i++) {
        if (threadIdx.x < 32) {
            if (i) {
                WAIT(empty, 0);
            }
            s[t] = x[32 * i + t];
            ARRIVE(full);
        } else {
            WAIT(full, 0);
            y[32 * i + t] = s[31 - t];
            ARRIVE(empty);
        }
    }
}
