// s = |x| with the sign of y, m = max(|x|, |y|) - min(x, y), d = max(x - y, 0).
extern "C" __global__ void copysign_minmax(const float *x, const float *y, float *s, float *m, float *d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    s[i] = copysignf(x[i], y[i]);
    m[i] = fmaxf(fabsf(x[i]), fabsf(y[i])) - fminf(x[i], y[i]);
    d[i] = fdimf(x[i], y[i]);
}
