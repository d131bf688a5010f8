// x rounded to nearest even, toward zero, down and up; and the byte nearest to it.
extern "C" __global__ void float_to_int(const float *x, int *near, int *zero, int *down, long long *up,
                                        unsigned char *byte, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    near[i] = __float2int_rn(x[i]);
    zero[i] = static_cast<int>(x[i]);
    down[i] = __float2int_rd(x[i]);
    up[i] = __float2ll_ru(x[i]);
    int r = __float2int_rn(x[i]);
    byte[i] = static_cast<unsigned char>(min(max(r, 0), 255));
}
