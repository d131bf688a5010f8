// Atomics on shared memory: they do not race with each other, but with everything else.

#define KERNEL extern "C" __global__ void

// A histogram of known keys.
// expect: safe
// launch: block 64; keys 128 values=index; y 16
KERNEL histogram(const int *keys, unsigned *y)
{
    __shared__ unsigned count[16];
    int t = threadIdx.x;
    if (t < 16) {
        count[t] = 0;
    }
    __syncthreads();
    for (int i = t; i < 128; i += 64) {
        atomicAdd(&count[keys[i] % 16], 1u);
    }
    __syncthreads();
    if (t < 16) {
        y[t] = count[t];
    }
}

// The second warp may count before the first has cleared.
// expect: unsafe race shared count
// launch: block 64; keys 128 values=index; y 16
KERNEL histogram_no_first_barrier(const int *keys, unsigned *y)
{
    __shared__ unsigned count[16];
    int t = threadIdx.x;
    if (t < 16) {
        count[t] = 0; // race here
    }
#pragma unroll 1
    for (int i = t; i < 128; i += 64) {
        atomicAdd(&count[keys[i] % 16], 1u); // race here
    }
    __syncthreads();
    if (t < 16) {
        y[t] = count[t];
    }
}

// The counts are read before all have counted.
// expect: unsafe race shared count
// launch: block 64; keys 128 values=index; y 16
KERNEL histogram_no_last_barrier(const int *keys, unsigned *y)
{
    __shared__ unsigned count[16];
    int t = threadIdx.x;
    if (t < 16) {
        count[t] = 0;
    }
    __syncthreads();
#pragma unroll 1
    for (int i = t; i < 128; i += 64) {
        atomicAdd(&count[keys[i] % 16], 1u); // race here
    }
    if (t < 16) {
        y[t] = count[t]; // race here
    }
}

// Counting without atomics.
// expect: unsafe race shared count
// launch: block 64; keys 128 values=index; y 16
KERNEL histogram_plain(const int *keys, unsigned *y)
{
    __shared__ unsigned count[16];
    int t = threadIdx.x;
    if (t < 16) {
        count[t] = 0;
    }
    __syncthreads();
#pragma unroll 1
    for (int i = t; i < 128; i += 64) {
        count[keys[i] % 16] += 1; // race here
    }
    __syncthreads();
    if (t < 16) {
        y[t] = count[t];
    }
}

// Keys from 0 to 127 into 100 counters.
// expect: unsafe out-of-bounds shared count
// launch: block 64; keys 128 values=index; y 100
KERNEL histogram_beyond(const int *keys, unsigned *y)
{
    __shared__ unsigned count[100];
    int t = threadIdx.x;
    for (int i = t; i < 100; i += 64) {
        count[i] = 0;
    }
    __syncthreads();
    for (int i = t; i < 128; i += 64) {
        atomicAdd(&count[keys[i]], 1u);
    }
    __syncthreads();
    for (int i = t; i < 100; i += 64) {
        y[i] = count[i];
    }
}

// The counters are not cleared.
// expect: unsafe uninitialized-read
// launch: block 64; keys 128 values=index; y 16
KERNEL histogram_uncleared(const int *keys, unsigned *y)
{
    __shared__ unsigned count[16];
    int t = threadIdx.x;
    for (int i = t; i < 128; i += 64) {
        atomicAdd(&count[keys[i] % 16], 1u);
    }
    __syncthreads();
    if (t < 16) {
        y[t] = count[t];
    }
}

// A sum of floats: any order gives the same over the reals.
// expect: safe
// launch: block 64; x 64; y 1
KERNEL sum(const float *x, float *y)
{
    __shared__ float total;
    int t = threadIdx.x;
    if (t == 0) {
        total = 0.0f;
    }
    __syncthreads();
    atomicAdd(&total, x[t]);
    __syncthreads();
    if (t == 0) {
        y[0] = total;
    }
}

// A place in a list is taken by an atomic whose result decides where a thread writes.
// expect: unsupported
// launch: block 64; x 64; y 64
KERNEL take_a_place(const float *x, float *y)
{
    __shared__ int used;
    int t = threadIdx.x;
    if (t == 0) {
        used = 0;
    }
    __syncthreads();
    y[atomicAdd(&used, 1)] = x[t];
}

// Only one thread takes places: then the results are known.
// expect: safe
// launch: block 64; x 4; y 4
KERNEL take_places_alone(const float *x, float *y)
{
    __shared__ int used;
    int t = threadIdx.x;
    if (t == 0) {
        used = 0;
        for (int i = 0; i < 4; i++) {
            y[atomicAdd(&used, 1)] = x[i];
        }
    }
}

// Who is last decides a branch.
// expect: unsupported
// launch: block 64; x 64; y 1
KERNEL last_one(const float *x, float *y)
{
    __shared__ int done;
    int t = threadIdx.x;
    if (t == 0) {
        done = 0;
    }
    __syncthreads();
    if (atomicAdd(&done, 1) == 63) {
        y[0] = x[0];
    }
}

// An addition and an exchange of one cell with nothing between them.
// expect: unsupported
// launch: block 64; y 1
KERNEL add_and_exchange(int *y)
{
    __shared__ int cell;
    int t = threadIdx.x;
    if (t == 0) {
        cell = 0;
    }
    __syncthreads();
    if (t < 32) {
        atomicAdd(&cell, 1);
    } else {
        atomicExch(&cell, 7);
    }
    __syncthreads();
    if (t == 0) {
        y[0] = cell;
    }
}

// With a barrier between them.
// expect: safe
// launch: block 64; y 1
KERNEL exchange_then_add(int *y)
{
    __shared__ int cell;
    int t = threadIdx.x;
    if (t == 0) {
        atomicExch(&cell, 7);
    }
    __syncthreads();
    if (t < 32) {
        atomicAdd(&cell, 1);
    }
    __syncthreads();
    if (t == 0) {
        y[0] = cell;
    }
}

// Atomics of two widths on the same bytes.
// expect: unsafe race shared cell
// launch: block 64; y 1
KERNEL two_widths(unsigned long long *y)
{
    __shared__ unsigned long long cell;
    int t = threadIdx.x;
    if (t == 0) {
        cell = 0;
    }
    __syncthreads();
    if (t < 32) {
        atomicAdd(&cell, 1ull); // race here
    } else {
        atomicAdd((unsigned *)&cell, 1u); // race here
    }
    __syncthreads();
    if (t == 0) {
        y[0] = cell;
    }
}

// An atomic and a plain store of one cell.
// expect: unsafe race shared cell
// launch: block 64; y 1
KERNEL atomic_and_store(int *y)
{
    __shared__ int cell;
    int t = threadIdx.x;
    if (t == 0) {
        cell = 0;
    }
    __syncthreads();
    if (t < 32) {
        atomicAdd(&cell, 1); // race here
    } else if (t == 32) {
        *(volatile int *)&cell = 5; // race here
    }
    __syncthreads();
    if (t == 0) {
        y[0] = cell;
    }
}
