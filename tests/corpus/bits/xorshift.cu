// The state after four steps of Marsaglia's xorshift128.
extern "C" __global__ void xorshift(const uint4 *x, uint4 *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    uint4 s = x[i];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        unsigned t = s.x ^ s.x << 11;
        s.x = s.y, s.y = s.z, s.z = s.w;
        s.w = s.w ^ s.w >> 19 ^ t ^ t >> 8;
    }
    y[i] = s;
}
