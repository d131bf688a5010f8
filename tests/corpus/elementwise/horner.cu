// y = 7 x^7 + 6 x^6 + ... + x + 1/2.
extern "C" __global__ void horner(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
#pragma unroll
    for (int k = 7; k >= 1; k--) sum = (sum + k) * x[i];
    y[i] = sum + 0.5f;
}
