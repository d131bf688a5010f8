// y = x + z with hints that change nothing; z is doubled through volatile accesses.
extern "C" __global__ void volatile_cached(const float *x, float *y, volatile float *z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a = __ldg(x + i) + __ldcg(x + i) - __ldcs(x + i), b = z[i];
    __stcs(y + i, a + b);
    z[i] = b + b;
}
