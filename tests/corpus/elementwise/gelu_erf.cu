// y = x/2 (1 + erf(x / sqrt 2)).
extern "C" __global__ void gelu_erf(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 0.5f * x[i] * (1.0f + erff(x[i] * 0.70710678f));
}
