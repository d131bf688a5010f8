// s = sin x, c = cos x, with the table of 2/pi for large arguments (in local memory).
extern "C" __global__ void sincos_precise(const float *x, float *s, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) sincosf(x[i], &s[i], &c[i]);
}
