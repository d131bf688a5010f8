// x = q scale[row], four a thread and step; n is a multiple of 4.
extern "C" __global__ void dequantize_s8(const char4 *q, const float *scale, float4 *x, int n) {
    float s = scale[blockIdx.x];
    for (int c = threadIdx.x; c < n / 4; c += 32) {
        char4 v = q[blockIdx.x * (n / 4) + c];
        x[blockIdx.x * (n / 4) + c] = make_float4(s * v.x, s * v.y, s * v.z, s * v.w);
    }
}
