// Row r (w - 1) + c of y is the 2x2 patch at (r, c), stored as one float4; blocks of 9 threads.
extern "C" __global__ void im2col(const float *x, float4 *y, int w) {
    int r = blockIdx.x, c = threadIdx.x;
    if (c >= w - 1) return;
    const float *p = x + r * w + c;
    y[r * (w - 1) + c] = make_float4(p[0], p[1], p[w], p[w + 1]);
}
