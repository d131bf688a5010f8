// Row softmax; the powers wait in dynamic shared memory; 80 threads are two and a half warps.
#include <math_constants.h>

extern "C" __global__ void softmax_block(const float *x, float *y, int n) {
    extern __shared__ float power[];
    __shared__ float part[80];
    int t = threadIdx.x;
    const float *row = x + blockIdx.x * n;
    float top = -CUDART_INF_F;
    for (int c = t; c < n; c += 80) top = fmaxf(top, row[c]);
    part[t] = top;
    __syncthreads();
    for (int k = 0; k < 80; k++) top = fmaxf(top, part[k]);
    __syncthreads();
    float sum = 0.0f;
    for (int c = t; c < n; c += 80) sum += power[c] = __expf(row[c] - top);
    part[t] = sum;
    __syncthreads();
    sum = 0.0f;
    for (int k = 0; k < 80; k++) sum += part[k];
    for (int c = t; c < n; c += 80) y[blockIdx.x * n + c] = power[c] / sum;
}
