// The eight bytes of a row in the order 7 5 3 1 6 4 2 0, by prmt on its two words.
extern "C" __global__ void byte_permute(const uint2 *x, uint2 *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n) y[i] = make_uint2(__byte_perm(x[i].x, x[i].y, 0x1357), __byte_perm(x[i].x, x[i].y, 0x0246));
}
