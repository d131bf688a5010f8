// z = (x + y down) + (x y up) - (x / y toward zero) + sqrt(x) + 1/y.
extern "C" __global__ void rounding_modes(const float *x, const float *y, float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = __fadd_rd(x[i], y[i]) + __fmul_ru(x[i], y[i]);
    z[i] = sum - __fdiv_rz(x[i], y[i]) + __fsqrt_rn(x[i]) + __frcp_ru(y[i]);
}
