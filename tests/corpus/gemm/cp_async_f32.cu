// c = a b; tiles of 16x16 with k in steps of 4 through a ring of three; n and k are multiples of 4. Bytes outside are zero-filled.
__device__ void copy16(float *to, const float *from, bool inside) {
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(to));
    int bytes = inside ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(address), "l"(from), "r"(bytes) : "memory");
}

extern "C" __global__ void cp_async_f32(const float *a, const float *b, float *c, int m, int n, int k) {
    __shared__ __align__(16) float ta[3][16][4];
    __shared__ __align__(16) float tb[3][4][16];
    int t = threadIdx.x, row = blockIdx.y * 16, col = blockIdx.x * 16, steps = k / 4;
    int y = t / 4, x = t % 4 * 4;
    float sum[4] = {};
    auto fetch = [&](int s) {
        if (s < steps) {
            if (t < 16) {
                bool inside = row + t < m;
                copy16(ta[s % 3][t], a + (inside ? (row + t) * k + s * 4 : 0), inside);
            } else if (t < 32) {
                int r = (t - 16) / 4, q = (t - 16) % 4 * 4;
                bool inside = col + q < n;
                copy16(&tb[s % 3][r][q], b + (inside ? (s * 4 + r) * n + col + q : 0), inside);
            }
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    fetch(0);
    fetch(1);
    for (int s = 0; s < steps; s++) {
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++) sum[j] += ta[s % 3][y][i] * tb[s % 3][i][x + j];
        fetch(s + 2);
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    for (int j = 0; j < 4; j++)
        if (row + y < m && col + x + j < n) c[(row + y) * n + col + x + j] = sum[j];
}
