// y[f] = sum over channels of the 3x3 correlation with k[f].
extern "C" __global__ void conv2d(const float *x, const float *k, float *y, int channels, int h, int w) {
    int col = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y, f = blockIdx.z;
    if (col >= w - 2) return;
    float sum = 0.0f;
    for (int c = 0; c < channels; c++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                sum += k[((f * channels + c) * 3 + i) * 3 + j] * x[(c * h + row + i) * w + col + j];
            }
    y[(f * (h - 2) + row) * (w - 2) + col] = sum;
}
