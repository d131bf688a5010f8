// c = a conj(b), m = |a|^2.
extern "C" __global__ void complex_mul(const float2 *a, const float2 *b, float2 *c, float *m, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float2 x = a[i], y = b[i];
    c[i] = make_float2(x.x * y.x + x.y * y.y, x.y * y.x - x.x * y.y);
    m[i] = x.x * x.x + x.y * x.y;
}
