// c = a b over the complex numbers, blocks of 5 by 4 threads.
extern "C" __global__ void complex_gemm(const float2 *a, const float2 *b, float2 *c, int k) {
    float re = 0.0f, im = 0.0f;
    for (int i = 0; i < k; i++) {
        float2 u = a[threadIdx.y * k + i], v = b[i * blockDim.x + threadIdx.x];
        re += u.x * v.x - u.y * v.y;
        im += u.x * v.y + u.y * v.x;
    }
    c[threadIdx.y * blockDim.x + threadIdx.x] = make_float2(re, im);
}
