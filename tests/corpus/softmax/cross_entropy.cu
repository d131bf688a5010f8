// loss = log sum e^x - x[label], grad = softmax(x) - one-hot; labels are known before the launch.
#include <math_constants.h>

extern "C" __global__ void cross_entropy(const float *x, const int *label, float *loss, float *grad, int n) {
    int r = blockIdx.x, l = label[r];
    const float *row = x + r * n;
    float top = -CUDART_INF_F, sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) top = fmaxf(top, row[c]);
    for (int mask = 16; mask > 0; mask /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, mask));
    for (int c = threadIdx.x; c < n; c += 32) sum += __expf(row[c] - top);
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    if (threadIdx.x == 0) loss[r] = __logf(sum) + top - row[l];
    for (int c = threadIdx.x; c < n; c += 32) grad[r * n + c] = __expf(row[c] - top) / sum - (c == l ? 1.0f : 0.0f);
}
