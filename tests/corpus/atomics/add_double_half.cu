// s += sum of x in doubles; t += (sum of even h, sum of odd h) by packed half atomics; n is even.
#include <cuda_fp16.h>

extern "C" __global__ void add_double_half(const double *x, const __half2 *h, double *s, __half2 *t, int n) {
    for (int i = threadIdx.x; i < n; i += 32) atomicAdd(s, x[i]);
    for (int i = threadIdx.x; i < n / 2; i += 32) atomicAdd(t, h[i]);
}
