// y = gate sigmoid(gate) up, computed in single precision.
#include <cuda_fp16.h>

extern "C" __global__ void swiglu_half2(const __half2 *gate, const __half2 *up, __half2 *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    float2 g = __half22float2(gate[i]), u = __half22float2(up[i]);
    g.x = g.x / (1.0f + __expf(-g.x)) * u.x;
    g.y = g.y / (1.0f + __expf(-g.y)) * u.y;
    y[i] = __float22half2_rn(g);
}
