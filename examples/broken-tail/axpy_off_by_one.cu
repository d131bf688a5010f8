// axpy of ../axpy whose test lets one thread too many through.
extern "C" __global__ void axpy_off_by_one(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {  // i < n is right
        y[i] = a * x[i] + y[i];
    }
}
