// q = x / y, h = sqrt(x^2 + y^2) + fma(x, y, 1).
extern "C" __global__ void roots_f64(const double *x, const double *y, double *q, double *h, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    q[i] = x[i] / y[i];
    h[i] = sqrt(x[i] * x[i] + y[i] * y[i]) + fma(x[i], y[i], 1.0);
}
