// y[r] = sqrt(sum of squares of row r), n even.
#include <cuda_fp16.h>

extern "C" __global__ void norm_half2(const __half2 *x, float *y, int n) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n / 2; i += 32) {
        float2 v = __half22float2(x[blockIdx.x * (n / 2) + i]);
        sum = fmaf(v.x, v.x, fmaf(v.y, v.y, sum));
    }
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffff, sum, offset);
    if (threadIdx.x == 0) y[blockIdx.x] = sqrtf(sum);
}
