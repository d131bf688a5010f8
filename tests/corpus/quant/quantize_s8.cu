// q = clamp(round(x scale), -127, 127), four a thread packed into a word; n is a multiple of 4.
extern "C" __global__ void quantize_s8(const float4 *x, char4 *q, float scale, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n / 4) return;
    float4 v = x[i];
    auto byte = [&](float f) { return static_cast<signed char>(min(max(__float2int_rn(f * scale), -127), 127)); };
    q[i] = make_char4(byte(v.x), byte(v.y), byte(v.z), byte(v.w));
}
