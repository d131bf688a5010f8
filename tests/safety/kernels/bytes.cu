// Accesses of different widths meet byte by byte.

#define KERNEL extern "C" __global__ void
typedef unsigned char byte;

// Threads write neighbouring bytes of one word.
// expect: safe
// launch: block 64; x 64; y 16
KERNEL neighbours(const byte *x, unsigned *y)
{
    __shared__ __align__(4) byte s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 16) {
        y[t] = *(const unsigned *)&s[4 * t];
    }
}

// The word is read while other warps still write its bytes.
// expect: unsafe race shared s
// launch: block 64; x 64; y 16
KERNEL neighbours_bare(const byte *x, unsigned *y)
{
    __shared__ __align__(4) byte s[64];
    int t = threadIdx.x;
    s[t] = x[t]; // race here
    if (t < 16) {
        y[t] = *(volatile unsigned *)&s[4 * t]; // race here
    }
}

// A thread of another warp writes one byte at or beside the four that a word is read from.
// expect: unsafe race shared s
// launch: block 64; at=4; y 1
// expect: unsafe race shared s
// launch: block 64; at=7; y 1
// expect: safe
// launch: block 64; at=3; y 1
// expect: safe
// launch: block 64; at=8; y 1
KERNEL byte_in_word(unsigned *y, int at)
{
    __shared__ __align__(16) volatile byte s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t == 40) {
        s[at] = 1; // race here
    }
    if (t == 0) {
        y[0] = *(volatile unsigned *)&s[4]; // race here
    }
}

// The same for a store of 16 bytes.
// expect: unsafe race shared s
// launch: block 64; at=16; y 64
// expect: unsafe race shared s
// launch: block 64; at=31; y 64
// expect: safe
// launch: block 64; at=15; y 64
// expect: safe
// launch: block 64; at=32; y 64
KERNEL byte_in_vector(byte *y, int at)
{
    __shared__ __align__(16) byte s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t == 40) {
        *(volatile byte *)&s[at] = 1; // race here
    }
    if (t == 0) {
        *(int4 *)&s[16] = make_int4(1, 2, 3, 4); // race here
    }
    __syncthreads();
    y[t] = s[t];
}

// The same in global memory, between blocks: block 1 writes a half word.
// expect: unsafe race global y
// launch: grid 2; block 1; at=2; y 8 inout
// expect: unsafe race global y
// launch: grid 2; block 1; at=3; y 8 inout
// expect: safe
// launch: grid 2; block 1; at=1; y 8 inout
// expect: safe
// launch: grid 2; block 1; at=4; y 8 inout
KERNEL half_in_word(unsigned short *y, int at)
{
    if (blockIdx.x == 0) {
        *(unsigned *)&y[2] = 7; // race here
    } else {
        y[at] = 5; // race here
    }
}

// Vectors of two floats that overlap by half.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64
KERNEL vectors_overlap(const float *x, float *y)
{
    __shared__ __align__(8) float s[66];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 32) {
        *(volatile float *)&s[2 * t + 1] = 1.0f; // race here
    } else {
        volatile float2 *pairs = (volatile float2 *)s;
        pairs[t - 31].y = 2.0f; // race here
    }
    __syncthreads();
    y[t] = s[t];
}

// They lie side by side.
// expect: safe
// launch: block 64; x 64; y 64
KERNEL vectors_alternate(const float *x, float *y)
{
    __shared__ __align__(8) float s[64];
    int t = threadIdx.x;
    float v = x[t];
    if (t < 32) {
        s[2 * t] = v;
    } else {
        s[2 * (t - 32) + 1] = v;
    }
    __syncthreads();
    y[t] = s[63 - t];
}

// Bit fields of one word by two threads: each writes the whole word back.
// expect: unsafe race shared word
// launch: block 2; y 2
KERNEL bit_fields(unsigned *y)
{
    __shared__ volatile unsigned word;
    int t = threadIdx.x;
    if (t == 0) {
        word = 0;
    }
    __syncthreads();
    word |= 1u << t; // race here
    __syncthreads();
    y[t] = word;
}
