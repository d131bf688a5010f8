// A float4 a lane, n a multiple of 4 up to 128.
extern "C" __global__ void layernorm_float4(const float4 *x, const float4 *w, const float4 *b, float4 *y, int n, float eps) {
    int lane = threadIdx.x, i = blockIdx.x * (n / 4) + lane;
    bool inside = lane < n / 4;
    float4 v = inside ? x[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    float sum = v.x + v.y + v.z + v.w;
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    float mean = sum / n, squares = 0.0f;
    if (inside) {
        v.x -= mean, v.y -= mean, v.z -= mean, v.w -= mean;
        squares = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    for (int mask = 16; mask > 0; mask /= 2) squares += __shfl_xor_sync(0xffffffff, squares, mask);
    float r = rsqrtf(squares / n + eps);
    if (inside) {
        float4 g = w[lane], h = b[lane];
        y[i] = make_float4(v.x * r * g.x + h.x, v.y * r * g.y + h.y, v.z * r * g.z + h.z, v.w * r * g.w + h.w);
    }
}
