// p = running products, m = running maxima; a block of 3 threads, a row each.
#include <math_constants.h>

extern "C" __global__ void prefix_product(const float *x, float *p, float *m, int n) {
    float product = 1.0f, top = -CUDART_INF_F;
    for (int c = 0; c < n; c++) {
        float v = x[threadIdx.x * n + c];
        product *= v;
        top = fmaxf(top, v);
        p[threadIdx.x * n + c] = product;
        m[threadIdx.x * n + c] = top;
    }
}
