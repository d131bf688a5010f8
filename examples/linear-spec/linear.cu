#include <cuda_fp16.h>

// y = relu(x wᵀ + b), one thread an element of y; halves are read in pairs and summed in float. Rows of x lie ld apart.
extern "C" __global__ void linear(const __half* x, const __half* w, const float* b, float* y, int rows, int columns, int k, int ld) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r >= rows || c >= columns) return;
    float sum = b[c];
    for (int i = 0; i < k; i += 2) {
        float2 p = __half22float2(*reinterpret_cast<const __half2*>(x + r * ld + i));
        float2 q = __half22float2(*reinterpret_cast<const __half2*>(w + c * k + i));
        sum = fmaf(p.x, q.x, sum);
        sum = fmaf(p.y, q.y, sum);
    }
    y[r * columns + c] = fmaxf(sum, 0.0f);
}
