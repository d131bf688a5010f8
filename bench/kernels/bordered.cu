// Kernels whose CTAs take different paths, for `python -m bench.grouping`. Square matrices of n x n, n no multiple of a tile.
#define TILE 16

// c = a @ b by tiles in shared memory; whole tiles have a path without guards.
extern "C" __global__ void tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float left[TILE][TILE], right[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    if (blockIdx.x + 1 < gridDim.x && blockIdx.y + 1 < gridDim.y) {
        int k = 0;
        for (; k + TILE <= n; k += TILE) {
            left[ty][tx] = a[row * n + k + tx];
            right[ty][tx] = b[(k + ty) * n + col];
            __syncthreads();
            for (int i = 0; i < TILE; i++)
                sum += left[ty][i] * right[i][tx];
            __syncthreads();
        }
        for (; k < n; k++)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    } else if (row < n && col < n) {
        for (int k = 0; k < n; k++)
            sum += a[row * n + k] * b[k * n + col];
        c[row * n + col] = sum;
    }
}

// The same, 4 x 4 elements a thread held in registers, as a fast product has it.
extern "C" __global__ void registers(const float *a, const float *b, float *c, int n)
{
    int row = (blockIdx.y * TILE + threadIdx.y) * 4, col = (blockIdx.x * TILE + threadIdx.x) * 4;
    if (blockIdx.x + 1 < gridDim.x && blockIdx.y + 1 < gridDim.y) {
        float sum[4][4] = {};
        for (int k = 0; k < n; k++)
            #pragma unroll
            for (int i = 0; i < 4; i++)
                #pragma unroll
                for (int j = 0; j < 4; j++)
                    sum[i][j] += a[(row + i) * n + k] * b[k * n + col + j];
        #pragma unroll
        for (int i = 0; i < 4; i++)
            #pragma unroll
            for (int j = 0; j < 4; j++)
                c[(row + i) * n + col + j] = sum[i][j];
    } else {
        for (int i = 0; i < 4 && row + i < n; i++)
            for (int j = 0; j < 4 && col + j < n; j++) {
                float sum = 0.0f;
                for (int k = 0; k < n; k++)
                    sum += a[(row + i) * n + k] * b[k * n + col + j];
                c[(row + i) * n + col + j] = sum;
            }
    }
}

// One thread an element of a 3 x 3 convolution over 8 channels as an implicit product: an index is divided for each term.
extern "C" __global__ void implicit(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    bool inside = blockIdx.x > 0 && blockIdx.y > 0 && blockIdx.x + 1 < gridDim.x && blockIdx.y + 1 < gridDim.y;
    if (inside) {
        #pragma unroll 1
        for (int k = 0; k < 72; k++) {
            int channel = k / 9, place = k % 9;
            sum += a[(channel * n + row + place / 3 - 1) * n + col + place % 3 - 1] * b[k];
        }
        c[row * n + col] = sum;
    } else if (row < n && col < n) {
        #pragma unroll 1
        for (int k = 0; k < 72; k++) {
            int channel = k / 9, place = k % 9, y = row + place / 3 - 1, x = col + place % 3 - 1;
            if (y >= 0 && y < n && x >= 0 && x < n)
                sum += a[(channel * n + y) * n + x] * b[k];
        }
        c[row * n + col] = sum;
    }
}

// Nothing but one addition an element, and one CTA that does more: few steps a row.
extern "C" __global__ void special(const float *a, const float *b, float *c, int n)
{
    int at = blockIdx.x * 256 + threadIdx.x;
    if (at >= n * n) return;
    float sum = a[at] + b[at];
    if (blockIdx.x == gridDim.x - 1)
        for (int k = 0; k < 8; k++)
            sum = sum * sum + b[k];
    c[at] = sum;
}
