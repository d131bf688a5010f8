// y[i] = x[i] multiplied by itself i mod 4 times, by recursion.
__device__ __noinline__ float power(float v, int k) { return k == 0 ? 1.0f : v * power(v + 0.0f, k - 1); }

extern "C" __global__ void recursion(const float *x, float *y, int n) {
    int i = threadIdx.x;
    if (i < n) y[i] = power(x[i], i % 4);
}
