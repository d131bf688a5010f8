// d = a b + c with 16-byte loads, and the last n % 4 elements one by one.
extern "C" __global__ void mul_add_float4(const float *a, const float *b, const float *c, float *d, int n) {
    int whole = n / 4;
    for (int i = threadIdx.x; i < whole; i += blockDim.x) {
        float4 x = reinterpret_cast<const float4 *>(a)[i];
        float4 y = reinterpret_cast<const float4 *>(b)[i];
        float4 z = reinterpret_cast<const float4 *>(c)[i];
        float4 r = make_float4(x.x * y.x + z.x, x.y * y.y + z.y, x.z * y.z + z.z, x.w * y.w + z.w);
        reinterpret_cast<float4 *>(d)[i] = r;
    }
    int i = 4 * whole + threadIdx.x;
    if (i < n) d[i] = a[i] * b[i] + c[i];
}
