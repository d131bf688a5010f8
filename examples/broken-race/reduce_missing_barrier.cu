// The shared-memory tree of ../reduce-tree, without the barrier between its steps.
extern "C" __global__ void reduce_missing_barrier(const float *x, float *y, int k)
{
    __shared__ float part[256];
    int tid = threadIdx.x;
    const float *mine = x + blockIdx.x * 256 * k;

    float sum = 0.0f;
    for (int i = 0; i < k; i++) {
        sum += mine[i * 256 + tid];
    }
    part[tid] = sum;
    __syncthreads();

    for (int stride = 128; stride > 0; stride /= 2) {
        if (tid < stride) {
            part[tid] += part[tid + stride];
        }
        // A barrier belongs here.
    }

    if (tid == 0) {
        y[blockIdx.x] = part[0];
    }
}
