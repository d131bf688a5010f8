// Shared memory laid out so that banks do not conflict: right layouts, and ones that fold two elements into one place.

#define KERNEL extern "C" __global__ void

// A transpose through a tile whose columns are permuted by the row.
// expect: safe
// launch: block 16 4; x 16,16; y 16,16
KERNEL xor_transpose(const float *x, float *y)
{
    __shared__ float s[16][16];
    int c = threadIdx.x;
    for (int r = threadIdx.y; r < 16; r += 4) {
        s[r][c ^ r] = x[16 * r + c];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 16; r += 4) {
        y[16 * r + c] = s[c][r ^ c];
    }
}

// expect: unsafe race shared s
// launch: block 16 4; x 16,16; y 16,16
KERNEL xor_transpose_bare(const float *x, float *y)
{
    __shared__ float s[16][16];
    int c = threadIdx.x;
#pragma unroll 1
    for (int r = threadIdx.y; r < 16; r += 4) {
        s[r][c ^ r] = x[16 * r + c]; // race here
    }
#pragma unroll 1
    for (int r = threadIdx.y; r < 16; r += 4) {
        y[16 * r + c] = s[c][r ^ c]; // race here
    }
}

// An "or" in place of the exclusive one folds columns together.
// expect: unsafe race shared s
// launch: block 16 4; x 16,16; y 16,16
KERNEL or_transpose(const float *x, float *y)
{
    __shared__ float s[16][16];
    int c = threadIdx.x;
    s[threadIdx.y][c] = 0.0f;
    __syncthreads();
#pragma unroll 1
    for (int r = threadIdx.y; r < 16; r += 4) {
        s[r][c | r] = x[16 * r + c]; // race here
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 16; r += 4) {
        y[16 * r + c] = s[c][15];
    }
}

// Rows padded by one.
// expect: safe
// launch: block 16 4; x 16,16; y 16,16
KERNEL padded_transpose(const float *x, float *y)
{
    __shared__ float s[16][17];
    int c = threadIdx.x;
    for (int r = threadIdx.y; r < 16; r += 4) {
        s[r][c] = x[16 * r + c];
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 16; r += 4) {
        y[16 * r + c] = s[c][r];
    }
}

// The row is one longer in the stores than there are columns, the stride is not: a row's last place is the next one's first.
// expect: unsafe race shared s
// launch: block 17 4; x 4,17; y 4,17
KERNEL rows_overlap(const float *x, float *y)
{
    __shared__ float s[4 * 16 + 1];
    int c = threadIdx.x, r = threadIdx.y;
    s[16 * r + c] = x[17 * r + c]; // race here
    __syncthreads();
    y[17 * r + c] = s[16 * r + c];
}

// Vectors of four are permuted within a row of 32.
// expect: safe
// launch: block 32; x 8,32; y 8,32
KERNEL vector_swizzle(const float4 *x, float4 *y)
{
    __shared__ float4 s[8][8];
    int c = threadIdx.x % 8;
    for (int r = threadIdx.x / 8; r < 8; r += 4) {
        s[r][c ^ (r & 7)] = x[8 * r + c];
    }
    __syncthreads();
    for (int r = threadIdx.x / 8; r < 8; r += 4) {
        y[8 * r + c] = s[7 - r][c];
    }
}
