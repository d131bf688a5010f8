// c = a @ b for row-major n x n matrices, n a multiple of 128. A CTA of 256 threads computes a 128 x 128 tile,
// each thread 8 x 8 elements of it in registers; the K-loop stages 8 columns of a and 8 rows of b in shared memory.
#define TILE 128
#define DEPTH 8

extern "C" __global__ void __launch_bounds__(256)
matmul_registers(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ __align__(16) float a_tile[DEPTH][TILE];
    __shared__ __align__(16) float b_tile[DEPTH][TILE];
    int tid = threadIdx.x;
    int tx = tid % 16;
    int ty = tid / 16;
    int row0 = blockIdx.y * TILE;
    int col0 = blockIdx.x * TILE;

    // Who loads what: 128 rows of 2 float4 from a, 8 rows of 32 float4 from b.
    int a_row = tid / 2;
    int a_col = (tid % 2) * 4;
    int b_row = tid / 32;
    int b_col = (tid % 32) * 4;

    float acc[8][8];
#pragma unroll
    for (int i = 0; i < 8; i++) {
#pragma unroll
        for (int j = 0; j < 8; j++) {
            acc[i][j] = 0.0f;
        }
    }

    for (int k0 = 0; k0 < n; k0 += DEPTH) {
        float4 from_a = *(const float4 *)&a[(row0 + a_row) * n + k0 + a_col];
        float4 from_b = *(const float4 *)&b[(k0 + b_row) * n + col0 + b_col];
        a_tile[a_col + 0][a_row] = from_a.x;
        a_tile[a_col + 1][a_row] = from_a.y;
        a_tile[a_col + 2][a_row] = from_a.z;
        a_tile[a_col + 3][a_row] = from_a.w;
        *(float4 *)&b_tile[b_row][b_col] = from_b;
        __syncthreads();

#pragma unroll
        for (int k = 0; k < DEPTH; k++) {
            float4 a_low = *(const float4 *)&a_tile[k][ty * 8];
            float4 a_high = *(const float4 *)&a_tile[k][ty * 8 + 4];
            float4 b_low = *(const float4 *)&b_tile[k][tx * 8];
            float4 b_high = *(const float4 *)&b_tile[k][tx * 8 + 4];
            float left[8] = {a_low.x, a_low.y, a_low.z, a_low.w, a_high.x, a_high.y, a_high.z, a_high.w};
            float right[8] = {b_low.x, b_low.y, b_low.z, b_low.w, b_high.x, b_high.y, b_high.z, b_high.w};
#pragma unroll
            for (int i = 0; i < 8; i++) {
#pragma unroll
                for (int j = 0; j < 8; j++) {
                    acc[i][j] += left[i] * right[j];
                }
            }
        }
        __syncthreads();
    }

#pragma unroll
    for (int i = 0; i < 8; i++) {
        float *out = &c[(row0 + ty * 8 + i) * n + col0 + tx * 8];
        *(float4 *)&out[0] = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
        *(float4 *)&out[4] = make_float4(acc[i][4], acc[i][5], acc[i][6], acc[i][7]);
    }
}
