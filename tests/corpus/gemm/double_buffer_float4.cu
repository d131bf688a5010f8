// c = a b; 16x16 tiles of c, k in steps of 8 through two buffers; float4 all the way; 2 by 4 elements a thread.
extern "C" __global__ void double_buffer_float4(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ float ta[2][16][8];
    __shared__ float tb[2][8][16];
    int t = threadIdx.x, ar = t / 2, ac = t % 2 * 4, br = t / 4, bc = t % 4 * 4;
    int y = t / 4 * 2, x = t % 4 * 4;
    const float *pa = a + (blockIdx.y * 16 + ar) * k + ac, *pb = b + br * n + blockIdx.x * 16 + bc;
    *reinterpret_cast<float4 *>(&ta[0][ar][ac]) = *reinterpret_cast<const float4 *>(pa);
    *reinterpret_cast<float4 *>(&tb[0][br][bc]) = *reinterpret_cast<const float4 *>(pb);
    __syncthreads();
    float4 s0 = make_float4(0, 0, 0, 0), s1 = s0;
    for (int step = 0, now = 0; step < k; step += 8, now ^= 1) {
        float4 na, nb;
        bool more = step + 8 < k;
        if (more) {
            na = *reinterpret_cast<const float4 *>(pa + step + 8);
            nb = *reinterpret_cast<const float4 *>(pb + (step + 8) * n);
        }
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float4 v = *reinterpret_cast<float4 *>(&tb[now][i][x]);
            float u0 = ta[now][y][i], u1 = ta[now][y + 1][i];
            s0 = make_float4(s0.x + u0 * v.x, s0.y + u0 * v.y, s0.z + u0 * v.z, s0.w + u0 * v.w);
            s1 = make_float4(s1.x + u1 * v.x, s1.y + u1 * v.y, s1.z + u1 * v.z, s1.w + u1 * v.w);
        }
        if (more) {
            *reinterpret_cast<float4 *>(&ta[now ^ 1][ar][ac]) = na;
            *reinterpret_cast<float4 *>(&tb[now ^ 1][br][bc]) = nb;
        }
        __syncthreads();
    }
    float *pc = c + (blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x;
    *reinterpret_cast<float4 *>(pc) = s0;
    *reinterpret_cast<float4 *>(pc + n) = s1;
}
