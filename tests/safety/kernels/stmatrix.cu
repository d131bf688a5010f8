// arch: sm_90a
// stmatrix, which came with sm_90: it writes exactly the bytes of its rows.

#define KERNEL extern "C" __global__ void
typedef unsigned char byte;
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

#define STMATRIX4(at, v) asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" ::"r"(at), "r"(v) : "memory")
#define STMATRIX1(at, v) asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(v) : "memory")

// Four 8 by 8 matrices of halves, 32 rows of 16 bytes from byte 16 on.
// expect: unsafe race shared s
// launch: block 64; at=16; y 64
// expect: unsafe race shared s
// launch: block 64; at=527; y 64
// expect: safe
// launch: block 64; at=15; y 64
// expect: safe
// launch: block 64; at=528; y 64
KERNEL stmatrix(byte *y, int at)
{
    __shared__ __align__(16) byte s[544];
    int t = threadIdx.x;
    for (int i = t; i < 544; i += 64) {
        s[i] = 0;
    }
    __syncthreads();
    if (t == 40) {
        *(volatile byte *)&s[at] = 0; // race here
    }
    if (t < 32) {
        STMATRIX4(AT(&s[16 + 16 * t]), 0); // race here
    }
    __syncthreads();
    y[t] = s[t];
}

// The lane that stored is not the one that reads: nothing is ordered until the warp meets.
// expect: unsafe race shared s
// launch: block 32; y 32
KERNEL stmatrix_bare(unsigned *y)
{
    __shared__ __align__(16) unsigned s[32];
    int t = threadIdx.x;
    STMATRIX1(AT(&s[4 * (t % 8)]), t); // race here
    y[t] = *(volatile unsigned *)&s[31 - t]; // race here
}

// expect: safe
// launch: block 32; y 32
KERNEL stmatrix_synced(unsigned *y)
{
    __shared__ __align__(16) unsigned s[32];
    int t = threadIdx.x;
    STMATRIX1(AT(&s[4 * (t % 8)]), t);
    __syncwarp();
    y[t] = s[31 - t];
}
