// q = x / y, h = sqrt(x^2 + y^2), r = 1 / sqrt(x).
extern "C" __global__ void roots(const float *x, const float *y, float *q, float *h, float *r, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    q[i] = x[i] / y[i];
    h[i] = sqrtf(x[i] * x[i] + y[i] * y[i]);
    r[i] = rsqrtf(x[i]);
}
