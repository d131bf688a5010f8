// Row softmax; each lane keeps (maximum, rescaled sum), lanes merge by shuffles.
#include <math_constants.h>

extern "C" __global__ void softmax_online(const float *x, float *y, int n) {
    const float *row = x + blockIdx.x * n;
    float top = -CUDART_INF_F, sum = 0.0f;
    for (int c = threadIdx.x; c < n; c += 32) {
        float next = fmaxf(top, row[c]);
        sum = sum * __expf(top - next) + __expf(row[c] - next);
        top = next;
    }
    float all = top;
    for (int mask = 16; mask > 0; mask /= 2) all = fmaxf(all, __shfl_xor_sync(0xffffffff, all, mask));
    sum *= __expf(top - all);
    for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffff, sum, mask);
    for (int c = threadIdx.x; c < n; c += 32) y[blockIdx.x * n + c] = __expf(row[c] - all) / sum;
}
