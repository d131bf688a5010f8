// y = x^T, a 4x4 block a thread with 16-byte accesses.
extern "C" __global__ void transpose_float4(const float *x, float *y, int r, int c) {
    int e = blockIdx.x * 32 + threadIdx.x, wide = c / 4;
    if (e >= r / 4 * wide) return;
    int i = e / wide * 4, j = e % wide * 4;
    float4 a = *reinterpret_cast<const float4 *>(x + i * c + j), b = *reinterpret_cast<const float4 *>(x + (i + 1) * c + j);
    float4 d = *reinterpret_cast<const float4 *>(x + (i + 2) * c + j), f = *reinterpret_cast<const float4 *>(x + (i + 3) * c + j);
    *reinterpret_cast<float4 *>(y + j * r + i) = make_float4(a.x, b.x, d.x, f.x);
    *reinterpret_cast<float4 *>(y + (j + 1) * r + i) = make_float4(a.y, b.y, d.y, f.y);
    *reinterpret_cast<float4 *>(y + (j + 2) * r + i) = make_float4(a.z, b.z, d.z, f.z);
    *reinterpret_cast<float4 *>(y + (j + 3) * r + i) = make_float4(a.w, b.w, d.w, f.w);
}
