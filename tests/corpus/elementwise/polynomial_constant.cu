// y = sum over k of c[k] x^k, the coefficients from a constant array.
__constant__ float coefficients[6] = {1.5f, -2.0f, 0.25f, 3.0f, -0.5f, 0.125f};

extern "C" __global__ void polynomial_constant(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
#pragma unroll 1
    for (int k = 5; k >= 0; k--) sum = sum * x[i] + coefficients[k];
    y[i] = sum;
}
