// y = a * x + y, two ways.

// One thread an element; the last CTA has threads without one.
extern "C" __global__ void axpy(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + y[i];
    }
}

// Any number of threads: each steps over the elements by the size of the grid.
extern "C" __global__ void axpy_grid_stride(const float *__restrict__ x, float *__restrict__ y, float a, int n)
{
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        float product = a * x[i];
        y[i] += product;
    }
}
