// A pointer that names global, shared or local memory by i mod 3, read through generic addressing.
extern "C" __global__ void generic_address(const float *x, float *y, int n) {
    __shared__ float s[40];
    int i = threadIdx.x;
    float own[2];
    s[i] = i < n ? 2.0f * x[i] : 0.0f;
    own[i & 1] = 5.0f;
    own[1 - (i & 1)] = i < n ? x[i] + 7.0f : 0.0f;
    __syncthreads();
    if (i >= n) return;
    const volatile float *p = i % 3 == 0 ? x + i : i % 3 == 1 ? s + i : own + (1 - (i & 1));
    y[i] = *p;
}
