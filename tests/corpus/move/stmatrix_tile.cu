// y[t] = x[t]^T: loaded as four 8x8 fragments, stored transposed by stmatrix.
extern "C" __global__ void stmatrix_tile(const unsigned *x, uint4 *y) {
    __shared__ __align__(16) unsigned short tile[16][16];
    int t = threadIdx.x, g = t / 4, q = t % 4;
    const unsigned *p = x + blockIdx.x * 128;
    unsigned a = p[g * 8 + q], b = p[(g + 8) * 8 + q], c = p[g * 8 + q + 4], d = p[(g + 8) * 8 + q + 4];
    // Matrix number t / 8 is (rows 0-7, columns 0-7), (8-15, 0-7), (0-7, 8-15), (8-15, 8-15): its transpose goes to the
    // rows of its columns and the columns of its rows.
    int m = t / 8;
    unsigned address = static_cast<unsigned>(__cvta_generic_to_shared(&tile[m / 2 * 8 + t % 8][m % 2 * 8]));
    asm volatile("stmatrix.sync.aligned.m8n8.x4.trans.shared.b16 [%0], {%1,%2,%3,%4};" ::"r"(address), "r"(a), "r"(b), "r"(c),
                 "r"(d) : "memory");
    __syncthreads();
    y[blockIdx.x * 32 + t] = reinterpret_cast<uint4 *>(&tile[0][0])[t];
}
