// y[i] = w[2] x[i] + w[1] x[i-1] + w[0] x[i-2] a channel, zero before the start; two channels a thread.
#include <cuda_fp16.h>

extern "C" __global__ void depthwise_half(const __half2 *x, const __half2 *w, __half2 *y, int c) {
    int pairs = c / 2, t = threadIdx.x, i = blockIdx.x;
    __half2 sum = __hmul2(w[2 * pairs + t], x[i * pairs + t]);
    if (i >= 1) sum = __hfma2(w[pairs + t], x[(i - 1) * pairs + t], sum);
    if (i >= 2) sum = __hfma2(w[t], x[(i - 2) * pairs + t], sum);
    y[i * pairs + t] = sum;
}
