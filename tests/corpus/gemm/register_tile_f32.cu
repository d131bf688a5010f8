// c = a b; a CTA of 16 threads computes 16 by 16 elements, a thread 4 by 4 in registers.
extern "C" __global__ void register_tile_f32(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float ta[8][16], tb[8][16];
    int x = threadIdx.x, y = threadIdx.y, id = y * 4 + x;
    float sum[4][4] = {};
    for (int t = 0; t < k; t += 8) {
        for (int i = id; i < 128; i += 16) {
            ta[i % 8][i / 8] = a[(blockIdx.y * 16 + i / 8) * k + t + i % 8];
            tb[i / 16][i % 16] = b[(t + i / 16) * n + blockIdx.x * 16 + i % 16];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float u[4], v[4];
#pragma unroll
            for (int j = 0; j < 4; j++) u[j] = ta[i][y * 4 + j], v[j] = tb[i][x * 4 + j];
#pragma unroll
            for (int r = 0; r < 4; r++)
#pragma unroll
                for (int s = 0; s < 4; s++) sum[r][s] = fmaf(u[r], v[s], sum[r][s]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 4; r++)
#pragma unroll
        for (int s = 0; s < 4; s++) c[(blockIdx.y * 16 + y * 4 + r) * n + blockIdx.x * 16 + x * 4 + s] = sum[r][s];
}
