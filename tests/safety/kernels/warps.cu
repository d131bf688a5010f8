// Lanes of a warp: they are not in step, and only what says so orders them.

#define KERNEL extern "C" __global__ void
#define FULL 0xffffffffu

// expect: safe
// launch: block 32; x 32; y 32
KERNEL swap_synced(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    y[t] = s[t ^ 1];
}

// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL swap_bare(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];     // race here
    y[t] = s[t ^ 1]; // race here
}

// Half a warp writes what the other half reads, each in its arm of a branch.
// expect: unsafe race shared s
// launch: block 32; x 32; y 16
KERNEL arms(const float *x, float *y)
{
    __shared__ float s[16];
    int t = threadIdx.x;
    if (t < 16) {
        s[t] = x[t]; // race here
    } else {
        y[t - 16] = s[t - 16]; // race here
    }
}

// The same with __syncwarp between the two.
// expect: safe
// launch: block 32; x 32; y 16
KERNEL arms_synced(const float *x, float *y)
{
    __shared__ float s[16];
    int t = threadIdx.x;
    if (t < 16) {
        s[t] = x[t];
    }
    __syncwarp();
    if (t >= 16) {
        y[t - 16] = s[t - 16];
    }
}

// Lanes write in both arms, and two of them the same place.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL arms_both_write(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t % 2 == 0) {
        s[t] = x[t]; // race here
    } else {
        s[(t + 1) % 32] = 2.0f * x[t]; // race here
    }
    __syncwarp();
    y[t] = s[t & ~1];
}

// Each half exchanges within itself, under its own mask.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL halves(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    unsigned mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
    s[t] = x[t];
    __syncwarp(mask);
    y[t] = s[t ^ 15];
}

// The halves exchange with each other under masks that keep them apart.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL halves_crossed(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    unsigned mask = t < 16 ? 0x0000ffffu : 0xffff0000u;
    s[t] = x[t]; // race here
    __syncwarp(mask);
    y[t] = s[t ^ 16]; // race here
}

// One lane waits with a mask that leaves out the lane whose element it reads.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL mask_misses_one(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    if (t < 31) {
        __syncwarp(0x7fffffffu);
    }
    y[t] = s[31 - t]; // race here
}

// A partial mask in a branch, then the full one.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL partial_then_full(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float other = 0.0f;
    s[t] = x[t];
    if (t < 16) {
        __syncwarp(0x0000ffffu);
        other = s[t ^ 1];
    }
    __syncwarp();
    y[t] = other + s[31 - t];
}

// A partial mask in a branch covers its lanes only; the full one that would cover the others comes too late.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL partial_before_full(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float other = 0.0f;
    s[t] = x[t]; // race here
    if (t < 16) {
        __syncwarp(0x0000ffffu);
        other = s[t + 16]; // race here
    }
    __syncwarp();
    y[t] = other + s[31 - t];
}

// Half of a warp waits for all its lanes, the others have gone on to a barrier of the block.
// expect: unsafe deadlock|barrier-divergence
// launch: block 64; x 64; y 64
KERNEL full_in_branch(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t % 32 < 16) {
        __syncwarp();
    }
    __syncthreads();
    y[t] = s[63 - t];
}

// A ballot taken before a branch names lanes that do not come to the shuffle in it.
// expect: unsafe deadlock|barrier-divergence
// launch: block 32; x 32; y 32
KERNEL stale_ballot(const float *x, float *y)
{
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(FULL, t < 24);
    float v = x[t];
    if (t < 16) {
        v += __shfl_xor_sync(mask, v, 1);
    }
    __syncthreads();
    y[t] = v;
}

// The mask of a ballot on the branch's own condition.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL fresh_ballot(const float *x, float *y)
{
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(FULL, t < 16);
    float v = x[t];
    if (t < 16) {
        v += __shfl_xor_sync(mask, v, 1);
    }
    y[t] = v;
}

// A lane shuffles with a mask that does not name it.
// expect: unsafe barrier-divergence
// launch: block 32; x 32; y 32
KERNEL mask_without_self(const float *x, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    y[t] = __shfl_xor_sync(0x0000ffffu, v, 1);
}

// A full mask in a block of 16 threads: lanes that do not exist are not waited for.
// expect: safe
// launch: block 16; x 16; y 16
KERNEL short_block(const float *x, float *y)
{
    __shared__ float s[16];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    float v = s[15 - t];
    for (int k = 8; k > 0; k /= 2) {
        v += __shfl_xor_sync(FULL, v, k);
    }
    y[t] = v;
}

// There the first step of a full warp's sum reads lanes that do not exist.
// expect: unsafe uninitialized-read
// launch: block 16; x 16; y 16
// expect: safe
// launch: block 32; x 32; y 32
KERNEL short_block_sum(const float *x, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    for (int k = 16; k > 0; k /= 2) {
        v += __shfl_xor_sync(FULL, v, k);
    }
    y[t] = v;
}

// The last warp of 48 threads is half there.
// expect: unsafe uninitialized-read
// launch: block 48; x 48; y 48
// expect: safe
// launch: block 64; x 64; y 64
KERNEL last_warp_sum(const float *x, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    for (int k = 16; k > 0; k /= 2) {
        v += __shfl_down_sync(FULL, v, k);
    }
    y[t] = v;
}

// A lane reads one that takes no part in the shuffle.
// expect: unsafe uninitialized-read
// launch: block 32; x 32; y 32
KERNEL inactive_source(const float *x, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    if (t < 16) {
        v = __shfl_sync(0x0000ffffu, v, t + 16);
    }
    y[t] = v;
}

// The same lane is read by all that take part.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL active_source(const float *x, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    if (t < 16) {
        v = __shfl_sync(0x0000ffffu, v, 15 - t);
    }
    y[t] = v;
}

// The value from a lane that takes no part is thrown away.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL inactive_source_unused(const float *x, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    if (t < 16) {
        float w = __shfl_down_sync(0x0000ffffu, v, 1);
        if (t < 15) {
            v += w;
        }
    }
    y[t] = v;
}

// Votes, matches and shuffles make lanes wait for each other's values, and order no memory.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL vote_is_no_fence(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    unsigned all = __ballot_sync(FULL, t >= 0);
    y[t] = all != 0 ? s[31 - t] : 0.0f; // race here
}

// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL match_is_no_fence(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    unsigned like = __match_any_sync(FULL, t / 2);
    y[t] = s[31 - t + (like == 0)]; // race here
}

// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL redux_is_no_fence(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    int most = __reduce_max_sync(FULL, t);
    y[t] = s[most - t]; // race here
}

// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL activemask_is_no_fence(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    unsigned here = __activemask();
    y[t] = s[31 - t + (here == 0)]; // race here
}

// A shuffle is a fence only where the contract assumes so.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
// expect: safe
// launch: block 32; x 32; y 32; assume warp_collectives_order_memory
KERNEL shuffle_between(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = x[t];
    s[t] = v; // race here
    v += __shfl_xor_sync(FULL, v, 1);
    y[t] = v + s[31 - t]; // race here
}

// The assumption is about shared memory within a warp: it orders neither global memory nor other warps.
// expect: unsafe race global z
// launch: block 32; x 32; z 32 scratch; y 32; assume warp_collectives_order_memory
KERNEL shuffle_between_global(const float *x, float *z, float *y)
{
    int t = threadIdx.x;
    float v = x[t];
    z[t] = v; // race here
    v += __shfl_xor_sync(FULL, v, 1);
    y[t] = v + z[31 - t]; // race here
}

// expect: unsafe race shared s
// launch: block 64; x 64; y 64; assume warp_collectives_order_memory
KERNEL shuffle_between_warps(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float v = x[t];
    s[t] = v; // race here
    v += __shfl_xor_sync(FULL, v, 1);
    y[t] = v + s[63 - t]; // race here
}

// `s[lane]` where there are fewer warps than lanes: what nobody wrote is added in.
// expect: unsafe uninitialized-read
// launch: block 64; x 64; y 1
KERNEL lane_beyond_warps(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = x[t];
    for (int k = 16; k > 0; k /= 2) {
        v += __shfl_xor_sync(FULL, v, k);
    }
    if (t % 32 == 0) {
        s[t / 32] = v;
    }
    __syncthreads();
    if (t < 32) {
        v = s[t];
        for (int k = 16; k > 0; k /= 2) {
            v += __shfl_xor_sync(FULL, v, k);
        }
        if (t == 0) {
            y[0] = v;
        }
    }
}

// expect: safe
// launch: block 64; x 64; y 1
KERNEL lane_within_warps(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    float v = x[t];
    for (int k = 16; k > 0; k /= 2) {
        v += __shfl_xor_sync(FULL, v, k);
    }
    if (t % 32 == 0) {
        s[t / 32] = v;
    }
    __syncthreads();
    if (t < 32) {
        v = t < blockDim.x / 32 ? s[t] : 0.0f;
        for (int k = 16; k > 0; k /= 2) {
            v += __shfl_xor_sync(FULL, v, k);
        }
        if (t == 0) {
            y[0] = v;
        }
    }
}

// There is room for the warps that exist and no more.
// expect: unsafe out-of-bounds shared
// launch: block 64; x 64; y 32
KERNEL lane_beyond_array(const float *x, float *y)
{
    __shared__ float s[2];
    int t = threadIdx.x;
    if (t % 32 == 0) {
        s[t / 32] = x[t];
    }
    __syncthreads();
    if (t < 32) {
        y[t] = s[t];
    }
}

// One lane computes a place for all, and tells them by a shuffle.
// expect: safe
// launch: block 32; first 1 values=4; x 36; y 32
KERNEL elected_broadcast(const int *first, const float *x, float *y)
{
    int t = threadIdx.x, at = 0;
    if (t == 0) {
        at = first[0];
    }
    at = __shfl_sync(FULL, at, 0);
    y[t] = x[at + t];
}

// It tells nobody: the register of the other lanes was never written.
// expect: unsafe uninitialized-read
// launch: block 32; first 1 values=4; x 36; y 32
KERNEL elected_silent(const int *first, const float *x, float *y)
{
    int t = threadIdx.x, at;
    asm volatile("{ .reg .pred p; setp.eq.s32 p, %1, 0; @p ld.global.s32 %0, [%2]; }" : "=r"(at) : "r"(t), "l"(first));
    y[t] = x[at + t];
}

// It leaves the place in shared memory, and the others read it at once.
// expect: unsafe race shared at
// launch: block 32; first 1 values=4; x 36; y 32
KERNEL elected_shared(const int *first, const float *x, float *y)
{
    __shared__ volatile int at;
    int t = threadIdx.x;
    if (t == 0) {
        at = first[0]; // race here
    }
    y[t] = x[at + t]; // race here
}

// expect: safe
// launch: block 32; first 1 values=4; x 36; y 32
KERNEL elected_shared_synced(const int *first, const float *x, float *y)
{
    __shared__ int at;
    int t = threadIdx.x;
    if (t == 0) {
        at = first[0];
    }
    __syncwarp();
    y[t] = x[at + t];
}

// Lanes that have returned are not waited for.
// expect: safe
// launch: block 32; n=20; x 32; y 20
KERNEL returned_lanes(const float *x, float *y, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t >= n) {
        return;
    }
    s[t] = x[t];
    __syncwarp();
    y[t] = s[n - 1 - t];
}

// All lanes store the same value to one place: nobody can tell the order. A note, no race.
// expect: safe note same
// launch: block 32; x 32; y 32
KERNEL same_value(const float *x, float *y)
{
    __shared__ float s[1];
    int t = threadIdx.x;
    float v = x[t];
    for (int k = 16; k > 0; k /= 2) {
        v += __shfl_xor_sync(FULL, v, k);
    }
    s[0] = x[0];
    __syncwarp();
    y[t] = s[0] + v;
}

// Two lanes store sums of the same numbers, made in different order: the same value over the reals.
// expect: safe note same
// launch: block 32; x 2; y 32
KERNEL same_sum(const float *x, float *y)
{
    __shared__ float s[16];
    int t = threadIdx.x;
    s[t / 2] = x[t & 1] + x[1 - (t & 1)];
    __syncwarp();
    y[t] = s[15 - t / 2];
}

// One lane stores another value.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL other_value(const float *x, float *y)
{
    __shared__ float s[1];
    int t = threadIdx.x;
    s[0] = x[t == 31]; // race here
    __syncwarp();
    y[t] = s[0];
}

// All store the same value, and read it with nothing in between: the read may come before another lane's store.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
KERNEL same_value_read(const float *x, float *y)
{
    __shared__ volatile float s[1];
    int t = threadIdx.x;
    s[0] = x[0]; // race here
    y[t] = s[0]; // race here
}

// Lanes come to one __syncwarp with masks that differ, and each waits for lanes that wait for others.
// expect: unsafe deadlock|barrier-divergence
// launch: block 32; x 32; y 32
KERNEL masks_differ(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp(t < 16 ? 0x0000ffffu : 0xffffffffu);
    y[t] = s[t ^ 1];
}

// The same with a shuffle.
// expect: unsafe deadlock|barrier-divergence
// launch: block 32; x 32; y 32
KERNEL shuffle_masks_differ(const float *x, float *y)
{
    int t = threadIdx.x;
    y[t] = __shfl_xor_sync(t < 16 ? 0x0000ffffu : 0xffffffffu, x[t], 1);
}

// Both arms of a branch have their own __syncwarp: lanes wait for a mask, wherever it is named.
// expect: safe
// launch: block 32; x 32; y 32
KERNEL sync_in_both_arms(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 16) {
        asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
        y[t] = s[31 - t];
    } else {
        asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
        y[t] = 2.0f * s[31 - t];
    }
}
