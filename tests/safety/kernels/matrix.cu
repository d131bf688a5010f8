// Matrix instructions touch exactly the bytes of their tile: a byte written by another warp (or before the wait) races with its
// first and its last byte, and with neither neighbour.
#include <mma.h>
using namespace nvcuda;

#define KERNEL extern "C" __global__ void
typedef unsigned char byte;
#define AT(p) ((unsigned)__cvta_generic_to_shared(p))
#define FILL                                                   \
    for (int i = threadIdx.x; i < (int)sizeof(s); i += blockDim.x) { \
        s[i] = 0;                                              \
    }                                                          \
    __syncthreads();
#define LDMATRIX4(a, b, c, d, at)                              \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" \
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)         \
                 : "r"(at))
#define LDMATRIX1(a, at) asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(at))
#define COPY16(to, from) asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(AT(to)), "l"(from) : "memory")
// Another warp than the one that works on the tile.
#define INTRUDE                                                \
    if (threadIdx.x == 40) {                                   \
        *(volatile byte *)&s[at] = 0;                          \
    }

// A tile of 16 by 16 halves is loaded from byte 32 on: 512 bytes.
// expect: unsafe race shared s
// launch: block 64; at=32; y 32
// expect: unsafe race shared s
// launch: block 64; at=543; y 32
// expect: safe
// launch: block 64; at=31; y 32
// expect: safe
// launch: block 64; at=544; y 32
KERNEL wmma_load(float *y, int at)
{
    __shared__ __align__(32) byte s[576];
    FILL
    INTRUDE // race here
    if (threadIdx.x < 32) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::load_matrix_sync(a, (const half *)&s[32], 16); // race here
        y[threadIdx.x] = __half2float(a.x[0]) + __half2float(a.x[15]) + __half2float(a.x[7]) + __half2float(a.x[8]);
    }
}

// Rows of 32 bytes that lie 48 apart: what is between them is not read.
// expect: unsafe race shared s
// launch: block 64; at=63; y 32
// expect: safe
// launch: block 64; at=64; y 32
// expect: safe
// launch: block 64; at=79; y 32
// expect: unsafe race shared s
// launch: block 64; at=80; y 32
KERNEL wmma_load_strided(float *y, int at)
{
    __shared__ __align__(32) byte s[32 + 16 * 48];
    FILL
    INTRUDE // race here
    if (threadIdx.x < 32) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
        wmma::load_matrix_sync(a, (const half *)&s[32], 24); // race here
        y[threadIdx.x] = __half2float(a.x[0]) + __half2float(a.x[15]) + __half2float(a.x[7]) + __half2float(a.x[8]);
    }
}

// A tile of 16 by 16 floats is stored from byte 32 on: 1024 bytes.
// expect: unsafe race shared s
// launch: block 64; at=32; y 64
// expect: unsafe race shared s
// launch: block 64; at=1055; y 64
// expect: safe
// launch: block 64; at=31; y 64
// expect: safe
// launch: block 64; at=1056; y 64
KERNEL wmma_store(byte *y, int at)
{
    __shared__ __align__(32) byte s[1088];
    FILL
    INTRUDE // race here
    if (threadIdx.x < 32) {
        wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
        wmma::fill_fragment(c, 0.0f);
        wmma::store_matrix_sync((float *)&s[32], c, 16, wmma::mem_row_major); // race here
    }
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}

// Four 8 by 8 matrices of halves, 32 rows of 16 bytes from byte 16 on.
// expect: unsafe race shared s
// launch: block 64; at=16; y 32
// expect: unsafe race shared s
// launch: block 64; at=527; y 32
// expect: safe
// launch: block 64; at=15; y 32
// expect: safe
// launch: block 64; at=528; y 32
KERNEL ldmatrix(unsigned *y, int at)
{
    __shared__ __align__(16) byte s[544];
    FILL
    INTRUDE // race here
    if (threadIdx.x < 32) {
        unsigned a, b, c, d;
        LDMATRIX4(a, b, c, d, AT(&s[16 + 16 * threadIdx.x])); // race here
        y[threadIdx.x] = a + b + c + d;
    }
}

// Rows 32 bytes apart: the gaps are not read.
// expect: safe
// launch: block 64; at=32; y 32
// expect: unsafe race shared s
// launch: block 64; at=48; y 32
// expect: unsafe race shared s
// launch: block 64; at=31; y 32
KERNEL ldmatrix_strided(unsigned *y, int at)
{
    __shared__ __align__(16) byte s[16 + 32 * 32];
    FILL
    INTRUDE // race here
    if (threadIdx.x < 32) {
        unsigned a, b, c, d;
        LDMATRIX4(a, b, c, d, AT(&s[16 + 32 * threadIdx.x])); // race here
        y[threadIdx.x] = a + b + c + d;
    }
}

// One matrix: only the rows of lanes 0 to 7 count.
// expect: unsafe race shared s
// launch: block 64; at=143; y 32
// expect: safe
// launch: block 64; at=144; y 32
KERNEL ldmatrix_one(unsigned *y, int at)
{
    __shared__ __align__(16) byte s[544];
    FILL
    INTRUDE // race here
    if (threadIdx.x < 32) {
        unsigned a;
        LDMATRIX1(a, AT(&s[16 + 16 * threadIdx.x])); // race here
        y[threadIdx.x] = a;
    }
}

// The lanes of a product store its 16 by 8 floats from byte 16 on: 512 bytes.
// expect: unsafe race shared s
// launch: block 64; at=16; y 64
// expect: unsafe race shared s
// launch: block 64; at=527; y 64
// expect: safe
// launch: block 64; at=15; y 64
// expect: safe
// launch: block 64; at=528; y 64
KERNEL mma_stores(byte *y, int at)
{
    __shared__ __align__(16) byte s[544];
    FILL
    INTRUDE // race here
    if (threadIdx.x < 32) {
        float c[4] = {0.0f, 0.0f, 0.0f, 0.0f};
        asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%4}, {%0, %1, %2, %3};"
                     : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                     : "r"(0));
        float2 *tile = (float2 *)&s[16];
        float2 upper = make_float2(c[0], c[1]), lower = make_float2(c[2], c[3]);
        tile[threadIdx.x] = upper, tile[32 + threadIdx.x] = lower; // race here
    }
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x % 16];
}

// 32 copies of 16 bytes from byte 16 on.
// expect: unsafe race shared s
// launch: block 64; at=16; x 512; y 64
// expect: unsafe race shared s
// launch: block 64; at=527; x 512; y 64
// expect: safe
// launch: block 64; at=15; x 512; y 64
// expect: safe
// launch: block 64; at=528; x 512; y 64
KERNEL copies(const byte *x, byte *y, int at)
{
    __shared__ __align__(16) byte s[544];
    FILL
    INTRUDE // race here
    if (threadIdx.x < 32) {
        COPY16(&s[16 + 16 * threadIdx.x], x + 16 * threadIdx.x); // race here
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}

// The byte is one that the copies read.
// expect: unsafe race global x
// launch: block 64; at=16; x 544 inout; y 64
// expect: unsafe race global x
// launch: block 64; at=527; x 544 inout; y 64
// expect: safe
// launch: block 64; at=15; x 544 inout; y 64
// expect: safe
// launch: block 64; at=528; x 544 inout; y 64
KERNEL copies_source(byte *x, byte *y, int at)
{
    __shared__ __align__(16) byte s[512];
    if (threadIdx.x == 40) {
        x[at] = 0; // race here
    }
    if (threadIdx.x < 32) {
        COPY16(&s[16 * threadIdx.x], x + 16 + 16 * threadIdx.x); // race here
        asm volatile("cp.async.wait_all;" ::: "memory");
    }
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x];
}

// A row of a matrix that is not aligned to 16 bytes.
// expect: unsafe misaligned
// launch: block 32; at=8; y 32
// expect: safe
// launch: block 32; at=16; y 32
// expect: unsafe out-of-bounds shared s
// launch: block 32; at=32; y 32
KERNEL ldmatrix_at(unsigned *y, int at)
{
    __shared__ __align__(16) byte s[144];
    FILL
    unsigned a;
    LDMATRIX1(a, AT(&s[at + 16 * (threadIdx.x % 8)]));
    y[threadIdx.x] = a;
}

// A part of the lanes stays away from a matrix instruction, or has returned.
// expect: unsafe barrier-divergence|deadlock
// launch: block 32; n=16; y 32
// expect: unsafe barrier-divergence
// launch: block 16; n=32; y 16
// expect: safe
// launch: block 32; n=32; y 32
KERNEL ldmatrix_lanes(unsigned *y, int n)
{
    __shared__ __align__(16) byte s[128];
    FILL
    unsigned a = 0;
    if (threadIdx.x < n) {
        LDMATRIX1(a, AT(&s[16 * (threadIdx.x % 8)]));
    }
    __syncthreads();
    y[threadIdx.x] = a;
}

// Only a part of the tile was written before it is loaded whole.
// expect: unsafe uninitialized-read
// launch: block 32; rows=7; y 32
// expect: safe
// launch: block 32; rows=8; y 32
KERNEL ldmatrix_part(unsigned *y, int rows)
{
    __shared__ __align__(16) unsigned s[32];
    int t = threadIdx.x;
    if (t < 4 * rows) {
        s[t] = t;
    }
    __syncwarp();
    unsigned a;
    LDMATRIX1(a, AT(&s[4 * (t % 8)]));
    y[t] = a;
}

// ldmatrix orders the lanes of its warp only where the contract assumes so.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
// expect: safe
// launch: block 32; x 32; y 32; assume warp_collectives_order_memory
KERNEL ldmatrix_between(const float *x, float *y)
{
    __shared__ __align__(16) float tile[128];
    __shared__ float s[32];
    int t = threadIdx.x;
    for (int i = t; i < 128; i += 32) {
        tile[i] = 0.0f;
    }
    __syncwarp();
    s[t] = x[t]; // race here
    unsigned a, b, c, d;
    LDMATRIX4(a, b, c, d, AT(&tile[4 * t]));
    asm volatile("" ::: "memory");
    y[t] = s[31 - t] + (float)(a + b + c + d == 1); // race here
}

// The same of its own tile: what it reads was written before it, and is written again behind it.
// expect: unsafe race shared tile
// launch: block 32; y 32
// expect: safe
// launch: block 32; y 32; assume warp_collectives_order_memory
KERNEL ldmatrix_of_fresh_tile(float *y)
{
    __shared__ __align__(16) float tile[128];
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        tile[4 * t + i] = 1.0f; // race here
    }
    unsigned a, b, c, d;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(AT(&tile[4 * t])) : "memory"); // race here
    tile[t] = 2.0f; // race here
    y[t] = (float)(a + b + c + d == 1);
}

// Two warps: the assumption is about one.
// expect: unsafe race shared s
// launch: block 64; x 64; y 64; assume warp_collectives_order_memory
KERNEL ldmatrix_between_warps(const float *x, float *y)
{
    __shared__ __align__(16) float tile[128];
    __shared__ float s[64];
    int t = threadIdx.x;
    for (int i = t; i < 128; i += 64) {
        tile[i] = 0.0f;
    }
    __syncthreads();
    s[t] = x[t]; // race here
    unsigned a, b, c, d;
    LDMATRIX4(a, b, c, d, AT(&tile[4 * (t % 32)]));
    asm volatile("" ::: "memory");
    y[t] = s[63 - t] + (float)(a + b + c + d == 1); // race here
}

// wmma.load and wmma.store do, too.
// expect: unsafe race shared s
// launch: block 32; x 32; y 32
// expect: safe
// launch: block 32; x 32; y 32; assume warp_collectives_order_memory
KERNEL wmma_load_between(const float *x, float *y)
{
    __shared__ __align__(32) half tile[256];
    __shared__ float s[32];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) {
        tile[i] = __float2half(0.0f);
    }
    __syncwarp();
    s[t] = x[t]; // race here
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
    wmma::load_matrix_sync(a, tile, 16);
    asm volatile("" ::: "memory");
    y[t] = s[31 - t] + __half2float(a.x[0]); // race here
}

// expect: unsafe race shared s
// launch: block 32; x 32; y 32
// expect: safe
// launch: block 32; x 32; y 32; assume warp_collectives_order_memory
KERNEL wmma_store_between(const float *x, float *y)
{
    __shared__ __align__(32) float tile[256];
    __shared__ float s[32];
    int t = threadIdx.x;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
    wmma::fill_fragment(c, 1.0f);
    s[t] = x[t]; // race here
    asm volatile("" ::: "memory");
    wmma::store_matrix_sync(tile, c, 16, wmma::mem_row_major);
    asm volatile("" ::: "memory");
    y[t] = s[31 - t]; // race here
}
