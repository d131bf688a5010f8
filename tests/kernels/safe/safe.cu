// A running average over three CTAs' worth of elements, with a halo in shared memory.
extern "C" __global__ void average_halo(const float *x, float *y, int n)
{
    __shared__ float part[66];
    int tid = threadIdx.x;
    int i = blockIdx.x * 64 + tid;
    float value = 0.0f;
    if (i < n) {
        value = x[i];
    }
    part[tid + 1] = value;
    if (tid == 0) {
        float before = 0.0f;
        if (i > 0) {
            before = x[i - 1];
        }
        part[0] = before;
    }
    if (tid == 63) {
        float after = 0.0f;
        if (i + 1 < n) {
            after = x[i + 1];
        }
        part[65] = after;
    }
    __syncthreads();
    if (i < n) {
        y[i] = (part[tid] + part[tid + 1] + part[tid + 2]) * 0.25f;
    }
}
