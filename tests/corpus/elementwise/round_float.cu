// y = (floor x, ceil x, trunc x, rint x).
extern "C" __global__ void round_float(const float *x, float4 *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = make_float4(floorf(x[i]), ceilf(x[i]), truncf(x[i]), rintf(x[i]));
}
