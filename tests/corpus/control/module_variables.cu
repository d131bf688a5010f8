// y = x * weight[i mod 4] + offset, both module variables with initial values.
__device__ float weight[4] = {1.0f, -2.0f, 0.5f, 8.0f};
__device__ double offset = 0.75;

extern "C" __global__ void module_variables(const float *x, float *y, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    y[i] = x[i] * weight[i & 3] + static_cast<float>(offset);
}
