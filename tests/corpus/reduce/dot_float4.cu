// y = a . b, accumulated in double precision; n is a multiple of 4.
extern "C" __global__ void dot_float4(const float4 *a, const float4 *b, double *y, int n) {
    double sum = 0.0;
    for (int i = threadIdx.x; i < n / 4; i += 32) {
        float4 u = a[i], v = b[i];
        sum += static_cast<double>(u.x) * v.x + static_cast<double>(u.y) * v.y;
        sum += static_cast<double>(u.z) * v.z + static_cast<double>(u.w) * v.w;
    }
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    if (threadIdx.x == 0) y[0] = sum;
}
