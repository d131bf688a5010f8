// Blocks are never ordered within a launch; and tensors share memory where the contract says so.

#define KERNEL extern "C" __global__ void

// expect: safe
// launch: grid 3; block 32; n=80; x 80; y 80
KERNEL own_elements(const float *x, float *y, int n)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    if (i < n) {
        y[i] = 2.0f * x[i];
    }
}

// The blocks' stretches overlap by one element, and each writes its own value there.
// expect: unsafe race global y
// launch: grid 3; block 33; x 99; y 97
KERNEL stretches_overlap(const float *x, float *y)
{
    int t = threadIdx.x;
    y[32 * blockIdx.x + t] = x[33 * blockIdx.x + t]; // race here
}

// Every block writes one cell. With one block nothing is wrong.
// expect: unsafe race global y
// launch: grid 2; block 32; x 64; y 1
// expect: safe
// launch: grid 1; block 32; x 64; y 1
KERNEL one_cell(const float *x, float *y)
{
    if (threadIdx.x == 0) {
        y[0] = x[blockIdx.x]; // race here
    }
}

// Every block writes the same value to one cell: between blocks that is a race whatever is written.
// expect: unsafe race global y
// launch: grid 2; block 32; x 64; y 1
KERNEL one_cell_same(const float *x, float *y)
{
    if (threadIdx.x == 0) {
        y[0] = 2.0f * x[0]; // race here
    }
}

// A block reads what its neighbour writes; barriers do not reach that far.
// expect: unsafe race global y
// launch: grid 2; block 32; n=64; y 64 inout
// expect: safe
// launch: grid 1; block 32; n=32; y 32 inout
KERNEL shift_in_place(float *y, int n)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    float v = i + 1 < n ? y[i + 1] : 0.0f; // race here
    __syncthreads();
    y[i] = v; // race here
}

// One block tells the other through memory, with fences: the tool knows no such order.
// expect: unsupported unsupported-instruction
// launch: grid 2; block 1; flag 1 inout values=0; z 1 scratch; y 1
KERNEL flag_between_blocks(volatile int *flag, volatile float *z, float *y)
{
    if (blockIdx.x == 0) {
        z[0] = 1.0f;
        __threadfence();
        flag[0] = 1;
    } else {
        int seen = flag[0];
        __threadfence();
        y[0] = z[0] + seen;
    }
}

// The same by a release and an acquire, which order more than the tool can follow.
// expect: unsupported unsupported-instruction
// launch: grid 2; block 1; flag 1 inout values=0; z 1 scratch; y 1
KERNEL release_acquire(int *flag, float *z, float *y)
{
    if (blockIdx.x == 0) {
        z[0] = 1.0f;
        asm volatile("st.release.gpu.global.s32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        int seen;
        do {
            asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        } while (seen == 0);
        y[0] = z[0];
    }
}

// A barrier of the whole grid, made of a counter in memory: it orders blocks in a way that is not followed.
// expect: unsupported unsupported-instruction
// launch: grid 2; block 32; n=2; count 1 inout values=0; x 64; z 64 scratch; y 64
KERNEL grid_barrier(unsigned *count, const float *x, float *z, float *y, int n)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    z[i] = x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < n) {
        }
        __threadfence();
    }
    __syncthreads();
    y[i] = z[63 - i];
}

// The same that polls by volatile reads.
// expect: unsupported unsupported-instruction
// launch: grid 2; block 32; n=2; count 1 inout values=0; x 64; z 64 scratch; y 64
KERNEL grid_barrier_polled(unsigned *count, const float *x, float *z, float *y, int n)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    z[i] = x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile unsigned *)count < n) {
        }
        __threadfence();
    }
    __syncthreads();
    y[i] = z[63 - i];
}

// Sums of blocks meet in one cell by atomics.
// expect: safe
// launch: grid 2; block 32; x 64; y 1 inout
KERNEL atomic_sum(const float *x, float *y)
{
    atomicAdd(y, x[32 * blockIdx.x + threadIdx.x]);
}

// Atomics that only a block sees.
// expect: unsafe race global y
// launch: grid 2; block 32; x 64; y 1 inout
// expect: safe
// launch: grid 1; block 32; x 64; y 1 inout
KERNEL atomic_sum_block(const float *x, float *y)
{
    atomicAdd_block(y, x[32 * blockIdx.x + threadIdx.x]); // race here
}

// One of the updates is no atomic.
// expect: unsafe race global y
// launch: grid 2; block 32; x 64; y 1 inout
KERNEL atomic_and_plain(const float *x, float *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        y[0] += 1.0f; // race here
    } else {
        atomicAdd(y, x[32 * blockIdx.x + threadIdx.x]); // race here
    }
}

// A cell that one block reads while others add to it.
// expect: unsafe race global z
// launch: grid 2; block 32; x 64; z 1 inout; y 1
KERNEL atomic_and_read(const float *x, float *z, float *y)
{
    atomicAdd(z, x[32 * blockIdx.x + threadIdx.x]); // race here
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        y[0] = *(volatile float *)z; // race here
    }
}

// x and y are one buffer. Each thread changes its own element.
// expect: safe
// launch: grid 2; block 32; x 64; y 64 inout; alias x y
KERNEL in_place(const float *x, float *y)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    y[i] = 2.0f * x[i];
}

// Each thread reads its neighbour's: fine while x and y are apart.
// expect: safe
// launch: grid 2; block 32; x 64; y 64 inout
// expect: unsafe race global
// launch: grid 2; block 32; x 64; y 64 inout; alias x y
KERNEL in_place_neighbour(const float *x, float *y)
{
    int i = 32 * blockIdx.x + threadIdx.x;
    y[i] = 2.0f * x[i ^ 1]; // race here
}

// All read before any writes, in one block.
// expect: safe
// launch: grid 1; block 64; x 64; y 64 inout; alias x y
// expect: unsafe race global
// launch: grid 2; block 64; x 128; y 128 inout; alias x y
KERNEL in_place_reversed(const float *x, float *y)
{
    int n = 64 * gridDim.x, i = 64 * blockIdx.x + threadIdx.x;
    float v = x[n - 1 - i]; // race here
    __syncthreads();
    y[i] = v; // race here
}

// A sum of neighbours in place, through a tile with a halo: the halo belongs to the next block.
// expect: safe
// launch: grid 2; block 32; n=64; x 64; y 64 inout
// expect: unsafe race global
// launch: grid 2; block 32; n=64; x 64; y 64 inout; alias x y
KERNEL stencil(const float *x, float *y, int n)
{
    __shared__ float s[33];
    int t = threadIdx.x, i = 32 * blockIdx.x + t;
    s[t] = x[i];
    if (t == 31) {
        s[32] = i + 1 < n ? x[i + 1] : 0.0f; // race here
    }
    __syncthreads();
    y[i] = s[t] + s[t + 1]; // race here
}

// Only one block of the two that meet is run: what is checked is said in the coverage.
// expect: safe
// launch: grid 2; block 32; x 64; y 1; ctas 0,0,0
KERNEL one_cell_one_block(const float *x, float *y)
{
    if (threadIdx.x == 0) {
        y[0] = x[blockIdx.x];
    }
}
