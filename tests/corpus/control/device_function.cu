// y = 2 f(x) + f(1/2), f a device function that is called.
__device__ __noinline__ float f(float v, int *calls) {
    *calls += 1;
    return v * v + static_cast<float>(*calls);
}

extern "C" __global__ void device_function(const float *x, float *y, int n) {
    int i = blockIdx.x * 32 + threadIdx.x, calls = 0;
    if (i >= n) return;
    float first = f(x[i], &calls);
    y[i] = 2.0f * first + f(0.5f, &calls);
}
