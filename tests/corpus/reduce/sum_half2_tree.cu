// y = sum of x in half precision: pairs, shuffles of packed pairs, then the two lanes of the pair.
#include <cuda_fp16.h>

extern "C" __global__ void sum_half2_tree(const __half2 *x, __half *y, int n) {
    __half2 sum = __float2half2_rn(0.0f);
    for (int i = threadIdx.x; i < n / 2; i += 32) sum = __hadd2(sum, x[i]);
    for (int mask = 16; mask > 0; mask /= 2) sum = __hadd2(sum, __shfl_xor_sync(0xffffffff, sum, mask));
    if (threadIdx.x == 0) y[0] = __hadd(__low2half(sum), __high2half(sum));
}
