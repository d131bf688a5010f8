// Bounds, alignment, initialisation, frame, and outputs that nobody writes.

#define KERNEL extern "C" __global__ void

// expect: safe
// launch: grid 2; block 32; n=50; x 50; y 50
// expect: unsafe out-of-bounds global x
// launch: grid 2; block 32; n=64; x 50; y 64
// expect: unsafe out-of-bounds global y
// launch: grid 2; block 32; n=64; x 64; y 50
KERNEL tail(const float *x, float *y, int n)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    if (i < n) {
        y[i] = x[i];
    }
}

// The test is off by one; it shows where the number of elements is no multiple of the block.
// expect: unsafe out-of-bounds global x
// launch: grid 2; block 32; n=50; x 50; y 50
// expect: safe
// launch: grid 2; block 32; n=64; x 64; y 64
KERNEL tail_off_by_one(const float *x, float *y, int n)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    if (i <= n) {
        y[i] = x[i];
    }
}

// The element before the first.
// expect: unsafe out-of-bounds
// launch: block 32; x 32; y 32
KERNEL before_first(const float *x, float *y)
{
    int t = threadIdx.x;
    y[t] = x[t] - x[t - 1];
}

// A pointer into the middle: what lies before it is still the tensor.
// expect: unsafe out-of-bounds
// launch: block 32; n=33; x 64; y 32
// expect: safe
// launch: block 32; n=32; x 64; y 32
KERNEL from_the_middle(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    const float *middle = x + 32;
    y[t] = middle[t] + middle[t - n];
}

// expect: unsafe out-of-bounds shared s
// launch: block 32; at=1; x 32; y 32
// expect: safe
// launch: block 32; at=0; x 32; y 32
KERNEL shared_static(const float *x, float *y, int at)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    y[t] = s[31 - t + at];
}

// One variable's end is the next one's beginning: reading on is still out of bounds of the block's memory only at the last.
// expect: unsafe out-of-bounds shared
// launch: block 32; x 32; y 32
KERNEL shared_write_beyond(const float *x, float *y)
{
    __shared__ float s[16];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    y[t] = s[t ^ 1];
}

// The size of dynamic shared memory is the launch's.
// expect: safe
// launch: block 32; shared 128; x 32; y 32
// expect: unsafe out-of-bounds shared
// launch: block 32; shared 124; x 32; y 32
KERNEL shared_dynamic(const float *x, float *y)
{
    extern __shared__ float d[];
    int t = threadIdx.x;
    d[t] = x[t];
    __syncwarp();
    y[t] = d[31 - t];
}

// An array of a thread's own, with an index that is known at the launch only.
// expect: safe
// launch: block 4; at=0; x 4; y 4
// expect: unsafe out-of-bounds local
// launch: block 4; at=1; x 4; y 4
KERNEL local_array(const float *x, float *y, int at)
{
    float a[4];
    int t = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 4; i++) {
        a[i] = x[(t + i) % 4];
    }
    y[t] = a[t + at];
}

// expect: safe
// launch: block 4; y 4
// expect: unsafe out-of-bounds const
// launch: block 5; y 5
__constant__ int table[4] = {1, 2, 3, 5};
KERNEL constant(int *y)
{
    int t = threadIdx.x;
    y[t] = table[t];
}

// A variable of the module.
// expect: safe
// launch: block 4; y 4
// expect: unsafe out-of-bounds global
// launch: block 5; y 5
__device__ int primes[4] = {2, 3, 5, 7};
KERNEL module_variable(int *y)
{
    int t = threadIdx.x;
    y[t] = primes[t];
}

// A pointer that is null and may not be used.
// expect: unsafe out-of-bounds
// launch: block 4; n=1; y 4
// expect: safe
// launch: block 4; n=0; y 4
KERNEL null_pointer(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    y[t] = n ? x[t] : 1.0f;
}

// Rows of 6 that lie 8 apart: what is between them belongs to nobody.
// expect: unsafe out-of-bounds global x
// launch: block 8 4; columns=8; x 4,6 strides=8,1; y 4,8 inout
// expect: safe
// launch: block 8 4; columns=6; x 4,6 strides=8,1; y 4,8 inout
KERNEL between_rows(const float *x, float *y, int columns)
{
    int i = 8 * threadIdx.y + threadIdx.x;
    if (threadIdx.x < columns) {
        y[i] = x[i];
    }
}

// Vectors of four floats from an address that is a multiple of 4 bytes only.
// expect: unsafe misaligned global x
// launch: block 8; at=1; x 36; y 32
// expect: unsafe misaligned global x
// launch: block 8; at=2; x 36; y 32
// expect: safe
// launch: block 8; at=4; x 36; y 32
KERNEL vector_load(const float *x, float4 *y, int at)
{
    int t = threadIdx.x;
    y[t] = *(const float4 *)(x + at + 4 * t);
}

// The tensor itself begins at a multiple of 4 bytes only.
// expect: unsafe misaligned global x
// launch: block 8; x 32 align=4; y 32
// expect: safe
// launch: block 8; x 32 align=16; y 32
KERNEL vector_load_base(const float4 *x, float4 *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// expect: unsafe misaligned shared s
// launch: block 8; at=2; x 32; y 40
// expect: safe
// launch: block 8; at=4; x 32; y 40
KERNEL vector_store_shared(const float4 *x, float *y, int at)
{
    __shared__ __align__(16) float s[40];
    int t = threadIdx.x;
    for (int i = t; i < 40; i += 8) {
        s[i] = 0.0f;
    }
    __syncwarp();
    *(float4 *)&s[at + 4 * t] = x[t];
    __syncwarp();
    for (int i = t; i < 40; i += 8) {
        y[i] = s[i];
    }
}

// A double at a multiple of 4.
// expect: unsafe misaligned global x
// launch: block 4; at=1; x 16; y 4
// expect: safe
// launch: block 4; at=2; x 16; y 4
KERNEL double_load(const float *x, double *y, int at)
{
    y[threadIdx.x] = *(const double *)(x + at + 2 * threadIdx.x);
}

// A store to a tensor that the contract calls an input.
// expect: unsafe frame global z
// launch: block 32; z 32 in; y 32
// expect: safe
// launch: block 32; z 32 inout; y 32
// expect: safe
// launch: block 32; z 32 scratch; y 32
KERNEL frame(float *z, float *y)
{
    int t = threadIdx.x;
    z[t] = 1.0f;
    y[t] = 2.0f;
}

// An input that is updated by an atomic.
// expect: unsafe frame global z
// launch: block 32; z 1 in values=0; y 32
KERNEL frame_atomic(int *z, float *y)
{
    atomicAdd(z, 1);
    y[threadIdx.x] = 2.0f;
}

// An output of which the last element is left out.
// expect: unsafe unwritten-output global y
// launch: block 32; n=32; x 32; y 32
// expect: safe
// launch: block 32; n=33; x 32; y 32
KERNEL unwritten(const float *x, float *y, int n)
{
    int t = threadIdx.x;
    if (t < n - 1) {
        y[t] = x[t];
    }
}

// Every second element.
// expect: unsafe unwritten-output global y
// launch: block 32; x 32; y 64
KERNEL unwritten_every_second(const float *x, float *y)
{
    y[2 * threadIdx.x] = x[threadIdx.x];
}

// Half of each element.
// expect: unsafe unwritten-output global y
// launch: block 32; x 32; y 32
KERNEL unwritten_halves(const unsigned short *x, unsigned *y)
{
    ((unsigned short *)y)[2 * threadIdx.x] = x[threadIdx.x];
}

// An output is read before it is written.
// expect: unsafe uninitialized-read global y
// launch: block 32; x 32; y 32
// expect: safe
// launch: block 32; x 32; y 32 inout
KERNEL accumulate(const float *x, float *y)
{
    y[threadIdx.x] += x[threadIdx.x];
}

// A tile of 64 is loaded by the 48 threads of a block, and read whole.
// expect: unsafe uninitialized-read
// launch: block 48; x 64; y 64
// expect: safe
// launch: block 64; x 64; y 64
KERNEL tile_in_part(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int i = t; i < 64; i += blockDim.x) {
        y[i] = s[63 - i];
    }
}

// The same loaded in a loop.
// expect: safe
// launch: block 48; x 64; y 64
KERNEL tile_in_loop(const float *x, float *y)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    for (int i = t; i < 64; i += blockDim.x) {
        s[i] = x[i];
    }
    __syncthreads();
    for (int i = t; i < 64; i += blockDim.x) {
        y[i] = s[63 - i];
    }
}

// What was never written is read, and multiplied away: no, 0 times anything may be NaN. And it is read and not used.
// expect: unsafe uninitialized-read
// launch: block 32; used=1; x 32; y 32
// expect: safe
// launch: block 32; used=0; x 32; y 32
KERNEL uninitialised_unused(const float *x, float *y, int used)
{
    __shared__ volatile float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    float v = s[t + 32];
    y[t] = used ? s[31 - t] + 0.0f * v : s[31 - t];
}

// A place in memory that was never written decides where a thread reads, or whether.
// expect: unsafe uninitialized-read
// launch: block 32; x 32; y 32
KERNEL uninitialised_address(const float *x, float *y)
{
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    if (t < 31) {
        s[t] = t;
    }
    __syncwarp();
    y[t] = x[s[31 - t] & 31];
}

// expect: unsafe uninitialized-read
// launch: block 32; x 32; y 32
KERNEL uninitialised_branch(const float *x, float *y)
{
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    if (t < 31) {
        s[t] = t;
    }
    __syncwarp();
    if (s[31 - t] > 3) {
        y[t] = x[t];
    } else {
        y[31 - t] = 0.0f;
        __syncwarp();
    }
}

// Room for queries of 16 by d, then keys. The room was measured for d = 16: at 32 the keys lie in the queries.
// expect: safe
// launch: block 64; d=16; shared 4096; q 16,d; k 16,d; y 16,d
// expect: unsafe race shared
// launch: block 64; d=32; shared 4096; q 16,d; k 16,d; y 16,d
KERNEL regions_overlap(const float *q, const float *k, float *y, int d)
{
    extern __shared__ float room[];
    float *queries = room, *keys = room + 16 * 16;
    int t = threadIdx.x;
    for (int i = t; i < 16 * d; i += 64) {
        queries[i] = q[i]; // race here
        keys[16 * d - 1 - i] = k[i]; // race here
    }
    __syncthreads();
    for (int i = t; i < 16 * d; i += 64) {
        y[i] = queries[i] + keys[i];
    }
}

// The room is measured by d.
// expect: safe
// launch: block 64; d=16,32; shared 4096; q 16,d; k 16,d; y 16,d
KERNEL regions_apart(const float *q, const float *k, float *y, int d)
{
    extern __shared__ float room[];
    float *queries = room, *keys = room + 16 * d;
    int t = threadIdx.x;
    for (int i = t; i < 16 * d; i += 64) {
        queries[i] = q[i];
        keys[16 * d - 1 - i] = k[i];
    }
    __syncthreads();
    for (int i = t; i < 16 * d; i += 64) {
        y[i] = queries[i] + keys[i];
    }
}

// An index whose product wraps around 2^32 before it is used: a note.
// expect: safe note wrap
// launch: block 32; big=2147483648; x 32; y 32
KERNEL wrapped_index(const float *x, float *y, unsigned big)
{
    unsigned t = threadIdx.x;
    y[t] = x[t + 2u * big * (t + 1)];
}

// A thread's own array of which one element was never written.
// expect: unsafe uninitialized-read
// launch: block 4; at=1; x 4; y 4
// expect: safe
// launch: block 4; at=0; x 4; y 4
KERNEL local_uninitialised(const float *x, float *y, int at)
{
    float a[4];
    int t = threadIdx.x;
#pragma unroll 1
    for (int i = 0; i < 3; i++) {
        a[i] = x[(t + i) % 4];
    }
    y[t] = a[(t < 3 ? t : 0) + (t == 2 ? at : 0)];
}

// Scratch memory holds nothing at the start.
// expect: unsafe uninitialized-read
// launch: block 32; z 32 scratch; y 32
// expect: safe
// launch: block 32; z 32 scratch values=0; y 32
KERNEL scratch_unread(const float *z, float *y)
{
    y[threadIdx.x] = z[threadIdx.x];
}

// A vector of four begins inside and ends outside.
// expect: unsafe out-of-bounds global x
// launch: block 8; x 30; y 32
// expect: unsafe out-of-bounds global y
// launch: block 8; x 32; y 30
// expect: safe
// launch: block 8; x 32; y 32
KERNEL vector_beyond(const float4 *x, float4 *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// A variable of the module is no output of the contract.
// expect: unsafe frame global
// launch: block 4; y 4
__device__ int counter[4];
KERNEL module_variable_write(int *y)
{
    int t = threadIdx.x;
    counter[t] = t;
    y[t] = t;
}

// An atomic at an address that is no multiple of its size.
// expect: unsafe misaligned global z
// launch: block 2; at=2; z 16 inout values=0
// expect: safe
// launch: block 2; at=4; z 16 inout values=0
KERNEL atomic_at(unsigned char *z, int at)
{
    atomicAdd((unsigned *)(z + at), 1u);
}

// An atomic behind the end.
// expect: unsafe out-of-bounds global z
// launch: block 4; z 3 inout values=0
// expect: safe
// launch: block 4; z 4 inout values=0
KERNEL atomic_beyond(int *z)
{
    atomicAdd(&z[threadIdx.x], 1);
}

// The second half of the writes goes beyond its array, into the next one.
// expect: unsafe out-of-bounds shared a
// launch: block 32; x 32; y 32
KERNEL shared_across_variables(const float *x, float *y)
{
    __shared__ float a[16], b[16];
    int t = threadIdx.x;
    if (t < 16) {
        b[t] = x[t];
    }
    __syncthreads();
    a[t] = x[t];
    __syncthreads();
    y[t] = a[t % 16] + b[t % 16];
}

// The same write into two arrays, in bounds of each.
// expect: safe
// launch: block 16; x 16; y 16
KERNEL shared_within_variables(const float *x, float *y)
{
    __shared__ float a[16], b[16];
    int t = threadIdx.x;
    b[15 - t] = x[t];
    a[t] = x[t];
    __syncthreads();
    y[t] = a[15 - t] + b[t];
}

// Two arrays take turns behind one pointer.
// expect: safe
// launch: block 32; n=5; x 32; y 32
KERNEL shared_in_turns(const float *x, float *y, int n)
{
    __shared__ float a[32], b[32];
    int t = threadIdx.x;
    float *now = a, *next = b;
    now[t] = x[t];
    for (int i = 0; i < n; i++) {
        __syncthreads();
        next[t] = now[31 - t] + 1.0f;
        float *other = now;
        now = next;
        next = other;
    }
    __syncthreads();
    y[t] = now[31 - t];
}

// The array that was chosen ends where the other one begins.
// expect: unsafe out-of-bounds shared
// launch: block 32; which=1; x 32; y 32
// expect: safe
// launch: block 16; which=1; x 32; y 32 inout
KERNEL shared_beyond_chosen(const float *x, float *y, int which)
{
    __shared__ float a[16], b[16];
    int t = threadIdx.x;
    a[t % 16] = 0.0f;
    b[t % 16] = 1.0f;
    __syncthreads();
    float *p = which ? a : b;
    y[t] = p[t] + x[t];
}

// A static array, and the dynamic one behind it.
// expect: unsafe out-of-bounds shared head
// launch: block 32; shared 64; x 32; y 32
// expect: safe
// launch: block 16; shared 64; x 16; y 16
KERNEL shared_static_into_dynamic(const float *x, float *y)
{
    __shared__ float head[16];
    extern __shared__ float rest[];
    int t = threadIdx.x;
    head[t] = x[t];
    rest[t % 16] = 1.0f;
    __syncthreads();
    y[t] = rest[t % 16] + head[t % 16];
}

// The last element of one array as the one before the first of the next.
// expect: unsafe out-of-bounds shared right
// launch: block 32; x 32; y 32
KERNEL shared_before_variable(const float *x, float *y)
{
    __shared__ float left[32], right[32];
    int t = threadIdx.x;
    left[t] = x[t];
    right[t] = x[t];
    __syncthreads();
    y[t] = left[t] + right[t - 1];
}

__constant__ float low[16];
__constant__ float high[16];

// expect: unsafe out-of-bounds const low
// launch: block 32; x 32; y 32
// expect: safe
// launch: block 16; x 16; y 16
KERNEL const_across_variables(const float *x, float *y)
{
    int t = threadIdx.x;
    y[t] = x[t] + low[t] * high[t % 16];
}

// The read-only cache does not see what the launch writes, whatever barrier is in between.
// expect: unsupported unsupported-instruction
// launch: block 64; x 64; y 64
KERNEL read_only_cache(const float *x, float *y)
{
    int t = threadIdx.x;
    y[t] = x[t];
    __syncthreads();
    float v = __ldg(&y[63 - t]);
    __syncthreads();
    y[t] = v;
}

// By ordinary reads.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL read_back(const float *x, float *y)
{
    int t = threadIdx.x;
    y[t] = x[t];
    __syncthreads();
    float v = y[63 - t];
    __syncthreads();
    y[t] = v;
}

// What is read through that cache is written afterwards only: the reads have the old values.
// expect: safe
// launch: block 64; y 64 inout
KERNEL read_only_before(float *y)
{
    int t = threadIdx.x;
    float v = __ldg(&y[63 - t]);
    __syncthreads();
    y[t] = v;
}
