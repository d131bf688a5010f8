// Broken siblings of examples/axpy.

// y = y - a * x.
extern "C" __global__ void axpy_wrong_sign(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = y[i] - a * x[i];
    }
}

// y = a * y + x.
extern "C" __global__ void axpy_swapped(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * y[i] + x[i];
    }
}

// z = a * x + y into a tensor of its own, but not for the last element.
extern "C" __global__ void axpy_short_tail(const float *x, const float *y, float *z, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) {
        z[i] = a * x[i] + y[i];
    }
}

// Right, four elements a thread with float4; n is a multiple of 4 and the tensors are 16-byte aligned.
extern "C" __global__ void axpy_float4(const float4 *x, float4 *y, float a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        float4 left = x[i];
        float4 right = y[i];
        right.x += a * left.x;
        right.y += a * left.y;
        right.z += a * left.z;
        right.w += a * left.w;
        y[i] = right;
    }
}
