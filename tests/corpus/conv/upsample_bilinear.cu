// y at (r, c) samples x at ((r + 1/2) / 2 - 1/2, (c + 1/2) / 2 - 1/2), clamped at the border.
extern "C" __global__ void upsample_bilinear(const float *x, float *y, int h, int w) {
    int r = blockIdx.x, c = threadIdx.x;
    if (c >= 2 * w) return;
    float fr = fmaxf(0.5f * r - 0.25f, 0.0f), fc = fmaxf(0.5f * c - 0.25f, 0.0f);
    int r0 = static_cast<int>(fr), c0 = static_cast<int>(fc), r1 = min(r0 + 1, h - 1), c1 = min(c0 + 1, w - 1);
    float ar = fr - r0, ac = fc - c0;
    float upper = x[r0 * w + c0] * (1.0f - ac) + x[r0 * w + c1] * ac;
    float lower = x[r1 * w + c0] * (1.0f - ac) + x[r1 * w + c1] * ac;
    y[r * 2 * w + c] = upper * (1.0f - ar) + lower * ar;
}
