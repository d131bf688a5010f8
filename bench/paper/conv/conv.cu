#include "conv.cuh"

// A thread makes one pixel of each second filter: block (128, 2), a CTA 128 pixels of all filters.
extern "C" __global__ void conv_direct(const __half *x, const __half *w, float *y, int batch, int channels, int height,
                                       int width)
{
    Shape shape = {batch, channels, height, width};
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= shape.batch * shape.pixels()) return;
    Patch patch(shape, column);
    for (int filter = threadIdx.y; filter < FILTERS; filter += blockDim.y) {
        float sum = 0.0f;
        for (int channel = 0; channel < shape.channels; channel++) {
            const __half *plane = x + (patch.image * shape.channels + channel) * shape.height * shape.width;
            const __half *weights = w + (filter * shape.channels + channel) * TAPS;
#pragma unroll 1
            for (int r = 0; r < KERNEL; r++) {
                int row = patch.top + r;
                if (row < 0 || row >= shape.height) continue;
                for (int s = 0; s < KERNEL; s++) {
                    int col = patch.left + s;
                    if (col < 0 || col >= shape.width) continue;
                    sum += __half2float(plane[row * shape.width + col]) * __half2float(weights[r * KERNEL + s]);
                }
            }
        }
        y[(patch.image * FILTERS + filter) * shape.pixels() + patch.pixel] = sum;
    }
}

ENTRY(conv_gemm, 2, RIGHT)
