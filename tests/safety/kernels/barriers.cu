// Barriers of the whole block: needed ones, missing ones, and ones that not all threads reach.

#define KERNEL extern "C" __global__ void

// Elements change places through shared memory.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL exchange(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[63 - t];
}

// The same without its barrier.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL exchange_bare(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];      // race here
    y[t] = s[63 - t]; // race here
}

// A fence is no barrier.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL exchange_fence(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    __threadfence_block();
    y[t] = s[63 - t]; // race here
}

// Volatile accesses order nothing between threads.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL exchange_volatile(const float *x, float *y)
{
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    s[t] = x[t];      // race here
    y[t] = s[63 - t]; // race here
}

// A loop needs two barriers: one before the reads, one before the next writes.
// expect: safe
// launch: block 64; n=3; x 192; y 64
KERNEL loop_two_barriers(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; i++) {
        s[t] = x[64 * i + t];
        __syncthreads();
        sum += s[63 - t];
        __syncthreads();
    }
    y[t] = sum;
}

// Only the barrier before the reads: the next round writes what others still read. One round alone is fine.
// expect: unsafe race shared s
// launch: block 64; n=3; x 192; y 64
// expect: safe
// launch: block 64; n=1; x 64; y 64
KERNEL loop_one_barrier(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        s[t] = x[64 * i + t]; // race here
        __syncthreads();
        sum += s[63 - t]; // race here
    }
    y[t] = sum;
}

// One barrier a round is enough where rounds take turns between two buffers.
// expect: safe
// launch: block 64; n=4; x 256; y 64
KERNEL loop_two_buffers(const float *x, float *y, int n)
{
    __shared__ float s[2][64];
    int t = threadIdx.x;
    float sum = 0.0f;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        s[i & 1][t] = x[64 * i + t];
        __syncthreads();
        sum += s[i & 1][63 - t];
    }
    y[t] = sum;
}

// All read the scalar of a round; a barrier keeps the next one from overwriting it.
// expect: safe
// launch: block 64; n=3; x 3; y 64
KERNEL broadcast(const float *x, float *y, int n)
{
    __shared__ float scale;
    float product = 1.0f;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0) {
            scale = x[i];
        }
        __syncthreads();
        product *= scale;
        __syncthreads();
    }
    y[threadIdx.x] = product;
}

// Without that barrier the next round overwrites the scalar.
// expect: unsafe race shared scale
// launch: block 64; n=2; x 3; y 64
// expect: safe
// launch: block 64; n=1; x 3; y 64
KERNEL broadcast_overwritten(const float *x, float *y, int n)
{
    __shared__ float scale;
    float product = 1.0f;
#pragma unroll 1
    for (int i = 0; i < n; i++) {
        if (threadIdx.x == 0) {
            scale = x[i]; // race here
        }
        __syncthreads();
        product *= scale; // race here
    }
    y[threadIdx.x] = product;
}

// Sum of a block of 64: each warp leaves its part in shared memory, and all threads add the two parts.
#define WARP_SUM(v)                                            \
    for (int k = 16; k > 0; k /= 2) {                          \
        v += __shfl_xor_sync(0xffffffffu, v, k);               \
    }

// Two reductions use the same scratch with a barrier between them.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL scratch_twice(const float *x, float *y)
{
    __shared__ float part[2];
    int t = threadIdx.x;
    float a = x[t], b = x[t] * x[t];
    WARP_SUM(a);
    WARP_SUM(b);
    if (t % 32 == 0) {
        part[t / 32] = a;
    }
    __syncthreads();
    float mean = part[0] + part[1];
    __syncthreads();
    if (t % 32 == 0) {
        part[t / 32] = b;
    }
    __syncthreads();
    y[t] = mean - part[0] - part[1];
}

// Two reductions with nothing between them: the second writes what the first still reads.
// expect: unsafe race shared part
// launch: block 64; x 64; y 64
KERNEL scratch_twice_bare(const float *x, float *y)
{
    __shared__ float part[2];
    int t = threadIdx.x;
    float a = x[t], b = x[t] * x[t];
    WARP_SUM(a);
    WARP_SUM(b);
    if (t % 32 == 0) {
        part[t / 32] = a;
    }
    __syncthreads();
    float mean = part[0] + part[1]; // race here
    if (t % 32 == 0) {
        part[t / 32] = b; // race here
    }
    __syncthreads();
    y[t] = mean - part[0] - part[1];
}

// The scratch of each reduction is its own: nothing is needed between them.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL scratch_of_its_own(const float *x, float *y)
{
    __shared__ float part[4];
    int t = threadIdx.x;
    float a = x[t], b = x[t] * x[t];
    WARP_SUM(a);
    WARP_SUM(b);
    if (t % 32 == 0) {
        part[t / 32] = a;
    }
    __syncthreads();
    float mean = part[0] + part[1];
    if (t % 32 == 0) {
        part[2 + t / 32] = b;
    }
    __syncthreads();
    y[t] = mean - part[2] - part[3];
}

// A tile is reused from the second on: with one tile nothing shows.
// expect: unsafe race shared tile
// launch: block 16 4; tiles=2; x 128; y 64
// expect: safe
// launch: block 16 4; tiles=1; x 64; y 64
KERNEL second_tile(const float *x, float *y, int tiles)
{
    __shared__ float tile[4][16];
    int c = threadIdx.x, r = threadIdx.y;
    float sum = 0.0f;
    tile[r][c] = x[16 * r + c];
    __syncthreads();
    sum += tile[3 - r][c]; // race here
#pragma unroll 1
    for (int k = 1; k < tiles; k++) {
        tile[r][c] = x[64 * k + 16 * r + c]; // race here
        __syncthreads();
        sum += tile[3 - r][c];
    }
    y[16 * r + c] = sum;
}

// The same with a barrier before each reuse.
// expect: safe
// launch: block 16 4; tiles=3; x 192; y 64
KERNEL second_tile_kept(const float *x, float *y, int tiles)
{
    __shared__ float tile[4][16];
    int c = threadIdx.x, r = threadIdx.y;
    float sum = 0.0f;
    tile[r][c] = x[16 * r + c];
    __syncthreads();
    sum += tile[3 - r][c];
#pragma unroll 1
    for (int k = 1; k < tiles; k++) {
        __syncthreads();
        tile[r][c] = x[64 * k + 16 * r + c];
        __syncthreads();
        sum += tile[3 - r][c];
    }
    y[16 * r + c] = sum;
}

// A grid-stride loop whose buffer is safe as long as it runs once.
// expect: safe
// launch: grid 2; block 64; n=128; x 128; y 128
// expect: unsafe race shared s
// launch: grid 2; block 64; n=256; x 256; y 256
KERNEL grid_stride(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
#pragma unroll 1
    for (int base = 64 * blockIdx.x; base < n; base += 64 * gridDim.x) {
        s[t] = x[base + t]; // race here
        __syncthreads();
        y[base + t] = s[63 - t]; // race here
    }
}

// The same with a barrier at the end of each round.
// expect: safe
// launch: grid 2; block 64; n=256; x 256; y 256
KERNEL grid_stride_kept(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
#pragma unroll 1
    for (int base = 64 * blockIdx.x; base < n; base += 64 * gridDim.x) {
        s[t] = x[base + t];
        __syncthreads();
        y[base + t] = s[63 - t];
        __syncthreads();
    }
}

// Warp 0 fills a table that all read.
// expect: safe
// launch: block 96; x 32; y 96
KERNEL init_by_warp0(const float *x, float *y)
{
    __shared__ float table[32];
    int t = threadIdx.x;
    if (t < 32) {
        table[t] = x[t];
    }
    __syncthreads();
    y[t] = table[t % 32];
}

// Only warp 0 knows that it is full.
// expect: unsafe race shared table
// launch: block 96; x 32; y 96
KERNEL init_by_warp0_bare(const float *x, float *y)
{
    __shared__ float table[32];
    int t = threadIdx.x;
    if (t < 32) {
        table[t] = x[t]; // race here
    }
    __syncwarp();
    y[t] = table[t % 32]; // race here
}

// A barrier under a condition on threadIdx.y that splits a warp of a block of 8 by 8.
// expect: unsafe barrier-divergence|deadlock
// launch: block 8 8; x 64; y 64
KERNEL condition_on_y(const float *x, float *y)
{
    __shared__ float s[64];
    int t = 8 * threadIdx.y + threadIdx.x;
    s[t] = x[t];
    if (threadIdx.y < 2) {
        __syncthreads();
        s[t] += 1.0f;
    }
    __syncthreads();
    y[t] = s[63 - t];
}

// The same condition where it holds for all threads of the block or for none.
// expect: safe
// launch: block 8 8; rows=8; x 64; y 64
// expect: safe
// launch: block 8 8; rows=2; x 64; y 64
KERNEL condition_of_the_block(const float *x, float *y, int rows)
{
    __shared__ float s[64];
    int t = 8 * threadIdx.y + threadIdx.x;
    s[t] = x[t];
    if (rows > 4) {
        __syncthreads();
        s[t] += 1.0f;
    }
    __syncthreads();
    y[t] = s[63 - t];
}

// Each thread meets as many barriers as its number says.
// expect: unsafe barrier-divergence|deadlock
// launch: block 32; x 32; y 32
KERNEL barriers_by_thread(const float *x, float *y)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
#pragma unroll 1
    for (int i = 0; i < t; i++) {
        __syncthreads();
    }
    s[t] += 1.0f;
    __syncthreads();
    y[t] = s[31 - t];
}

// Half of a warp goes through a barrier of its own in the other arm.
// expect: unsafe barrier-divergence|deadlock
// launch: block 64; x 64; y 64
KERNEL barrier_in_both_arms(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t % 2 == 0) {
        __syncthreads();
        y[t] = s[63 - t];
    } else {
        __syncthreads();
        y[t] = 2.0f * s[63 - t];
    }
}

// Threads that have no element leave before the barrier, which does not wait for them.
// expect: safe
// launch: block 64; n=48; x 48; y 48
// expect: safe
// launch: block 64; n=33; x 48; y 33
KERNEL early_return(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t >= n) {
        return;
    }
    s[t] = x[t];
    __syncthreads();
    y[t] = s[n - 1 - t];
}

// The same, if barriers wait for threads that returned, too.
// expect: unsafe deadlock
// launch: block 64; n=48; x 48; y 48; assume exited_threads_block_barriers
// expect: safe
// launch: block 64; n=64; x 64; y 64; assume exited_threads_block_barriers
KERNEL early_return_assumed(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t >= n) {
        return;
    }
    s[t] = x[t];
    __syncthreads();
    y[t] = s[n - 1 - t];
}

// A thread that left early was to write an element that the others read.
// expect: unsafe uninitialized-read
// launch: block 64; n=48; x 48; y 48
KERNEL early_return_misses(const float *x, float *y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t >= n) {
        return;
    }
    s[t] = x[t];
    __syncthreads();
    y[t] = s[63 - t];
}

// Blocks of 33 and of 48 threads: the last warp is not full.
// expect: safe
// launch: block 33; x 33; y 33
// expect: safe
// launch: block 48; x 48; y 48
KERNEL odd_block(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[n - 1 - t];
}

// With 33 threads thread 32 is alone in its warp, and only it races with thread 0.
// expect: unsafe race shared s
// launch: block 33; x 33; y 33
// expect: unsafe race shared s
// launch: block 48; x 48; y 48
KERNEL odd_block_bare(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = x[t]; // race here
    __syncwarp();
    y[t] = s[n - 1 - t]; // race here
}

// What __syncthreads_count counts is known to all, and it is a barrier as well.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL counting_barrier(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    int odd = __syncthreads_count(t & 1);
    y[t] = s[(t + odd) & 63];
}
